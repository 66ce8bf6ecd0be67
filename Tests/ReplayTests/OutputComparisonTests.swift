import Kafka
import Replay
import RoomModel
import Settings
import Testing
import Wire

/// A log whose commands lie on two partitions of the embedded broker, all of a room on its own.
struct OutputComparisonTests {
  private static let count: Int64 = 1500

  /// What is expected of one room does not pile up while all of another's is read.
  @Test func littleIsInMemoryHoweverLongItIs() throws {
    let broker = try EmbeddedBroker()
    for topic in ["im.gifts", "flyscreen.journal.im.gifts", "flyscreen.changelog.im.gifts"] {
      try broker.createTopic(topic, partitions: 1)
    }
    try broker.createTopic("render.commands", partitions: 2)
    let properties = try KafkaProperties(["bootstrap.servers": broker.bootstrapServers])
    let rooms = try (0..<2).map { partition in
      try #require((0..<50).map { "r\($0)" }.first { Self.partition($0) == partition })
    }
    let producer = try Producer(properties: properties, clientId: "tests") { _ in }
    let input = try producer.topic("im.gifts", timeoutMs: 60_000)
    for i in 0..<Self.count {
      let gift = #""gift":{"sender":{"userId":"\#(i % 3)"},"giftId":"rose"}"#
      let room = rooms[Int(i % 2)]
      try produce(input, 0, room, #"{"eventId":"e\#(i)","roomId":"\#(room)",\#(gift)}"#, at: 1000 + i * 700)
    }
    try producer.flush(timeoutMs: 60_000)
    let ranges = try TopicRange("im.gifts", properties).partitions(nil, from: .beginning, to: .end)
    let source = try TopicSource(ranges, properties)
    var replayer = Replayer(settings: LogSettings(), hashSeed: 1)
    let output = try producer.topic("render.commands", timeoutMs: 60_000)
    var now: Int64 = 0
    var commands = 0
    while let line = try source.next() {
      if case .record(let record) = line.content { now = record.timestampMs }
      try replayer.play(line)
      for command in String(decoding: replayer.output.bytes, as: UTF8.self).split(separator: "\n") {
        let room = try #require(rooms.first { command.hasPrefix("{\"roomId\":\"\($0)\"") })
        try produce(output, Int32(Self.partition(room)), room, String(command), at: now)
        commands += 1
      }
      replayer.output.removeAll()
    }
    try producer.flush(timeoutMs: 60_000)

    let comparison = try OutputComparison(
      ranges, commandsOn: "render.commands", resultsOn: "rain.results", room: nil, properties)
    let difference = try comparison.run {}
    #expect(difference == nil)
    #expect(comparison.commands == commands && commands > 3000)
    #expect(comparison.mostWaiting < 100)
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
