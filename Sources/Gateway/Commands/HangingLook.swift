import Kafka
import KafkaProbes
import Probes

/// Looks now and then for partitions of the commands topic in which a transaction hangs: viewers see nothing more of
/// them.
struct HangingLook {
  /// The time of the next look, by the monotonic clock.
  private(set) var atMs: Int64 = 0
  /// The place to which each partition had been read at the last look.
  private var readBefore: [Int32: Int64] = [:]
  private let topic: String
  private let hanging: HangingTransactions
  private let tool: TransactionTool
  private let log: Log

  /// Milliseconds between two looks.
  private static let everyMs: Int64 = 5000
  /// Milliseconds; the question holds up what is read.
  private static let timeoutMs: Int32 = 500

  init(_ topic: String, _ hanging: HangingTransactions, _ tool: TransactionTool, _ log: Log) {
    self.topic = topic
    self.hanging = hanging
    self.tool = tool
    self.log = log
  }

  /// Asks a broker whether committed readers see the records beyond what was read, of partitions of which none has come
  /// since the last look: records may only be slow to come.
  ///
  /// - Parameter readTo: the next offset that will be read of each partition.
  mutating func look(_ reader: borrowing Reader, readTo: [Int32: Int64], nowMs: Int64) {
    atMs = nowMs + Self.everyMs
    var ends: [TopicPartition: PartitionEnds] = [:]
    var suspects: [TopicPartition: Int64] = [:]
    for (partition, next) in readTo {
      let place = TopicPartition(topic, partition)
      let end = reader.cachedEnd(of: place) ?? next
      if end > next, readBefore[partition] == next {
        suspects[place] = end
      } else {
        ends[place] = PartitionEnds(readable: next, end: next)
      }
    }
    readBefore = readTo
    if !suspects.isEmpty,
      let readable = try? reader.readableEnds(of: suspects.keys.sorted(), timeoutMs: Self.timeoutMs)
    {
      for (place, offset) in readable { ends[place] = PartitionEnds(readable: offset, end: suspects[place]!) }
    }
    hanging.note(ends, unknown: suspects.keys.filter { ends[$0] == nil }, nowMs: nowMs, tool, log)
  }
}
