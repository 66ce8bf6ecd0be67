import Foundation
import Kafka
import Testing

/// `simulate` and `tail` on a broker that is embedded here.
struct SimulateAndTailTests {
  private let broker: EmbeddedBroker

  init() throws {
    broker = try EmbeddedBroker()
    for topic in ["im.gifts", "im.wishes", "render.commands"] { try broker.createTopic(topic, partitions: 3) }
  }

  private var environment: [String: String] { ["KAFKA_BOOTSTRAP_SERVERS": broker.bootstrapServers] }

  @Test func simulateSendsEachKindToItsTopicKeyedByItsRoomInBothFormats() throws {
    let outcome = try Program.run(
      ["simulate", "--rooms", "3", "--rate", "5000", "--count", "3000", "--format", "mixed"],
      environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("sent 3000 events in 3 rooms in "))

    var formats: Set<String> = []
    var kinds: [String: Set<String>] = [:]
    let records = try read(["im.gifts", "im.wishes"])
    for record in records {
      formats.insert(record.contentType ?? "none")
      guard record.contentType == nil,
        let event = try JSONSerialization.jsonObject(with: record.value) as? [String: Any]
      else { continue }
      #expect(event["roomId"] as? String == record.key)
      kinds[record.topic, default: []].formUnion(event.keys.filter { $0 != "eventId" && $0 != "roomId" })
    }
    #expect(records.count == 3000)
    #expect(formats == ["none", "application/x-protobuf"])
    #expect(kinds == ["im.gifts": ["gift", "tap", "taps"], "im.wishes": ["wish", "wishLike"]])
  }

  @Test(arguments: ["simulate", "tail"]) func aBrokerThatIsAwayEndsIt(command: String) throws {
    let outcome = try Program.run([command], environment: ["KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1"])
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("127.0.0.1:1"))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test(.timeLimit(.minutes(15)), arguments: [true, false]) func tailShowsOneRoomsCommandsUntilItIsInterrupted(
    asJSON: Bool
  ) throws {
    func hide(_ room: String, _ count: Int) -> String {
      #"{"roomId":"\#(room)","id":"im.gifts/0/\#(count)/0","atMs":1700000000550,"giftHide":{"comboId":"im.gifts/0/1","#
        + #""lane":1,"count":\#(count),"exitMs":250}}"#
    }
    let servers = try KafkaProperties(["bootstrap.servers": broker.bootstrapServers])
    let producer = try Producer(properties: servers, clientId: "test", log: { _ in })
    let topic = try producer.topic("render.commands", timeoutMs: 60_000)
    // Two rooms of one partition: `a` is what is asked for, and `no command` what nobody understands.
    let (a, b) = ("room-1", "room-3")
    for value in [hide(b, 1), hide(a, 2), "no command", hide(a, 3)] {
      for partition in 0..<3 {
        try Array(value.utf8).withUnsafeBytes { try topic.produce(Int32(partition), key: nil, value: $0) }
      }
    }
    try producer.flush(timeoutMs: 60_000)

    let process = Process()
    process.executableURL = Program.path(of: "flyscreen")
    process.arguments = ["tail", "--from", "beginning", "--room", a] + (asJSON ? ["--json"] : [])
    process.environment = environment
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    var bytes = Data()
    let wanted =
      asJSON
      ? "\(hide(a, 2))\n\(hide(a, 3))\n"
      : "22:13:20.550  room-1      lane 1   leaves with ×2\n22:13:20.550  room-1      lane 1   leaves with ×3\n"
    while bytes.count < wanted.utf8.count {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      bytes += more
    }
    process.interrupt()
    let complaints = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(String(decoding: bytes, as: UTF8.self) == wanted)
    #expect(complaints.hasPrefix("flyscreen: tail: render.commands["))
    #expect(complaints.split(separator: "\n").count == 1)
    #expect(process.terminationStatus == 0 && process.terminationReason == .exit)
  }

  private struct Record {
    var topic: String
    var key: String
    var value: Data
    var contentType: String?
  }

  /// All that is in these topics.
  private func read(_ topics: [String]) throws -> [Record] {
    var reader = try Reader(
      properties: try KafkaProperties(["bootstrap.servers": broker.bootstrapServers]), clientId: "test", log: { _ in })
    var open = Set(topics.flatMap { topic in (0..<3).map { TopicPartition(topic, Int32($0)) } })
    for partition in open { try reader.start(partition, at: .earliest) }
    var records: [Record] = []
    var batch = RecordBatch()
    var events: [ConsumerEvent] = []
    while !open.isEmpty {
      reader.receive(into: &batch, events: &events, waitMs: 1000)
      batch.forEach { record in
        records.append(
          Record(
            topic: reader.topicName(record.source.topicOrdinal),
            key: record.key.map { String(decoding: $0, as: UTF8.self) } ?? "", value: Data(record.value!),
            contentType: record.lastHeader("content-type").map { String(decoding: $0, as: UTF8.self) }))
      }
      batch.removeAll()
      for case .endOfPartition(let partition, _) in events { open.remove(partition) }
      events.removeAll()
    }
    return records
  }
}
