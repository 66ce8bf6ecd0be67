import Kafka
import RoomModel
import RoomScreen
import Wire

/// Commands and results published over a span of time, each partition in its order.
final class PublishedOutput {
  struct Record {
    let kind: Recipient.Kind
    let key: UnsafeRawBufferPointer?
    let value: UnsafeRawBufferPointer?
    let contentType: UnsafeRawBufferPointer?
    let timestampMs: Int64
    let partition: TopicPartition
    /// The number of its partition among all that are read.
    let part: Int
    let offset: Int64

    /// `render.commands[2] offset 17`.
    var place: String { "\(partition) offset \(offset)" }
  }

  /// The partitions that are read, each with its kind.
  private var parts: [(kind: Recipient.Kind, partition: TopicPartition, stream: any PartitionStream)] = []
  /// The times of the next record of each partition; nil at its end; before the first record none.
  private var times: [Int64?] = []
  private var current = 0
  private var topics: [Recipient.Kind: (name: String, partitionCount: Int32)] = [:]
  /// A partition that has lost records which may have been wanted.
  struct Cut {
    let partition: TopicPartition
    /// The offset where the rest begins.
    let offset: Int64
    /// Nothing of a later log time is gone.
    let untilMs: Int64
  }

  private var cuts: [Recipient.Kind: [Cut]] = [:]
  /// The kinds of whose topics something lies before what is read.
  private var begunBefore: Set<Recipient.Kind> = []

  /// The most that clocks of brokers and workers may differ.
  static let slackMs: Int64 = 60_000

  /// - Parameters:
  ///   - topics: a topic of results that isn't there is left out.
  ///   - fromMs: nothing that was published before is wanted; nil: all is.
  init(_ topics: [(kind: Recipient.Kind, name: String)], fromMs: Int64?, _ logs: any LogStore) throws {
    let stream = try logs.connect(streams: 1).newStream()
    var ranges: [(kind: Recipient.Kind, partition: TopicPartition, offsets: Range<Int64>)] = []
    for (kind, name) in topics {
      let count: Int32
      do throws(KafkaError) { count = try stream.partitionCount(of: name) } catch {
        guard kind == .result, error.kind == .unknownTopic else { throw error }
        continue
      }
      self.topics[kind] = (name, count)
      // All of them also for one room, which had another partition before the topic grew.
      for number in 0..<count {
        let partition = TopicPartition(name, number)
        let offsets = try offsets(of: partition, kind, fromMs, stream)
        if !offsets.isEmpty { ranges.append((kind, partition, offsets)) }
      }
    }
    let connection = try logs.connect(streams: ranges.count)
    for (kind, partition, offsets) in ranges {
      let stream = connection.newStream()
      try stream.start(partition, offsets)
      parts.append((kind, partition, stream))
    }
  }

  private func offsets(
    of partition: TopicPartition, _ kind: Recipient.Kind, _ fromMs: Int64?, _ stream: any PartitionStream
  ) throws -> Range<Int64> {
    let extent = try stream.extent(of: partition)
    var first = extent.lowerBound
    if let fromMs { first = try stream.offset(of: partition, at: fromMs) ?? extent.upperBound }
    first = min(max(first, extent.lowerBound), extent.upperBound)
    if first > extent.lowerBound {
      begunBefore.insert(kind)
    } else if first > 0 {
      begunBefore.insert(kind)
      let untilMs = try stream.first(of: partition, in: extent).map { $0.timestampMs + Self.slackMs } ?? .max
      cuts[kind, default: []].append(Cut(partition: partition, offset: first, untilMs: untilMs))
    }
    return first..<extent.upperBound
  }

  func hasTopic(for kind: Recipient.Kind) -> Bool { topics[kind] != nil }

  /// The partition of a recipient's output; nil: there is no such topic.
  func partition(of recipient: Recipient) -> TopicPartition? {
    topics[recipient.kind].map { topic in
      TopicPartition(
        topic.name, recipient.key.withBytes { Murmur2.partition(key: $0, partitions: topic.partitionCount) })
    }
  }

  /// The number of a partition among all that are read; nil: it is not read.
  func part(of partition: TopicPartition) -> Int? { parts.firstIndex { $0.partition == partition } }

  /// The partitions that have lost what may have been wanted.
  func cuts(_ kind: Recipient.Kind) -> [Cut] { cuts[kind] ?? [] }

  /// The topic of a kind if nothing of it was published before what is read; nil: something was, or may have been.
  func wholeTopic(of kind: Recipient.Kind) -> String? { begunBefore.contains(kind) ? nil : topics[kind]?.name }

  /// The next one, nil when there are no more; good until the next call. Of all partitions the earliest: what was
  /// published together comes together, so nobody has to wait with much in hand for what lies in a longer one.
  func next() throws -> Record? {
    if times.isEmpty {
      times = try parts.map { try Self.time(of: $0.stream) }
    } else {
      parts[current].stream.advance()
      times[current] = try Self.time(of: parts[current].stream)
    }
    var least: Int64?
    for (index, time) in times.enumerated() {
      guard let time, time < least ?? .max else { continue }
      least = time
      current = index
    }
    guard least != nil, let record = try parts[current].stream.peek() else { return nil }
    return Record(
      kind: parts[current].kind, key: record.key, value: record.value, contentType: record.contentType,
      timestampMs: record.timestampMs, partition: parts[current].partition, part: current, offset: record.offset)
  }

  /// The time of the next record. A batch that was not unpacked is none of a worker's.
  private static func time(of stream: any PartitionStream) throws -> Int64? {
    while try stream.peek()?.isPassed == true { stream.advance() }
    return try stream.peek()?.timestampMs
  }
}
