package import Kafka
import Settings

extension KafkaProperties: LogStore {
  package func connect(streams: Int) throws(KafkaError) -> any LogConnection {
    try KafkaConnection(self, streams: streams)
  }
}

/// One client for all: a client has threads, and connections to all brokers.
private final class KafkaConnection: LogConnection {
  private let reader: Reader

  init(_ properties: KafkaProperties, streams: Int) throws(KafkaError) {
    reader = try Reader(
      properties: properties, clientId: "flyscreen-replay", partitions: streams, staysAtEnd: false, log: { _ in })
  }

  func newStream() -> any PartitionStream { KafkaStream(Reader(beside: reader)) }
}

private final class KafkaStream: PartitionStream {
  private var reader: Reader
  @exclusivity(unchecked) private var batch = RecordBatch()
  private var events: [ConsumerEvent] = []
  private var partition: TopicPartition?
  private var knownTopics: Set<String> = []
  @exclusivity(unchecked) private var range: Range<Int64> = 0..<0
  /// The group whose records are wanted; nil: every group's.
  @exclusivity(unchecked) private var group: String?
  private(set) var foreign: TopicPartition?
  /// The next record's index in the batch.
  @exclusivity(unchecked) private var index = 0
  private var isAtEnd = true

  private static let callMs: Int32 = 10_000
  /// A broker that says nothing for this long counts as away.
  private static let patienceMs: Int32 = 30_000
  private static let waitMs: Int32 = 200

  init(_ reader: consuming Reader) {
    self.reader = reader
  }

  func start(_ partition: TopicPartition, _ range: Range<Int64>, of group: String?) throws(KafkaError) {
    stop()
    self.range = range
    self.group = group
    guard !range.isEmpty else { return }
    // Asks for the topic now: librdkafka looks for an unknown one half a second later.
    if !knownTopics.contains(partition.topic) { _ = try partitionCount(of: partition.topic) }
    try reader.start(partition, at: .at(range.lowerBound))
    self.partition = partition
    isAtEnd = false
  }

  func stop() {
    stopFetching()
    batch.removeAll()
    events.removeAll()
    index = 0
  }

  /// Keeps the records that were received.
  private func stopFetching() {
    if let partition { reader.stop(partition) }
    partition = nil
    isAtEnd = true
  }

  func peek() throws(KafkaError) -> StoredRecord? { try next().map { StoredRecord($0) } }

  func records(while isTaken: (StoredRecord) -> Bool) throws(KafkaError) {
    while let record = try next(), isTaken(StoredRecord(record)) { index += 1 }
  }

  /// Inlined, since each record of a log passes here.
  @inline(__always) private func next() throws(KafkaError) -> KafkaRecord? {
    repeat {
      while index < batch.count {
        let record = batch[index]
        if record.offset >= range.upperBound {
          stopFetching()
          return nil
        }
        if record.offset >= range.lowerBound, !record.isBlank, !isForeign(record) { return record }
        index += 1
      }
    } while try receive()
    return nil
  }

  /// Waits for more records. False: there are none.
  private func receive() throws(KafkaError) -> Bool {
    var waitedMs: Int32 = 0
    while !isAtEnd {
      batch.removeAll()
      index = 0
      reader.receive(into: &batch, events: &events, waitMs: Self.waitMs)
      try handleEvents(&waitedMs)
      if !batch.isEmpty { return true }
    }
    return false
  }

  func advance() { index += 1 }

  private func isForeign(_ record: KafkaRecord) -> Bool {
    guard let group else { return false }
    // Nobody's own batch is so large unpacked.
    if record.passedBatch != nil { return true }
    guard record.hasHeader(HelperTopics.groupHeader, otherThan: group) else { return false }
    foreign = foreign ?? partition
    return true
  }

  private func handleEvents(_ waitedMs: inout Int32) throws(KafkaError) {
    defer { events.removeAll() }
    if batch.isEmpty { waitedMs += Self.waitMs }
    for event in events {
      switch event {
      case .endOfPartition(let place, let offset) where place == partition && offset >= range.upperBound:
        stopFetching()
      case .failed(let error, _) where error.kind != .unreachable || waitedMs > Self.patienceMs: throw error
      case .endOfPartition, .failed, .assigned, .revoked: break
      }
    }
    if waitedMs > 2 * Self.patienceMs, let partition {
      throw KafkaError(
        name: "_TIMED_OUT", code: -185, message: "nothing came of \(partition) for a minute", kind: .unreachable)
    }
  }

  // MARK: Questions to the broker

  func partitionCount(of topic: String) throws(KafkaError) -> Int32 {
    let count = try MetadataGrace.ask { () throws(KafkaError) in
      try reader.partitionCount(of: topic, timeoutMs: Self.callMs)
    }
    knownTopics.insert(topic)
    return Int32(count)
  }

  func extent(of partition: TopicPartition) throws(KafkaError) -> Range<Int64> {
    let (low, high) = try MetadataGrace.ask { () throws(KafkaError) in
      try reader.queryWatermarks(of: partition, timeoutMs: Self.callMs)
    }
    return low..<max(low, high)
  }

  func offset(of partition: TopicPartition, at timeMs: Int64) throws(KafkaError) -> Int64? {
    try MetadataGrace.ask { () throws(KafkaError) in
      try reader.offsets(of: [partition], at: timeMs, timeoutMs: Self.callMs)[partition] ?? nil
    }
  }
}
