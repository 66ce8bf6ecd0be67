import Kafka
import Platform
import Probes
import Synchronization

/// The group's lag, partition by partition: in records as seen from outside, in seconds as
/// the member sees it that works on it.
final class LagMetrics: Sendable {
  private struct Seconds {
    /// The time of the last record that was processed; nil: there are no more.
    var behindSinceMs: Int64?
  }

  private struct State {
    var records: [TopicPartition: Gauge] = [:]
    var works: [TopicPartition: Gauge] = [:]
    var seconds: [TopicPartition: Seconds] = [:]
    /// The time at which the lag of each was last known.
    var seenMs: [TopicPartition: Int64] = [:]
  }

  private let registry: Metrics
  private let beganMs = MonotonicClock.nowMs()
  private let state = Mutex(State())

  init(_ registry: Metrics) {
    self.registry = registry
    registry.gauge(
      "flyscreen_lag_age_seconds", "Age of the known lag of the group's partitions; of the oldest."
    ) { [weak self] in self?.age ?? 0 }
  }

  private var age: Double {
    let oldest = state.withLock { $0.seenMs.values.min() } ?? beganMs
    return Double(MonotonicClock.nowMs() - oldest) / 1000
  }

  /// All partitions of the inputs. Their series are there from now on.
  func know(_ partitions: [TopicPartition]) {
    for partition in partitions where state.withLock({ $0.records[partition] == nil }) {
      let labels = Self.labels(partition)
      let records = registry.gauge(
        "flyscreen_lag_records", "Input records that the group has not committed, of all partitions.", labels)
      let works = registry.gauge("flyscreen_partition_worked_on", "1: the group gave it to this worker.", labels)
      state.withLock { state in
        state.records[partition] = records
        state.works[partition] = works
        state.seenMs[partition] = beganMs
      }
    }
  }

  func set(_ records: Int64, of partition: TopicPartition) {
    state.withLock { state in
      state.records[partition]?.set(records)
      state.seenMs[partition] = MonotonicClock.nowMs()
    }
  }

  /// The group gave it to a member here.
  ///
  /// - Parameter behindSinceMs: The time of the last record that was processed, if there are more; nil: there are none.
  func worksOn(_ partition: TopicPartition, behindSinceMs: Int64?) {
    know([partition])
    let isNew = state.withLock { state in
      state.works[partition]?.set(1)
      return state.seconds.updateValue(Seconds(behindSinceMs: behindSinceMs), forKey: partition) == nil
    }
    guard isNew else { return }
    registry.gauge(
      "flyscreen_lag_seconds", "Age of the last processed record while more wait; 0: none waits.",
      Self.labels(partition)
    ) { [weak self] in self?.seconds(of: partition) ?? 0 }
  }

  /// The group took it back.
  func left(_ partition: TopicPartition) {
    state.withLock { state in
      state.works[partition]?.set(0)
      state.seconds[partition] = nil
    }
    registry.remove("flyscreen_lag_seconds", Self.labels(partition))
  }

  private func seconds(of partition: TopicPartition) -> Double {
    guard let since = state.withLock({ $0.seconds[partition]?.behindSinceMs }) else { return 0 }
    return Double(max(0, WallClock.nowMs() - since)) / 1000
  }

  private static func labels(_ partition: TopicPartition) -> Metrics.Labels {
    [("topic", partition.topic), ("partition", String(partition.partition))]
  }
}
