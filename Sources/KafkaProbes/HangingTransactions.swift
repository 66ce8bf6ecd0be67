package import Kafka
package import Probes
internal import Synchronization

/// Partitions in which a transaction hangs: kept for `/readyz` and warnings, counted by topic, and told once each.
package final class HangingTransactions: Sendable {
  private struct State {
    var ends = StandingEnds(limitMs: HangingTransactions.limitMs)
    var standing: [TopicPartition: PartitionEnds] = [:]
    var known: [TopicPartition: Int64] = [:]
    var counts: [String: Gauge] = [:]
  }

  /// Transactions of workers end within 5 s, and those of most other producers do, too.
  private static let limitMs: Int64 = 30_000
  private let registry: Metrics
  private let state = Mutex(State())

  package init(_ registry: Metrics, topics: [String]) {
    self.registry = registry
    for topic in topics { know(topic) }
  }

  /// Makes the topic's series.
  private func know(_ topic: String) {
    guard state.withLock({ $0.counts[topic] == nil }) else { return }
    let count = registry.gauge(
      "flyscreen_partitions_hanging",
      "Partitions whose last stable offset has stood below their end for 30 s: a transaction hangs there.",
      [("topic", topic)])
    state.withLock { $0.counts[topic] = count }
  }

  /// Partitions in which a transaction hangs now.
  package var standing: [TopicPartition: PartitionEnds] { state.withLock { $0.standing } }

  /// Where a transaction has hung, the last stable offset there, until it was seen to move. One that still stands there is that
  /// one, whatever has been away meanwhile.
  package var known: [TopicPartition: Int64] { state.withLock { $0.known } }

  /// Takes over the ends that were just seen, and logs where a hang began or is over.
  ///
  /// - Parameter unknown: Partitions of which no broker told.
  package func note(
    _ ends: [TopicPartition: PartitionEnds], unknown: [TopicPartition] = [], nowMs: Int64, _ tool: TransactionTool,
    _ log: Log
  ) {
    for topic in Set(ends.keys.map(\.topic)) { know(topic) }
    let (begun, over) = change(nowMs: nowMs, seen: ends) { standing, known in
      for partition in unknown { standing.forget(partition) }
      for (partition, ends) in ends {
        standing.note(ends, of: partition, hungAt: known[partition], nowMs: nowMs)
      }
    }
    for (partition, ends) in begun.sorted(by: { $0.key < $1.key }) {
      log.warning(
        "a transaction hangs: committed readers see nothing from the last stable offset on; `flyscreen transactions`"
          + " lists what ends it", .topic(partition.topic), .partition(partition.partition),
        .lastStableOffset(ends.readable), .end(ends.end), .command(tool.findHanging(partition)))
    }
    for partition in over.sorted() {
      log.info(
        "a hanging transaction has ended: the last stable offset moves again", .topic(partition.topic),
        .partition(partition.partition))
    }
  }

  /// Forgets a topic of which no broker told: a transaction doesn't count as hanging during an outage.
  package func forget(topic: String, nowMs: Int64) {
    _ = change(nowMs: nowMs) { standing, _ in standing.forget(topic: topic) }
  }

  /// - Returns: The partitions in which a transaction hangs now and did not before, and those whose last stable offset has moved
  ///   since one hung there, even if a look between had no answer.
  private func change(
    nowMs: Int64, seen: [TopicPartition: PartitionEnds] = [:],
    _ change: (inout StandingEnds, [TopicPartition: Int64]) -> Void
  ) -> (begun: [TopicPartition: PartitionEnds], over: [TopicPartition]) {
    state.withLock { state in
      let before = state.standing
      change(&state.ends, state.known)
      state.standing = state.ends.standing(nowMs: nowMs)
      // A leader that has just come up tells of less than it has.
      let over = state.known.compactMap { partition, readable in
        seen[partition].flatMap { $0.readable > readable ? partition : nil }
      }
      for partition in over { state.known[partition] = nil }
      state.known.merge(state.standing.mapValues(\.readable)) { $1 }
      for (topic, count) in state.counts { count.set(Int64(state.standing.keys.count { $0.topic == topic })) }
      return (state.standing.filter { before[$0.key] == nil }, over)
    }
  }
}
