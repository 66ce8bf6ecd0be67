import Kafka
import Replay
import RoomModel

/// Topics in arrays, each of several partitions, whose beginnings may have been deleted.
final class ListedLogs: LogStore, LogConnection {
  struct Record {
    var timestampMs: Int64
    var key: [UInt8]?
    var value: [UInt8]
  }

  struct Log {
    /// The first record that is still there.
    var first = 0
    var records: [Record] = []
  }

  /// By topic, partition by partition.
  var topics: [String: [Log]]

  /// - Parameter partitionCounts: by topic.
  init(_ partitionCounts: [String: Int]) {
    topics = partitionCounts.mapValues { Array(repeating: Log(), count: $0) }
  }

  func append(_ record: Record, to topic: String, _ partition: Int = 0) {
    topics[topic]![partition].records.append(record)
  }

  func connect(streams: Int) -> any LogConnection { self }
  func newStream() -> any PartitionStream { ListedStream(self) }

  fileprivate func log(_ partition: TopicPartition) -> Log { topics[partition.topic]![Int(partition.partition)] }
}

private final class ListedStream: PartitionStream {
  private let logs: ListedLogs
  private var log = ListedLogs.Log()
  private var next = 0
  private var end = 0
  private var lent: [UnsafeMutableRawBufferPointer] = []
  let foreign: TopicPartition? = nil

  init(_ logs: ListedLogs) { self.logs = logs }

  deinit { takeBack() }

  func start(_ partition: TopicPartition, _ range: Range<Int64>, of group: String?) {
    stop()
    log = logs.log(partition)
    next = Int(max(Int64(log.first), range.lowerBound))
    end = Int(min(Int64(log.records.count), range.upperBound))
  }

  func stop() {
    takeBack()
    (next, end) = (0, 0)
  }

  func peek() -> StoredRecord? {
    guard next < end else { return nil }
    let record = log.records[next]
    return StoredRecord(
      offset: Int64(next), timestampMs: record.timestampMs, isStamped: true, key: record.key.map(lend),
      value: lend(record.value), headers: [])
  }

  func advance() {
    takeBack()
    next += 1
  }

  private func lend(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    copy.copyBytes(from: bytes)
    lent.append(copy)
    return UnsafeRawBufferPointer(copy)
  }

  private func takeBack() {
    for bytes in lent { bytes.deallocate() }
    lent = []
  }

  func partitionCount(of topic: String) throws(KafkaError) -> Int32 {
    guard let partitions = logs.topics[topic] else {
      throw KafkaError(name: "UNKNOWN_TOPIC_OR_PART", code: 3, message: "no such topic", kind: .unknownTopic)
    }
    return Int32(partitions.count)
  }

  func extent(of partition: TopicPartition) -> Range<Int64> {
    let log = logs.log(partition)
    return Int64(log.first)..<Int64(log.records.count)
  }

  func offset(of partition: TopicPartition, at timeMs: Int64) -> Int64? {
    let log = logs.log(partition)
    return log.records[log.first...].firstIndex { $0.timestampMs >= timeMs }.map(Int64.init)
  }
}
