import Kafka
import RoomModel
import Wire

/// The commands topic over a span of time, each partition in its order.
final class PublishedCommands {
  /// A command as it was published.
  struct Published {
    let key: UnsafeRawBufferPointer?
    let value: UnsafeRawBufferPointer?
    let contentType: UnsafeRawBufferPointer?
    let timestampMs: Int64
    let partition: TopicPartition
    let offset: Int64

    /// `render.commands[2] offset 17`.
    var place: String { "\(partition) offset \(offset)" }
  }

  private var reader: Reader
  private var batch = RecordBatch()
  private var events: [ConsumerEvent] = []
  private var index = 0
  /// What is still to be read, by partition.
  private var ends: [TopicPartition: Int64] = [:]
  private let topic: String
  private var waitedMs: Int32 = 0

  private static let waitMs: Int32 = 200
  private static let patienceMs: Int32 = 60_000

  /// - Parameters:
  ///   - fromMs: nothing that was published before is wanted; nil: all is.
  ///   - room: its partition alone.
  init(_ topic: String, fromMs: Int64?, room: String?, _ properties: KafkaProperties) throws {
    self.topic = topic
    reader = try Reader(properties: properties, clientId: "flyscreen-compare", log: { _ in })
    let stream = PartitionStream(try LogConnection(properties))
    let count = try stream.partitionCount(of: topic)
    let only = room.map { room in room.withText { Murmur2.partition(key: $0.bytes, partitions: count) } }
    for number in 0..<count where only == nil || only == number {
      let partition = TopicPartition(topic, number)
      let extent = try stream.extent(of: partition)
      guard !extent.isEmpty else { continue }
      var first = extent.lowerBound
      if let fromMs { first = try stream.offset(of: partition, at: fromMs) ?? extent.upperBound }
      first = min(max(first, extent.lowerBound), extent.upperBound)
      if first == extent.lowerBound, first > 0 {
        try stream.start(partition, extent)
        let begins = try stream.peek()?.timestampMs ?? .max
        if begins > (fromMs ?? .min) + PublishedCommands.slackMs {
          throw BrokenLog(
            "\(partition) begins at offset \(first), later than the range: what was published before is gone")
        }
      }
      guard first < extent.upperBound else { continue }
      ends[partition] = extent.upperBound
      try reader.start(partition, at: .at(first))
    }
  }

  /// How far the clocks of brokers and workers may be apart.
  static let slackMs: Int64 = 60_000

  /// The next one, nil when there are no more; good until the next call.
  func next() throws -> Published? {
    while true {
      while index < batch.count {
        let record = batch[index]
        index += 1
        let partition = TopicPartition(topic, record.source.partition)
        guard let end = ends[partition], record.offset < end else { continue }
        if record.offset == end - 1 { done(partition) }
        return Published(
          key: record.key, value: record.value, contentType: record.lastHeader("content-type"),
          timestampMs: record.timestampMs, partition: partition, offset: record.offset)
      }
      guard !ends.isEmpty else { return nil }
      batch.removeAll()
      index = 0
      reader.receive(into: &batch, events: &events, waitMs: Self.waitMs)
      try answer()
    }
  }

  private func done(_ partition: TopicPartition) {
    // Not stopped: that would take what of other partitions lies behind it in the batch.
    ends[partition] = nil
  }

  private func answer() throws {
    defer { events.removeAll() }
    waitedMs = batch.isEmpty ? waitedMs + Self.waitMs : 0
    for event in events {
      switch event {
      case .endOfPartition(let place, let offset):
        if let end = ends[place], offset >= end, batch.isEmpty { done(place) }
        if let end = ends[place], offset >= end { pending.insert(place) }
      case .failed(let error, _) where error.kind != .unreachable || waitedMs > Self.patienceMs: throw error
      case .failed, .assigned, .revoked: break
      }
    }
    if batch.isEmpty {
      for place in pending { done(place) }
      if waitedMs > Self.patienceMs { throw BrokenLog("nothing came of \(topic) for a minute") }
    }
  }

  /// Their ends were told together with records.
  private var pending: Set<TopicPartition> = []
}
