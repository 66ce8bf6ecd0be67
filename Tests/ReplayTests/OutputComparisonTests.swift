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
    #expect(try comparison.run {} == nil)
    #expect((comparison.commands, comparison.rooms) == (commands, 2))
  }

  /// The expected commands of one room do not pile up while those of another are read.
  @Test func littleIsInMemoryHoweverLongItIs() throws {
    let commands = try publish(1500)
    let comparison = try comparison()
    let difference = try comparison.run {}
    #expect(difference == nil)
    #expect(comparison.commands == commands && commands > 3000)
    #expect(comparison.mostWaiting < 100)
  }

  /// Its ids name the last record, as those of what that record made.
  @Test func whatTimersSentAfterTheLastRecordIsNotHeldAgainstIt() throws {
    let commands = try publish(20, firingTo: 100_000)
    let comparison = try comparison()
    let difference = try comparison.run {}
    #expect(difference == nil)
    #expect((1..<commands).contains(comparison.commands), "some are of timers")
  }

  /// Of two that are not where they had to come one comes later; the first that differs is the other.
  @Test func whatWasMovedSaysNothingOfWhatIsMissing() throws {
    var missing = ""
    _ = try publish(200) { published in
      let first = published.indices.filter { published[$0].room == rooms[0] }
      published.swapAt(first[60], first[61])
      missing = published.remove(at: first[40]).json
    }
    let comparison = try comparison()
    let difference = try comparison.runAll {
    } tell: {
      _ in
    }
    #expect(difference?.kind == .missing && difference?.expected == missing)
    let counts = comparison.counts[Recipient(kind: .command, key: ID(rooms[0]))]
    #expect(counts?.filter { $0.value > 0 } == [.missing: 1, .moved: 1])
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
        "moved \(published[moved].json)", "other \(published[other].json)", "missing \(published[missing].json)",
        "repeated \(published[repeated].json)",
      ]
      let all = first.map { published[$0] } + second.map { published[$0] }
      expected += all.suffix(2).map { "missing \($0.json)" }
      published = all.dropLast(2).enumerated().flatMap { number, one in
        number == 100 ? [] : number == first.count + 50 ? [one, one] : [one]
      }
    }
    let comparison = try comparison()
    var told: [String] = []
    let difference = try comparison.runAll {
    } tell: {
      told.append("\($0.kind.rawValue) \($0.published ?? $0.expected ?? "")")
      #expect($0.kind == .missing || $0.place?.hasPrefix("render.commands[") == true)
    }
    #expect(told.sorted() == expected.sorted())
    #expect(difference?.kind == .moved)
    func counts(_ room: String) -> [OutputComparison.Kind: Int]? {
      comparison.counts[Recipient(kind: .command, key: ID(room))]?.filter { $0.value > 0 }
    }
    #expect(counts(rooms[0]) == [.moved: 1, .other: 1, .missing: 1])
    #expect(counts(rooms[1]) == [.repeated: 1, .missing: 2])
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
