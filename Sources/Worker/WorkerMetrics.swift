internal import Kafka
internal import Platform
internal import Probes
internal import RoomModel
internal import Settings
import Synchronization
internal import Wire

/// What a worker reports of itself; names are those of dashboards.
final class WorkerMetrics: Sendable {
  let transactions: Histogram
  let restores: Histogram
  let failedTransactions: Counter
  let lostRecords: Counter
  let inexactRestores: Counter
  let foreignRecords: Counter
  let watch = MemberWatch()
  private let registry: Metrics
  private let records: Counter
  private let duplicates: Counter
  private let checkpoints: Counter
  private let restored: Counter
  private let firings: Counter
  private let commands: [Counter]
  private let results: [Counter]
  private let deadLetters = Mutex<[String: Counter]>([:])
  private let lag = Mutex<[TopicPartition: Gauge]>([:])
  private let members = Mutex<[Int: (rooms: Int, isReady: Bool)]>([:])
  /// Why members make a pause.
  private let resting = Mutex<[Int: String]>([:])
  private let awaited: Int

  private static let seconds = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

  init(_ registry: Metrics, members: Int, settings: LogSettings) {
    registry.gauge(
      "flyscreen_settings_info", "1; the hash of the settings that decide what a log's commands are.",
      [("hash", settings.fingerprint)]
    ).set(1)
    self.registry = registry
    awaited = members
    records = registry.counter("flyscreen_records_total", "Input records processed.")
    duplicates = registry.counter("flyscreen_duplicates_total", "Events whose eventId had come before.")
    commands = RoomCommand.Body.Kind.allCases.map {
      registry.counter("flyscreen_commands_total", "Render commands made, by kind.", [("kind", "\($0)")])
    }
    results = GrabResult.Outcome.allCases.map {
      registry.counter("flyscreen_results_total", "Results of grabs, by outcome.", [("outcome", "\($0)")])
    }
    checkpoints = registry.counter("flyscreen_checkpoints_total", "Rooms' states written to the changelog.")
    firings = registry.counter("flyscreen_idle_firings_total", "Times that timers were fired on an idle partition.")
    transactions = registry.histogram(
      "flyscreen_transaction_seconds", "From the begin of a commit to its end.", bounds: Self.seconds)
    failedTransactions = registry.counter("flyscreen_transactions_failed_total", "Transactions that were rolled back.")
    restores = registry.histogram(
      "flyscreen_restore_seconds", "From an assignment until its partitions worked.", bounds: Self.seconds)
    restored = registry.counter("flyscreen_restore_records_total", "Records read for restores.")
    lostRecords = registry.counter("flyscreen_records_lost_total", "Input records deleted before they were read.")
    inexactRestores = registry.counter(
      "flyscreen_restores_inexact_total", "Restores that lacked a part of the log, or found it damaged.")
    foreignRecords = registry.counter(
      "flyscreen_restore_foreign_records_total", "Records of other groups in changelogs and journals, passed over.")
    registry.gauge("flyscreen_rooms", "Rooms in memory.") { [weak self] in
      Double(self?.members.withLock { $0.values.reduce(0) { $0 + $1.rooms } } ?? 0)
    }
  }

  func count(_ counts: PartitionTask.Counts, since before: PartitionTask.Counts) {
    records.add(counts.records - before.records)
    duplicates.add(counts.duplicates - before.duplicates)
    checkpoints.add(counts.checkpoints - before.checkpoints)
    firings.add(counts.timersFired - before.timersFired)
    for kind in commands.indices { commands[kind].add(counts.commands[kind] - before.commands[kind]) }
    for outcome in results.indices { results[outcome].add(counts.results[outcome] - before.results[outcome]) }
  }

  func countDeadLetter(_ reason: NotUnderstood) {
    let label = reason.reason.rawValue
    let counter = deadLetters.withLock { counters in
      if let counter = counters[label] { return counter }
      let counter = registry.counter(
        "flyscreen_dead_letters_total", "Events that could not be understood, by reason.", [("reason", label)])
      counters[label] = counter
      return counter
    }
    counter.add()
  }

  func countRestored(_ records: Int64) { restored.add(records) }

  func setLag(_ records: Int64, of partition: TopicPartition) {
    lag.withLock { gauges in
      if gauges[partition] == nil {
        gauges[partition] = registry.gauge(
          "flyscreen_lag_records", "Input records not yet processed.", Self.labels(partition))
      }
      return gauges[partition]!
    }.set(records)
  }

  func removeLag(of partition: TopicPartition) {
    lag.withLock { _ = $0.removeValue(forKey: partition) }
    registry.remove("flyscreen_lag_records", Self.labels(partition))
  }

  func setMember(_ number: Int, rooms: Int, isReady: Bool) {
    members.withLock { $0[number] = (rooms, isReady) }
  }

  /// - Parameter reason: why it doesn't work, and is tried again after pauses; nil: it works.
  func setResting(_ number: Int, because reason: String?) { resting.withLock { $0[number] = reason } }

  /// Nil: they are alive.
  var unhealthiness: String? { watch.unhealthiness(nowMs: MonotonicClock.nowMs()) }

  /// Nil: all members work.
  var unreadiness: String? {
    if let reason = resting.withLock({ $0.min { $0.key < $1.key } })?.value { return reason }
    if watch.isStuck(nowMs: MonotonicClock.nowMs()) { return "a member waits for the broker" }
    let ready = members.withLock { $0.values.count { $0.isReady } }
    return ready == awaited
      ? nil : "\(ready) of \(awaited) members work; the others wait for partitions or restore them"
  }

  /// Logged once until it is over.
  func reportUnreachable(_ servers: String, _ error: KafkaError, _ log: Log) {
    log.once("broker", .warning, "no broker can be reached; waiting for one", .broker(servers), .error(error))
  }

  func reportReachable(_ log: Log) {
    if log.over("broker") { log.info("the broker is back") }
  }

  private static func labels(_ partition: TopicPartition) -> Metrics.Labels {
    [("topic", partition.topic), ("partition", String(partition.partition))]
  }
}
