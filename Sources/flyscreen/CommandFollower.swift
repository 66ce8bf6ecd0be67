import Kafka
import Platform
import RoomModel
import RoomScreen
import Settings
import Wire

/// Follows the commands topic, also as it grows: committed commands only, each partition in its order.
struct CommandFollower: ~Copyable {
  private var reader: Reader
  private let topic: String
  /// Only its partition is read; nil: all are.
  private let room: ID?
  private var partitions: Set<Int32>
  private var count: Int32
  private var lookAtMs: Int64 = 0
  private var batch = RecordBatch()
  private var events: [ConsumerEvent] = []
  private var decoder = CommandDecoder()
  /// It is printed once each time that the broker goes away.
  private var isAway = false

  /// The time in milliseconds between two looks whether the topic has grown, and the limit of one.
  private static let lookMs: Int64 = 2000
  private static let lookLimitMs: Int32 = 200

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
      try MetadataGrace.ask { () throws(KafkaError) in try reader.partitionCount(of: topic, timeoutMs: 10_000) })
    var partitions: Set<Int32> = []
    try Self.start(&reader, &partitions, topic, room, count, at: offset)
    self.init(reader, topic, room, count, partitions)
  }

  private init(
    _ reader: consuming Reader, _ topic: String, _ room: ID?, _ count: Int32, _ partitions: Set<Int32>
  ) {
    self.reader = reader
    (self.topic, self.room, self.count, self.partitions) = (topic, room, count, partitions)
  }

  /// Begins to read what it doesn't read yet.
  private static func start(
    _ reader: inout Reader, _ partitions: inout Set<Int32>, _ topic: String, _ room: ID?, _ count: Int32,
    at offset: StartOffset
  ) throws(KafkaError) {
    let ofRoom = room.map { $0.withBytes { Murmur2.partition(key: $0, partitions: count) } }
    for partition in ofRoom.map({ $0..<$0 + 1 }) ?? 0..<count where partitions.insert(partition).inserted {
      try reader.start(TopicPartition(topic, partition), at: offset)
    }
  }

  /// Reads partitions that are new from their beginning, or the one that the room has now: it was on no other than its own.
  private mutating func lookForGrowth() throws(KafkaError) {
    guard MonotonicClock.nowMs() >= lookAtMs else { return }
    if let now = try? reader.partitionCount(of: topic, timeoutMs: Self.lookLimitMs) { count = max(count, Int32(now)) }
    try Self.start(&reader, &partitions, topic, room, count, at: .earliest)
    lookAtMs = MonotonicClock.nowMs() + Self.lookMs
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
    try lookForGrowth()
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
