import Kafka
import Replay

/// Topics of a log as arrays. As Kafka does, it may delete the beginning of any partition.
final class ArrayLogs: LogStore {
  struct Entry {
    var timestampMs: Int64
    var key: [UInt8]?
    var value: [UInt8]?
    /// A transaction's end, which no reader gets.
    var isMarker = false
  }

  struct Log {
    /// The first entry that is still there.
    var first: Int64 = 0
    var entries: [Entry] = []

    /// The offsets of what is there.
    var extent: Range<Int64> { first..<Int64(entries.count) }
  }

  /// The logs of each topic, by partition.
  var topics: [String: [Log]] = [:]

  /// Empty; in place of what was there under that name.
  func make(_ topic: String, partitions: Int = 1) {
    topics[topic] = Array(repeating: Log(), count: partitions)
  }

  /// - Returns: Its offset.
  @discardableResult func append(_ entry: Entry, to topic: String, _ partition: Int = 0) -> Int64 {
    topics[topic]![partition].entries.append(entry)
    return Int64(topics[topic]![partition].entries.count) - 1
  }

  func end(of topic: String) -> Int64 { topics[topic]![0].extent.upperBound }
  func first(of topic: String) -> Int64 { topics[topic]![0].first }

  /// The logs without the records before these offsets, in topics with one partition.
  func cut(_ firsts: [String: Int64]) -> ArrayLogs {
    let cut = ArrayLogs()
    cut.topics = topics
    for (topic, first) in firsts { cut.topics[topic]![0].first = first }
    return cut
  }

  func connect(streams: Int) -> any LogConnection { Connection(logs: self) }

  fileprivate func log(_ partition: TopicPartition) -> Log { topics[partition.topic]![Int(partition.partition)] }

  private struct Connection: LogConnection {
    let logs: ArrayLogs
    func newStream() -> any PartitionStream { ArrayStream(logs) }
  }
}

private final class ArrayStream: PartitionStream {
  private let logs: ArrayLogs
  private var log = ArrayLogs.Log()
  private var range: Range<Int64> = 0..<0
  private var copies: [UnsafeMutableRawBufferPointer] = []
  private var record: StoredRecord?
  var foreign: TopicPartition? { nil }

  init(_ logs: ArrayLogs) { self.logs = logs }

  deinit { free() }

  func start(_ partition: TopicPartition, _ range: Range<Int64>, of group: String?) {
    stop()
    log = logs.log(partition)
    self.range = range.clamped(to: log.extent)
  }

  func stop() {
    free()
    range = 0..<0
  }

  func peek() -> StoredRecord? {
    if let record { return record }
    while let offset = range.first {
      let entry = log.entries[Int(offset)]
      if entry.isMarker {
        range = offset + 1..<range.upperBound
        continue
      }
      record = StoredRecord(
        offset: offset, timestampMs: entry.timestampMs, isStamped: true, key: copy(entry.key), value: copy(entry.value))
      return record
    }
    return nil
  }

  func advance() {
    guard let record else { return }
    range = record.offset + 1..<range.upperBound
    free()
  }

  private func copy(_ bytes: [UInt8]?) -> UnsafeRawBufferPointer? {
    guard let bytes else { return nil }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    copy.copyBytes(from: bytes)
    copies.append(copy)
    return UnsafeRawBufferPointer(copy)
  }

  /// Overwrites the copies before it frees them, so that a late reader sees other bytes.
  private func free() {
    record = nil
    for copy in copies {
      copy.initializeMemory(as: UInt8.self, repeating: 0xFF)
      copy.deallocate()
    }
    copies = []
  }

  func partitionCount(of topic: String) throws(KafkaError) -> Int32 {
    guard let partitions = logs.topics[topic] else {
      throw KafkaError(name: "_UNKNOWN_TOPIC", code: -188, message: "there is no topic \(topic)", kind: .unknownTopic)
    }
    return Int32(partitions.count)
  }

  func extent(of partition: TopicPartition) -> Range<Int64> { logs.log(partition).extent }

  func offset(of partition: TopicPartition, at timeMs: Int64) -> Int64? {
    let log = logs.log(partition)
    return log.extent.first { offset in
      let entry = log.entries[Int(offset)]
      return !entry.isMarker && entry.timestampMs >= timeMs
    }
  }
}
