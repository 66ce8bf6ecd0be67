package import Kafka

/// The holder of a log's topics; Kafka is one.
package protocol LogStore {
  /// - Parameter streams: the most streams that are read at once; the more, the less each reads ahead.
  func connect(streams: Int) throws(KafkaError) -> any LogConnection
}

/// All partitions of a replay are read over one.
package protocol LogConnection {
  func newStream() -> any PartitionStream
}

/// Reads one partition at a time, record by record, from one offset up to another.
package protocol PartitionStream: AnyObject {
  /// Begins to read this partition.
  ///
  /// - Parameter group: Records that say that another wrote them are passed over; nil: every group's are wanted.
  func start(_ partition: TopicPartition, _ range: Range<Int64>, of group: String?) throws(KafkaError)
  func stop()
  /// The next record, nil at the end; good until `advance`.
  func peek() throws(KafkaError) -> StoredRecord?
  func advance()
  /// Hands over the records from the next on, up to the first that is not taken: it is the next.
  func records(while isTaken: (StoredRecord) -> Bool) throws(KafkaError)
  /// The partition in which records of other groups were passed over.
  var foreign: TopicPartition? { get }

  func partitionCount(of topic: String) throws(KafkaError) -> Int32
  /// The offsets from the first record that is there to after the last that is committed.
  func extent(of partition: TopicPartition) throws(KafkaError) -> Range<Int64>
  /// The first offset whose record is of that time or later; nil: there is none yet.
  func offset(of partition: TopicPartition, at timeMs: Int64) throws(KafkaError) -> Int64?
}

extension PartitionStream {
  package func records(while isTaken: (StoredRecord) -> Bool) throws(KafkaError) {
    while let record = try peek(), isTaken(record) { advance() }
  }

  func start(_ partition: TopicPartition, _ range: Range<Int64>) throws(KafkaError) {
    try start(partition, range, of: nil)
  }

  /// The first that is there of a range; nil: none is.
  func first(of partition: TopicPartition, in range: Range<Int64>) throws(KafkaError) -> (
    offset: Int64, timestampMs: Int64
  )? {
    try start(partition, range)
    defer { stop() }
    return try peek().map { ($0.offset, $0.timestampMs) }
  }
}

/// A record as it lies in its partition: a view, of plain values alone, so that a copy costs nearly nothing.
package struct StoredRecord {
  package let offset: Int64
  /// -1: none.
  package let timestampMs: Int64
  /// Whether the broker set its time.
  package let isStamped: Bool
  package let key: UnsafeRawBufferPointer?
  package let value: UnsafeRawBufferPointer?
  /// It has the headers; nil: there are none.
  private let kafka: KafkaRecord?

  /// A record without headers.
  package init(
    offset: Int64, timestampMs: Int64, isStamped: Bool, key: UnsafeRawBufferPointer?, value: UnsafeRawBufferPointer?
  ) {
    (self.offset, self.timestampMs, self.isStamped) = (offset, timestampMs, isStamped)
    (self.key, self.value) = (key, value)
    kafka = nil
  }

  init(_ record: KafkaRecord) {
    (offset, timestampMs, isStamped) = (record.offset, record.timestampMs, record.timestampType == .logAppend)
    (key, value) = (record.key, record.value)
    kafka = record
  }

  /// Whether it stands for a batch that was not unpacked.
  var isPassed: Bool { kafka?.passedBatch != nil }

  var headers: [LogRecord.Header] { kafka.map { $0.hasHeaders ? $0.allHeaders : [] } ?? [] }

  var contentType: UnsafeRawBufferPointer? { kafka?.lastHeader("content-type") }

  /// The record as a line of a log has it.
  var logged: LogRecord {
    LogRecord(
      offset: offset, timestampMs: timestampMs, key: key, value: value.map { .bytes($0) } ?? .none, headers: headers)
  }
}
