import JSON
import Kafka
import Replay
import RoomModel
import RoomScreen
import Settings
import Testing
import Wire

/// A log whose commands lie on two partitions of the embedded broker, all of a room on its own.
struct OutputComparisonTests {
  private struct Published {
    let room: String
    var json: String
    let timeMs: Int64
  }

  private let broker: EmbeddedBroker
  private let properties: KafkaProperties
  private let producer: Producer
  private let rooms: [String]

  init() throws {
    broker = try EmbeddedBroker()
    for topic in ["im.gifts", "flyscreen.journal.im.gifts", "flyscreen.changelog.im.gifts"] {
      try broker.createTopic(topic, partitions: 1)
    }
    try broker.createTopic("render.commands", partitions: 2)
    properties = try KafkaProperties(["bootstrap.servers": broker.bootstrapServers])
    producer = try Producer(properties: properties, clientId: "tests") { _ in }
    rooms = try (0..<2).map { partition in
      try #require((0..<50).map { "r\($0)" }.first { Self.partition($0) == partition })
    }
  }

  /// Writes `count` gifts, and publishes what comes of them as `alter` leaves it.
  ///
  /// - Parameter firingTo: the time to which timers fire after the last record.
  private func publish(
    _ count: Int64, topics: [String] = ["im.gifts"], firingTo: LogTime = 0,
    _ alter: (inout [Published]) -> Void = { _ in }
  ) throws -> Int {
    let input = try producer.topic("im.gifts", timeoutMs: 60_000)
    for i in 0..<count {
      let gift = #""gift":{"sender":{"userId":"\#(i % 3)"},"giftId":"rose"}"#
      let room = rooms[Int(i % 2)]
      try produce(input, 0, room, #"{"eventId":"e\#(i)","roomId":"\#(room)",\#(gift)}"#, at: 1000 + i * 700)
    }
    try producer.flush(timeoutMs: 60_000)
    let source = try TopicSource(ranges(topics), properties)
    var replayer = Replayer(settings: LogSettings(), hashSeed: 1)
    var published: [Published] = []
    var now: Int64 = 0
    func takeOutput() throws {
      for command in String(decoding: replayer.output.bytes, as: UTF8.self).split(separator: "\n") {
        let room = try #require(rooms.first { command.hasPrefix("{\"roomId\":\"\($0)\"") })
        published.append(Published(room: room, json: String(command), timeMs: now))
      }
      replayer.output.removeAll()
    }
    while let line = try source.next() {
      if case .record(let record) = line.content { now = record.timestampMs }
      try replayer.play(line)
      try takeOutput()
    }
    replayer.fire(to: firingTo)
    try takeOutput()
    alter(&published)
    let output = try producer.topic("render.commands", timeoutMs: 60_000)
    for one in published {
      try produce(output, Int32(Self.partition(one.room)), one.room, one.json, at: one.timeMs)
    }
    try producer.flush(timeoutMs: 60_000)
    return published.count
  }

  private func ranges(_ topics: [String]) throws -> [PartitionRange] {
    try topics.flatMap { try TopicRange($0, properties).partitions(nil, from: .beginning, to: .end) }
  }

  private func comparison(of topics: [String] = ["im.gifts"]) throws -> OutputComparison {
    try OutputComparison(
      ranges(topics), commandsOn: "render.commands", resultsOn: "rain.results", room: nil, properties)
  }

  /// A room that has gifts and wishes is one.
  @Test func aRoomOfTwoTopicsCountsOnce() throws {
    for topic in ["im.wishes", "flyscreen.journal.im.wishes", "flyscreen.changelog.im.wishes"] {
      try broker.createTopic(topic, partitions: 1)
    }
    let wish = #""wish":{"sender":{"userId":"7"},"text":"hi"}"#
    try produce(
      try producer.topic("im.wishes", timeoutMs: 60_000), 0, rooms[0],
      #"{"eventId":"w1","roomId":"\#(rooms[0])",\#(wish)}"#, at: 1000)
    let topics = ["im.gifts", "im.wishes"]
    let commands = try publish(20, topics: topics)
    let comparison = try comparison(of: topics)
    #expect(try told(comparison) == [])
    #expect((comparison.commands, comparison.rooms) == (commands, 2))
  }

  /// The expected commands of one room do not pile up while those of another are read.
  @Test func littleIsInMemoryHoweverLongItIs() throws {
    let commands = try publish(1500)
    let comparison = try comparison()
    #expect(try told(comparison) == [])
    #expect(comparison.commands == commands && commands > 3000)
    #expect(comparison.mostWaiting < 100)
  }

  /// Its ids name the last record, as those of what that record made.
  @Test func whatTimersSentAfterTheLastRecordIsNotHeldAgainstIt() throws {
    let commands = try publish(20, firingTo: 100_000)
    let comparison = try comparison()
    #expect(try told(comparison) == [])
    #expect((1..<commands).contains(comparison.commands), "some are of timers")
  }

  @Test func allThatDiffersIsToldAndCounted() throws {
    var expected: [String] = []
    _ = try publish(200) { published in
      var first = published.indices.filter { published[$0].room == rooms[0] }
      let second = published.indices.filter { published[$0].room == rooms[1] }
      first.swapAt(40, 41)
      let (moved, other, missing, repeated) = (first[41], first[70], first[100], second[50])
      published[other].json = published[other].json.replacing("\"roomId\"", with: " \"roomId\"")
      expected = [
        "missing \(published[moved].json)", "repeated \(published[moved].json)", "other \(published[other].json)",
        "missing \(published[missing].json)",
        "repeated \(published[repeated].json)",
      ]
      let all = first.map { published[$0] } + second.map { published[$0] }
      expected += all.suffix(2).map { "missing \($0.json)" }
      published = all.dropLast(2).enumerated().flatMap { number, one in
        number == 100 ? [] : number == first.count + 50 ? [one, one] : [one]
      }
    }
    let comparison = try comparison()
    #expect(try told(comparison).sorted() == expected.sorted())
    #expect(comparison.differences == expected.count)
    let first = try self.comparison()
    #expect(try told(first, most: 1) == [expected[0]] && first.differences == 1)
  }

  /// - Parameter most: the count of differences after which it ends.
  private func told(_ comparison: OutputComparison, most: Int = .max) throws -> [String] {
    var told: [String] = []
    try comparison.run {
    } tell: { difference in
      told.append("\(difference.kind.rawValue) \(difference.text)")
      #expect(difference.kind == .missing || difference.place?.hasPrefix("render.commands[") == true)
      return told.count < most
    }
    return told
  }

  private static func partition(_ room: String) -> Int {
    Array(room.utf8).withUnsafeBytes { Int(Murmur2.partition(key: $0, partitions: 2)) }
  }

  private func produce(
    _ topic: OutputTopic, _ partition: Int32, _ key: String, _ value: String, at timeMs: Int64
  ) throws {
    try Array(key.utf8).withUnsafeBytes { key in
      try Array(value.utf8).withUnsafeBytes {
        try topic.produce(partition, key: key, value: $0, timestampMs: timeMs)
      }
    }
  }
}

extension OutputComparison.Difference {
  /// The missing JSON, or the published one.
  var text: String { (kind == .missing ? expected : published) ?? "" }
}
