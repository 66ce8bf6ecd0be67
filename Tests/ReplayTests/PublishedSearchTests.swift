import Kafka
import Replay
import RoomModel
import RoomScreen
import Testing
import Wire

/// Commands of two inputs and two rooms on one partition of the embedded broker.
struct PublishedSearchTests {
  private static let count: Int64 = 20_000
  private let broker: EmbeddedBroker
  private let properties: KafkaProperties

  init() throws {
    broker = try EmbeddedBroker()
    try broker.createTopic("render.commands", partitions: 1)
    properties = try KafkaProperties(["bootstrap.servers": broker.bootstrapServers])
    let producer = try Producer(properties: properties, clientId: "tests") { _ in }
    let topic = try producer.topic("render.commands", timeoutMs: 60_000)
    for number in 0..<Self.count {
      let (room, value) = Self.command(number)
      try Array(room.utf8).withUnsafeBytes { key in
        try Array(value.utf8).withUnsafeBytes {
          try topic.produce(0, key: key, value: $0, timestampMs: 1_000_000 + number)
        }
      }
    }
    try producer.flush(timeoutMs: 60_000)
  }

  /// Every other is of the other input; each record has one.
  private static func command(_ number: Int64) -> (room: String, value: String) {
    let input = number % 2 == 0 ? "im.gifts" : "im.wishes"
    let room = number % 3 == 0 ? "r1" : "r2"
    let value =
      #"{"roomId":"\#(room)","id":"\#(input)/0/\#(number / 2)/0","atMs":\#(number),"rainEnd":{"rainId":"a"}}"#
    return (room, value)
  }

  private func name(_ number: Int64) throws -> CommandName {
    try #require(CommandName("im.gifts/0/\(number / 2)/0"))
  }

  @Test(arguments: [Int64(0), 6, 9996, 15_000, 19_998]) func littleIsReadHoweverMuchThereIs(number: Int64) throws {
    let search = try PublishedSearch(in: "render.commands", room: "r1", properties)
    let name = try name(number)
    guard case .found(let command) = try search.find([name])[name] else {
      Issue.record("not found")
      return
    }
    #expect(command.timeMs == 1_000_000 + number)
    #expect(command.json == Self.command(number).value)
    #expect(search.recordsRead < 2000)
  }

  /// One input was worked off early; then came commands of the other alone.
  @Test func `a search reads little where a log's commands end early`() throws {
    try broker.createTopic("uneven", partitions: 1)
    let producer = try Producer(properties: properties, clientId: "tests") { _ in }
    let topic = try producer.topic("uneven", timeoutMs: 60_000)
    for number in 0..<Self.count {
      let (input, offset) = number < 1000 ? ("im.wishes", number) : ("im.gifts", number - 1000)
      let value = #"{"roomId":"r1","id":"\#(input)/0/\#(offset)/0","atMs":1,"rainEnd":{"rainId":"a"}}"#
      try Array("r1".utf8).withUnsafeBytes { key in
        try Array(value.utf8).withUnsafeBytes {
          try topic.produce(0, key: key, value: $0, timestampMs: 1_000_000 + number)
        }
      }
    }
    try producer.flush(timeoutMs: 60_000)
    let search = try PublishedSearch(in: "uneven", room: "r1", near: 64, properties)
    let wanted = try [0, 500, 999].map { try #require(CommandName("im.wishes/0/\($0)/0")) }
    let found = try search.find(wanted)
    for name in wanted {
      guard case .found(let command) = found[name] else {
        Issue.record("\(name) is not found")
        continue
      }
      #expect(command.timeMs == 1_000_000 + name.offset)
    }
    #expect(search.recordsRead < Self.count / 3)
  }

  @Test func severalFarApartAreFoundTogether() throws {
    let search = try PublishedSearch(in: "render.commands", room: "r1", properties)
    // The commands of 7 and 11 are of another room, and record 30,000 never came.
    let wanted = try [12, 18, 8, 14, 9000, 19_998, 30_000].map { try name($0) }
    let words = try words(search, wanted)
    #expect(words == ["12", "18", "absent", "absent", "9000", "19998", "absent"])
    #expect(search.recordsRead < 12_000)
  }

  /// The worker goes on after it was asked where it stands.
  @Test func whatIsNotFoundIsToComeWhereTheWorkerStoodBefore() throws {
    let search = try PublishedSearch(in: "render.commands", room: "r1", properties)
    let wanted = try [8, 12, 14, 18, 30_000].map { try name($0) }
    let standing = PublishedCommands.Standing("im.gifts/0", offset: 8, end: 30_000)
    #expect(try words(search, wanted, [standing]) == ["absent", "12", "pending", "18", "pending"])
  }

  private func words(
    _ search: PublishedSearch, _ wanted: [CommandName], _ standings: [PublishedCommands.Standing] = []
  ) throws -> [String] {
    let found = try search.find(wanted, standings)
    return wanted.map { name in
      switch found[name] {
      case .found(let command): "\(command.timeMs - 1_000_000)"
      case .absent: "absent"
      case .pending: "pending"
      case .unknown: "unknown"
      }
    }
  }
}
