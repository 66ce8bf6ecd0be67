import Foundation
import Kafka
import RoomModel
import Testing

/// `send` on a broker that is embedded here.
struct SendTests {
  private let broker: EmbeddedBroker

  init() throws {
    broker = try EmbeddedBroker()
    for topic in ["im.gifts", "im.wishes"] { try broker.createTopic(topic, partitions: 3) }
  }

  private var environment: [String: String] { ["KAFKA_BOOTSTRAP_SERVERS": broker.bootstrapServers] }

  private func send(_ words: String) throws -> Program.Outcome {
    try Program.run(["send"] + words.split(separator: " ").map(String.init), environment: environment)
  }

  /// Each kind with all its flags, and what comes of them.
  @Test(arguments: [
    (
      "gift --room r1 --event e1 --user 7 --name 阿花 --avatar a --gift rose --gift-name 玫瑰 --count 3 --value 10"
        + " --receiver 8 --streak s", "im.gifts",
      #"{"eventId":"e1","roomId":"r1","gift":{"sender":{"userId":"7","name":"阿花","avatarUrl":"a"},"receiverId":"8","#
        + #""giftId":"rose","giftName":"玫瑰","count":3,"value":10,"streakId":"s""#
    ),
    (
      #"wish --room r1 --event e1 --user 7 --text "hi" --wish w --style s"#, "im.wishes",
      #"{"eventId":"e1","roomId":"r1","wish":{"sender":{"userId":"7","name":"","avatarUrl":""},"text":"\"hi\"","#
        + #""wishId":"w","style":"s"}}"#
    ),
    (
      "wishLike --room r1 --event e1 --user 7 --wish w", "im.wishes",
      #"{"eventId":"e1","roomId":"r1","wishLike":{"userId":"7","wishId":"w"}}"#
    ),
    (
      "tap --room r1 --event e1 --user 7 --x 20 --y 999", "im.gifts",
      #"{"eventId":"e1","roomId":"r1","tap":{"userId":"7","x":20,"y":999}}"#
    ),
    (
      "rainStart --room r1 --event e1 --rain a --duration 90s --per-second 5 --countdown 0 --budget 100 --win-every 2"
        + " --prizes 5,0,7", "im.gifts",
      #"{"eventId":"e1","roomId":"r1","rainStart":{"rainId":"a","durationMs":90000,"perSecond":5,"countdown":0,"#
        + #""budget":100,"winEvery":2,"prizes":[5,0,7]}}"#
    ),
    (
      "rainGrab --room r1 --event e1 --rain a --packet 9 --user 7", "im.gifts",
      #"{"eventId":"e1","roomId":"r1","rainGrab":{"rainId":"a","packet":9,"userId":"7"}}"#
    ),
  ])
  func flagsMakeTheEvent(words: String, topic: String, json: String) throws {
    let outcome = try send(words)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let place = try #require(outcome.output.wholeMatch(of: #/e1 ([a-z.]+)\/([0-2])\/0\n/#))
    #expect(place.1 == topic)
    let record = try #require(try read(topic, Int32(place.2)!))
    #expect(record.key == "r1")
    let event = record.value
    #expect(event.hasPrefix(json), "\(event)")
  }

  /// The example of each kind, which has every field, is made again by flags that are named for its fields.
  @Test(arguments: EventKind.allCases) func eachFieldOfEachKindHasAFlag(kind: EventKind) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Schemas/examples").appending(path: "event-\(kind.rawValue).json")
    let example = try String(contentsOf: file, encoding: .utf8).dropLast()
    let event = try #require(try JSONSerialization.jsonObject(with: Data(example.utf8)) as? [String: Any])
    let body = try #require(event[kind.rawValue] as? [String: Any])
    let words = ["send", kind.rawValue, "--room", "\(event["roomId"]!)", "--event", "\(event["eventId"]!)"]
    let outcome = try Program.run(words + Self.flags(body), environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let place = try #require(outcome.output.firstMatch(of: #/ ([a-z.]+)\/([0-2])\/0\n/#))
    #expect(try read(String(place.1), Int32(place.2)!)?.value == String(example))
  }

  private static func flags(_ body: [String: Any]) -> [String] {
    // An empty text is the same as none.
    body.filter { $0.value as? String != "" }.flatMap { name, value -> [String] in
      if name == "set" { return (value as! [String: Any]).flatMap { ["--\($0.key)", "\($0.value)"] } }
      if let message = value as? [String: Any] { return flags(message) }
      let words = name.replacing(#/(Id|Ms|Url)$/#, with: "").replacing(#/[A-Z]/#) { "-\($0.output.lowercased())" }
      if let points = value as? [[String: Int]] {
        return ["--\(words)", points.map { "\($0["x"]!):\($0["y"]!)" }.joined(separator: ",")]
      }
      if let list = value as? [Any] { return ["--\(words)", list.map { "\($0)" }.joined(separator: ",")] }
      return ["--\(words)", name.hasSuffix("Ms") ? "\(value)ms" : "\(value)"]
    }
  }

  /// They answer which room's partition it is.
  @Test func anEventGetsAnIdOfItsOwn() throws {
    let outcomes = try (0..<2).map { _ in try send("tap --room r1 --user 7 --format protobuf") }
    #expect(outcomes.allSatisfy { $0.status == 0 })
    let ids = Set(outcomes.map { $0.output.prefix { $0 != " " } })
    #expect(ids.count == 2 && ids.allSatisfy { $0.count == 36 })
    #expect(outcomes[1].output.hasSuffix("/1\n"))
  }

  @Test(arguments: [
    ("gift --room r1 --gift rose", "send gift: --user is missing; --help shows what is needed"),
    ("gift --user 7 --gift rose", "send gift: --room is missing; --help shows what is needed"),
    ("gift --room r1 --user 7 --gift rose --mute 3m", "send gift: there is no flag --mute; the nearest is --"),
    ("gift --room r1 --user 7 --gift rose --count many", "send gift: --count: 'many' will not do; give a whole number"),
    ("gift --room r1 --user 7 --gift rose --count 1000001", "send gift: gift.count"),
    ("gift --room r1 --user 7 --gift rose --streak s", "send gift: "),
    ("rainStart --room r1 --rain a --duration 90", "send rainStart: --duration: '90' will not do; give a span of time"),
    ("rainStart --room r1 --rain a --duration 1d", "send rainStart: rainStart.durationMs"),
    ("rainStart --room r1 --rain a --prizes 1,,2", "send rainStart: --prizes: '' will not do; give a whole number"),
    ("tap --room r1 --user 7 --format xml", "send tap: --format: 'xml' is not one; give json or protobuf"),
    ("tap r1", "send tap: --room is missing"), ("tap --room r1 --user 7 now", "send tap: 'now' is too much"),
    ("", "send is not all of a command; there is: send gift, send wish, "),
  ])
  func whatNoWorkerWouldUnderstandIsRefused(words: String, complaint: String) throws {
    let outcome = try send(words)
    #expect(outcome.status == 64 && outcome.output == "")
    #expect(outcome.errors.hasPrefix("flyscreen: \(complaint)"), "\(outcome.errors)")
    #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test func aBrokerThatIsAwayEndsIt() throws {
    let outcome = try Program.run(
      ["send", "tap", "--room", "r1", "--user", "7"], environment: ["KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1"])
    #expect(outcome.status == 69 && outcome.output == "")
    #expect(outcome.errors.contains("127.0.0.1:1"))
  }

  private func read(_ topic: String, _ partition: Int32) throws -> (key: String, value: String)? {
    var reader = try Reader(
      properties: try KafkaProperties(["bootstrap.servers": broker.bootstrapServers]), clientId: "test", log: { _ in })
    try reader.start(TopicPartition(topic, partition), at: .earliest)
    var found: (key: String, value: String)?
    var batch = RecordBatch()
    var events: [ConsumerEvent] = []
    var isAtEnd = false
    while !isAtEnd {
      reader.receive(into: &batch, events: &events, waitMs: 1000)
      batch.forEach { record in
        found = (String(decoding: record.key!, as: UTF8.self), String(decoding: record.value!, as: UTF8.self))
      }
      batch.removeAll()
      for case .endOfPartition in events { isAtEnd = true }
      events.removeAll()
    }
    return found
  }
}
