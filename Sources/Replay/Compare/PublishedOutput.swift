import Kafka
import RoomModel
import Wire

/// What was published over a span of time: commands and results, each partition in its order.
final class PublishedOutput {
  struct Record {
    let kind: Recipient.Kind
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
  /// Their ends were told together with records.
  private var pending: Set<TopicPartition> = []
  private var topics: [Recipient.Kind: (name: String, partitionCount: Int32)] = [:]
  /// Partitions of which something was deleted that may have been wanted, and where what is left begins.
  private var cut: [TopicPartition: Int64] = [:]
  private var waitedMs: Int32 = 0

  private static let waitMs: Int32 = 200
  private static let patienceMs: Int32 = 60_000
  /// How far the clocks of brokers and workers may be apart.
  static let slackMs: Int64 = 60_000

  /// - Parameters:
  ///   - topics: a topic of results that isn't there is left out.
  ///   - fromMs: nothing that was published before is wanted; nil: all is.
  ///   - room: of the commands, its partition alone.
  init(
    _ topics: [(kind: Recipient.Kind, name: String)], fromMs: Int64?, room: String?, _ properties: KafkaProperties
  ) throws {
    reader = try Reader(properties: properties, clientId: "flyscreen-compare", staysAtEnd: false, log: { _ in })
    let stream = PartitionStream(try LogConnection(properties))
    for (kind, name) in topics {
      let count: Int32
      do throws(KafkaError) { count = try stream.partitionCount(of: name) } catch {
        guard kind == .result, error.kind == .unknownTopic else { throw error }
        continue
      }
      self.topics[kind] = (name, count)
      let only = kind == .command ? room.flatMap { partition(of: Recipient(kind: kind, key: $0)) } : nil
      for number in 0..<count where only == nil || only!.partition == number {
        try begin(TopicPartition(name, number), fromMs, stream)
      }
    }
  }

  private func begin(_ partition: TopicPartition, _ fromMs: Int64?, _ stream: PartitionStream) throws {
    let extent = try stream.extent(of: partition)
    var first = extent.lowerBound
    if let fromMs { first = try stream.offset(of: partition, at: fromMs) ?? extent.upperBound }
    first = min(max(first, extent.lowerBound), extent.upperBound)
    if first == extent.lowerBound, first > 0 { cut[partition] = first }
    guard first < extent.upperBound else { return }
    ends[partition] = extent.upperBound
    try reader.start(partition, at: .at(first))
  }

  func hasTopic(for kind: Recipient.Kind) -> Bool { topics[kind] != nil }

  /// Where what is theirs is published; nil: there is no such topic.
  func partition(of recipient: Recipient) -> TopicPartition? {
    topics[recipient.kind].map { topic in
      TopicPartition(
        topic.name, recipient.key.withText { Murmur2.partition(key: $0.bytes, partitions: topic.partitionCount) })
    }
  }

  /// Where what is left of a partition begins; nil: all that can be wanted of it is there.
  func cut(of partition: TopicPartition) -> Int64? { cut[partition] }

  /// The next one, nil when there are no more; good until the next call.
  func next() throws -> Record? {
    while true {
      while index < batch.count {
        let record = batch[index]
        index += 1
        let partition = TopicPartition(reader.topicName(record.source.topicOrdinal), record.source.partition)
        guard let end = ends[partition], record.offset < end else { continue }
        if record.offset == end - 1 { finish(partition) }
        return Record(
          kind: partition.topic == topics[.command]?.name ? .command : .result, key: record.key, value: record.value,
          contentType: record.lastHeader("content-type"), timestampMs: record.timestampMs, partition: partition,
          offset: record.offset)
      }
      guard !ends.isEmpty else { return nil }
      batch.removeAll()
      index = 0
      reader.receive(into: &batch, events: &events, waitMs: Self.waitMs)
      try handleEvents()
    }
  }

  private func finish(_ partition: TopicPartition) {
    // Not stopped: that would take what of other partitions lies behind it in the batch.
    ends[partition] = nil
  }

  private func handleEvents() throws {
    defer { events.removeAll() }
    waitedMs = batch.isEmpty ? waitedMs + Self.waitMs : 0
    for event in events {
      switch event {
      case .endOfPartition(let place, let offset):
        if let end = ends[place], offset >= end { pending.insert(place) }
      case .failed(let error, _) where error.kind != .unreachable || waitedMs > Self.patienceMs: throw error
      case .failed, .assigned, .revoked: break
      }
    }
    if batch.isEmpty {
      for place in pending { finish(place) }
      if waitedMs > Self.patienceMs {
        throw BrokenLog("nothing came of \(ends.keys.min().map(\.description) ?? "what was published") for a minute")
      }
    }
  }
}
