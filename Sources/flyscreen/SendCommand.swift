import Foundation
import JSON
import Kafka
import RoomModel
import RoomScreen
import Settings
import Wire

extension Subcommand {
  /// `send gift`, `send retract` and the others.
  static let sends = SentKind.all.map { kind in
    Subcommand(
      name: "send \(kind.kind.rawValue)",
      summary: kind.summary,
      note:
        "It prints the event's id and each record that it is: ID TOPIC/PARTITION/OFFSET. What may have failed is sent\n"
        + "again with --event ID: an event that comes twice within dedupe.windowMs (a minute) counts once.",
      options: [CommandOption("room", "ROOM", "the room")] + kind.fields.map(\.option)
        + (kind.hasSettings ? [CommandOption("none", nil, "removes the room's own settings")] : []) + [
          CommandOption("event", "EVENT-ID", "the event's id [a new one]"),
          CommandOption("format", "F", "json or protobuf [json]"),
        ],
      needs: ["room"] + kind.fields.filter(\.isNeeded).map(\.option.name),
      settings: (kind.hasSettings ? Configuration.roomNames : []) + ["topics", "kafka"]
    ) { invocation in
      try SendTask(kind, invocation).run()
      return .done
    }
  }
}

/// Makes one event, and waits until the broker has it.
private struct SendTask {
  private let kind: SentKind
  private let configuration: Configuration
  private let room: ID
  private let eventId: ID
  private let format: Format
  private let json: EventJSON

  init(_ kind: SentKind, _ invocation: Invocation) throws {
    self.kind = kind
    let arguments = invocation.arguments
    configuration = invocation.configuration
    room = ID(try arguments.required("room"))
    eventId = ID(arguments["event"] ?? UUID().uuidString.lowercased())
    switch arguments["format"] ?? "json" {
    case "json": format = .json
    case "protobuf": format = .protobuf
    case let other: throw SettingsError("--format: '\(other)' is not one; give json or protobuf")
    }
    var body = EventJSON.object([])
    for field in kind.fields {
      if let value = try field.json(arguments) { body.set(field.path, to: value) }
    }
    if kind.hasSettings { try body.set(["set"], to: Self.settings(invocation)) }
    json = .object([("eventId", .text(eventId.string)), ("roomId", .text(room.string)), (kind.kind.rawValue, body)])
  }

  private static func settings(_ invocation: Invocation) throws(SettingsError) -> EventJSON {
    let flags = invocation.arguments.settings.filter { flag in LogSettings.table.contains { $0.name == flag.name } }
    if invocation.arguments.has("none") {
      if let flag = flags.first { throw SettingsError("--none and --\(flag.name) are both there; choose one") }
    } else if flags.isEmpty {
      throw SettingsError("no setting is given: --gift.lanes 3, say; or --none, which ends those that the room has")
    }
    return .object(flags.map { ($0.name, .text($0.value)) })
  }

  func run() throws {
    _ = try configuration.bootstrapServers()
    let value = try encoded()
    // A user who sends by hand wants to know soon that nothing arrives.
    let properties = try KafkaProperties(["message.timeout.ms": "10000"].merging(configuration.kafka) { $1 })
    let producer = try Producer(properties: properties, clientId: "flyscreen-send", log: { _ in })
    let topics = try configuration.topics.produced(kind.kind).map { name in
      try MetadataGrace.ask { () throws(KafkaError) in try producer.topic(name, timeoutMs: 10_000) }
    }
    for topic in topics { try send(value, to: topic, producer) }
  }

  private func send(_ value: [UInt8], to topic: OutputTopic, _ producer: Producer) throws {
    let headers = format == .json ? [] : [OutputHeader("content-type", format.contentType.description)]
    let partition = try Array(room.string.utf8).withUnsafeBytes { key in
      let partition = Murmur2.partition(key: key, partitions: Int32(topic.partitionCount))
      try value.withUnsafeBytes { try topic.produce(partition, key: key, value: $0, headers: headers) }
      return partition
    }
    do { try producer.flush(timeoutMs: 15_000) } catch {
      Flyscreen.printError("send \(kind.kind.rawValue): \(topic.name) may lack it; again with --event \(eventId)")
      throw error
    }
    print("\(eventId) \(topic.name)/\(partition)/\(topic.delivered(partition) ?? -1)")
  }

  /// The event's JSON. It is refused here if a worker would not understand it.
  private func encoded() throws -> [UInt8] {
    var bytes = ByteBuffer()
    json.write(into: &bytes)
    var decoder = EventDecoder()
    var output = ByteBuffer()
    do {
      let event = try Array(room.string.utf8).withUnsafeBytes {
        try decoder.decode(key: $0, value: bytes.bytes, contentType: nil, keyRule: .roomId)
      }
      EventEncoder(format: format).encode(event, into: &output)
    } catch let error as NotUnderstood {
      throw SettingsError(error.description)
    }
    return Array(output.bytes)
  }
}
