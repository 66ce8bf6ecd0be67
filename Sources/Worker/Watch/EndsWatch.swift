import Kafka
import KafkaProbes
import Platform
import Probes
import Settings

/// Compares how far committed readers see of a worker's topics with how far these go, and tells where a transaction
/// hangs.
struct EndsWatch: ~Copyable {
  private let plan: WorkerPlan
  private let reader: Reader
  private let hanging: HangingTransactions
  private let log: Log
  /// Whether the group's partition of the offsets topic may be asked for.
  private var seesOffsets = true

  private static let timeoutMs: Int32 = 3000

  init(_ plan: WorkerPlan, clientId: String, _ hanging: HangingTransactions, _ log: Log) throws(KafkaError) {
    self.plan = plan
    self.hanging = hanging
    self.log = log
    reader = try Reader(properties: plan.properties, clientId: clientId, log: plan.clientLog)
  }

  /// Looks at the ends. A look without an answer does no harm: the next one is soon.
  ///
  /// - Parameter watch: Tells the ends of logs, whatever transaction is open.
  mutating func look(_ watch: borrowing GroupWatch) {
    for topic in Set(plan.topics.input + plan.topics.outputs).sorted() {
      do throws(KafkaError) { try note(topic, watch) { 0..<Int32($0) } } catch { forget(topic) }
    }
    guard seesOffsets else { return }
    do throws(KafkaError) {
      try note(OffsetsTopic.name, watch) {
        let partition = OffsetsTopic.partition(of: plan.group, count: $0)
        return partition..<(partition + 1)
      }
    } catch {
      forget(OffsetsTopic.name)
      // Each try would be a line in the broker's log.
      if error.isRefusal { seesOffsets = false }
    }
  }

  private func forget(_ topic: String) { hanging.forget(topic: topic, nowMs: MonotonicClock.nowMs()) }

  private func note(
    _ topic: String, _ watch: borrowing GroupWatch, _ choose: (Int) -> Range<Int32>
  ) throws(KafkaError) {
    let count = try watch.partitionCount(of: topic, timeoutMs: Self.timeoutMs)
    let partitions = choose(count).map { TopicPartition(topic, $0) }
    var found: [TopicPartition: PartitionEnds] = [:]
    do throws(KafkaError) {
      found = try watch.ends(of: partitions, readableBy: reader, timeoutMs: Self.timeoutMs)
    } catch {
      if error.isRefusal { throw error }
    }
    hanging.note(
      found, unknown: partitions.filter { found[$0] == nil }, nowMs: MonotonicClock.nowMs(), plan.transactionTool, log)
  }
}
