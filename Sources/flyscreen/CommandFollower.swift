import Kafka
import RoomModel
import RoomScreen
import Settings
import Wire

/// Follows the commands topic: committed commands only, each partition in its order.
struct CommandFollower: ~Copyable {
  private var reader: Reader
  private var batch = RecordBatch()
  private var events: [ConsumerEvent] = []
  private var decoder = CommandDecoder()
  /// It is printed once each time that the broker goes away.
  private var isAway = false

  /// The content of a record of the topic.
  enum Reading {
    case command(DecodedCommand, value: UnsafeRawBufferPointer, Format)
    case notUnderstood(String)
  }

  /// - Parameter room: only its partition is read. Nil: all.
  init(
    configuration: Configuration, clientId: String, room: ID?, from offset: StartOffset
  ) throws(KafkaError) {
    var reader = try Reader(properties: try KafkaProperties(configuration.kafka), clientId: clientId, log: { _ in })
    let topic = configuration.topics.commands
    let count = Int32(
      try Hearsay.ask { () throws(KafkaError) in try reader.partitionCount(of: topic, timeoutMs: 10_000) })
    for partition in 0..<count {
      if let room, partition != Self.partition(of: room, partitions: count) { continue }
      try reader.start(TopicPartition(topic, partition), at: offset)
    }
    self.init(reader)
  }

  private init(_ reader: consuming Reader) { self.reader = reader }

  private static func partition(of room: ID, partitions: Int32) -> Int32 {
    room.withBytes { Murmur2.partition(key: $0, partitions: partitions) }
  }

  /// Waits up to `waitMs` for commands and hands each to `body`, with the record's value as it came; nothing
  /// of it may be kept. Commands of kinds that aren't known here are left out.
  mutating func read(waitMs: Int32, _ body: (Reading) -> Void) throws(KafkaError) {
    reader.receive(into: &batch, events: &events, waitMs: waitMs)
    for index in 0..<batch.count {
      isAway = false
      let record = batch[index]
      let contentType = record.lastHeader("content-type")
      do throws(NotUnderstood) {
        if let value = record.value, let command = try decoder.decode(value: value, contentType: contentType) {
          body(.command(command, value: value, contentType.flatMap { Format(contentType: $0) } ?? .json))
        }
      } catch {
        let partition = TopicPartition(reader.topicName(record.source.topicOrdinal), record.source.partition)
        body(.notUnderstood("\(partition) offset \(record.offset): \(error.description)"))
      }
    }
    batch.removeAll()
    try handleEvents()
  }

  private mutating func handleEvents() throws(KafkaError) {
    defer { events.removeAll() }
    for case .failed(let error, _) in events {
      guard error.kind == .unreachable else { throw error }
      if !isAway { Flyscreen.printError("waiting for the broker: \(error.message)") }
      isAway = true
    }
  }
}
