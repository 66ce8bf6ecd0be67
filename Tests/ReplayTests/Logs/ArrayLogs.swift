import Kafka
import Replay

/// The topics of a log as arrays, each of one partition. As Kafka does, it may delete the beginning of any.
final class ArrayLogs: LogStore, @unchecked Sendable {
  struct Entry {
    var timestampMs: Int64
    var key: [UInt8]?
    var value: [UInt8]?
    /// A transaction's end, which no reader gets.
    var isMarker = false
  }

  private(set) var topics: [String: [Entry]] = [:]
  private(set) var firsts: [String: Int64] = [:]

  func make(_ topic: String) { topics[topic] = [] }

  /// - Returns: Its offset.
  @discardableResult func append(_ entry: Entry, to topic: String) -> Int64 {
    topics[topic]!.append(entry)
    return Int64(topics[topic]!.count) - 1
  }

  func end(of topic: String) -> Int64 { Int64(topics[topic]!.count) }
  func first(of topic: String) -> Int64 { firsts[topic] ?? 0 }

  /// The same without what lies before `first` of a topic.
  func cut(_ firsts: [String: Int64]) -> ArrayLogs {
    let cut = ArrayLogs()
    (cut.topics, cut.firsts) = (topics, firsts)
    return cut
  }

  func connect(streams: Int) -> any LogConnection { Connection(logs: self) }

  private struct Connection: LogConnection {
    let logs: ArrayLogs
    func newStream() -> any PartitionStream { ArrayStream(logs) }
  }
}

private final class ArrayStream: PartitionStream {
  private let logs: ArrayLogs
  private var topic = ""
  private var range: Range<Int64> = 0..<0
  private var copies: [UnsafeMutableRawBufferPointer] = []
  private var record: StoredRecord?
  var foreign: TopicPartition? { nil }

  init(_ logs: ArrayLogs) { self.logs = logs }

  deinit { free() }

  func start(_ partition: TopicPartition, _ range: Range<Int64>, of group: String?) {
    stop()
    topic = partition.topic
    self.range = range.clamped(to: logs.first(of: topic)..<logs.end(of: topic))
  }

  func stop() {
    free()
    range = 0..<0
  }

  func peek() -> StoredRecord? {
    if let record { return record }
    while let offset = range.first {
      let entry = logs.topics[topic]![Int(offset)]
      if entry.isMarker {
        range = offset + 1..<range.upperBound
        continue
      }
      record = StoredRecord(
        offset: offset, timestampMs: entry.timestampMs, isStamped: true, key: copy(entry.key), value: copy(entry.value),
        headers: [])
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

  /// Whoever looks at a record afterwards sees other bytes.
  private func free() {
    record = nil
    for copy in copies {
      copy.initializeMemory(as: UInt8.self, repeating: 0xFF)
      copy.deallocate()
    }
    copies = []
  }

  func partitionCount(of topic: String) throws(KafkaError) -> Int32 {
    if logs.topics[topic] == nil {
      throw KafkaError(name: "_UNKNOWN_TOPIC", code: -188, message: "there is no topic \(topic)", kind: .unknownTopic)
    }
    return 1
  }

  func extent(of partition: TopicPartition) -> Range<Int64> {
    logs.first(of: partition.topic)..<logs.end(of: partition.topic)
  }

  func offset(of partition: TopicPartition, at timeMs: Int64) -> Int64? {
    let topic = partition.topic
    return (logs.first(of: topic)..<logs.end(of: topic)).first { offset in
      let entry = logs.topics[topic]![Int(offset)]
      return !entry.isMarker && entry.timestampMs >= timeMs
    }
  }
}
