internal import Kafka
internal import KafkaProbes
internal import Platform
package import Probes
internal import RoomModel
package import Settings
internal import Wire

/// Metrics of a worker; dashboards use their names. Every series that can be known is there from the
/// start, so that the first of something is an increase.
package final class WorkerMetrics: Sendable {
  enum Outcome: String, CaseIterable {
    case committed
    /// Rolled back.
    case failed
    /// The broker did not tell in time; the next producer of that name settles it.
    case unknown
  }

  let health: WorkerHealth
  let figures: MemberFigures
  let lag: LagMetrics
  let hanging: HangingTransactions
  let threads: ThreadTimes
  let groupClients: ClientMetrics
  let producers: ClientMetrics
  let transactions: Histogram
  let restores: Histogram
  let lostRecords: Counter
  let restarted: Counter
  let inexactRestores: Counter
  let foreignRecords: Counter
  let handOvers: Counter
  private let outcomes: [Outcome: Counter]
  private let latency: [String: Histogram]
  private let records: Counter
  private let duplicates: Counter
  private let checkpoints: Counter
  private let restored: Counter
  private let firings: Counter
  private let commands: [Counter]
  private let results: [Counter]
  private let skippedItems: [Counter]
  private let skippedUnits: [Counter]
  /// The waits, by ``Skipped/Stage``.
  private let waits: [Histogram]
  /// In the order of ``engineFigures``.
  private let engine: [Counter]
  private let deadLetters: [NotUnderstood.Reason: Counter]
  /// By ``PartitionTask/Counts/place(topic:shape:_:)``.
  private let shapes: [Int: Counter]

  private static let seconds = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
  private static let latencies = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
  private static let restoreSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800]

  package init(_ registry: Metrics, topics: TopicSettings, settings: LogSettings, _ log: Log) {
    health = WorkerHealth(registry, log)
    figures = MemberFigures(registry)
    lag = LagMetrics(registry)
    hanging = HangingTransactions(registry, topics: topics.input + topics.outputs + [OffsetsTopic.name])
    threads = ThreadTimes(registry)
    groupClients = ClientMetrics(registry, kind: "group")
    producers = ClientMetrics(registry, kind: "transactions")
    registry.gauge(
      "flyscreen_settings_info", "1; the hash of the settings that decide what a log's commands are.",
      [("hash", settings.fingerprint)]
    ).set(1)
    records = registry.counter("flyscreen_records_total", "Input records processed.")
    duplicates = registry.counter("flyscreen_duplicates_total", "Events whose eventId had come before.")
    deadLetters = Dictionary(
      uniqueKeysWithValues: NotUnderstood.Reason.allCases.filter { $0 != .passedOver }.map {
        let labels = [("reason", $0.rawValue)]
        return (
          $0,
          registry.counter("flyscreen_dead_letters_total", "Events that could not be understood, by reason.", labels)
        )
      })
    commands = RoomCommand.Body.Kind.allCases.map {
      registry.counter("flyscreen_commands_total", "Render commands made, by kind.", [("kind", "\($0)")])
    }
    results = GrabResult.Outcome.allCases.map {
      registry.counter("flyscreen_results_total", "Results of grabs, by outcome.", [("outcome", "\($0)")])
    }
    let skips = PartitionTask.SkipKind.allCases.map { [("stage", "\($0.stage)"), ("reason", "\($0.reason)")] }
    skippedItems = skips.map {
      registry.counter(
        "flyscreen_skipped_items_total", "Combos, wishes and items of the spot that were skipped, as commands told.", $0
      )
    }
    skippedUnits = skips.map {
      registry.counter(
        "flyscreen_skipped_units_total",
        "Gifts, wishes, items of the spot and pins that were skipped, as commands told.", $0)
    }
    engine = Self.engineFigures.map { registry.counter($0.name, $0.help) }
    waits = Skipped.Stage.allCases.map {
      registry.histogram(
        "flyscreen_wait_seconds",
        "Time that combos, wishes and items of the spot had been queued when they were drawn, in log time.",
        [("stage", "\($0)")], bounds: ShownWaits.boundsMs.map { Double($0) / 1000 })
    }
    latency = Dictionary(
      topics.input.map {
        (
          $0,
          registry.histogram(
            "flyscreen_latency_seconds", "From a record's timestamp to the commit of what came of it, by both clocks.",
            [("topic", $0)], bounds: Self.latencies)
        )
      }
    ) { first, _ in first }
    checkpoints = registry.counter("flyscreen_checkpoints_total", "Rooms' states written to the changelog.")
    firings = registry.counter("flyscreen_idle_firings_total", "Times that timers were fired on an idle partition.")
    transactions = registry.histogram(
      "flyscreen_transaction_seconds", "From the begin of a commit to its end.", bounds: Self.seconds)
    outcomes = Dictionary(
      uniqueKeysWithValues: Outcome.allCases.map {
        ($0, registry.counter("flyscreen_transactions_total", "Transactions, by outcome.", [("outcome", $0.rawValue)]))
      })
    restores = registry.histogram(
      "flyscreen_restore_seconds", "From an assignment until its partitions worked.", bounds: Self.restoreSeconds)
    restored = registry.counter("flyscreen_restore_records_total", "Records read for restores.")
    lostRecords = registry.counter("flyscreen_records_lost_total", "Input records deleted before they were read.")
    restarted = registry.counter(
      "flyscreen_partitions_restarted_total",
      "Partitions whose rooms began anew: another program set the offset, or it was committed under other rules."
    )
    inexactRestores = registry.counter(
      "flyscreen_restores_inexact_total", "Restores that lacked a part of the log, or found it damaged.")
    foreignRecords = registry.counter(
      "flyscreen_restore_foreign_records_total", "Records of other groups in changelogs and journals, passed over.")
    handOvers = registry.counter(
      "flyscreen_member_hand_overs_total", "Members that hung in a call to the broker, and were replaced.")
    var shapes: [Int: Counter] = [:]
    for (topic, name) in topics.input.enumerated() {
      guard let mapping = settings.of(name).mapping else { continue }
      for shape in 0...mapping.shapeCount {
        for mapped in PartitionTask.Counts.Mapped.allCases {
          shapes[PartitionTask.Counts.place(topic: Int32(topic), shape: shape, mapped)] = registry.counter(
            "flyscreen_mapped_messages_total",
            "Messages under a mapping (topics.mapping), by topic, shape (from 1; 0: none fits) and outcome.",
            [("topic", name), ("shape", "\(shape)"), ("outcome", mapped.rawValue)])
        }
      }
    }
    self.shapes = shapes
    ProcessMetrics.register(in: registry)
  }

  /// It is known how many there are to be.
  func begin(members: Int) {
    threads.expect((0..<members).map { "member \($0)" })
    health.change { health, _ in health.begin(members: members) }
  }

  func count(_ counts: PartitionTask.Counts, since before: PartitionTask.Counts) {
    records.add(counts.records - before.records)
    duplicates.add(counts.duplicates - before.duplicates)
    checkpoints.add(counts.checkpoints - before.checkpoints)
    firings.add(counts.timersFired - before.timersFired)
    for kind in commands.indices { commands[kind].add(counts.commands[kind] - before.commands[kind]) }
    for outcome in results.indices { results[outcome].add(counts.results[outcome] - before.results[outcome]) }
    for kind in skippedItems.indices {
      skippedItems[kind].add(counts.skippedItems[kind] - before.skippedItems[kind])
      skippedUnits[kind].add(counts.skippedUnits[kind] - before.skippedUnits[kind])
    }
    for place in counts.shapes.indices {
      let old = place < before.shapes.count ? before.shapes[place] : 0
      if counts.shapes[place] != old { shapes[place]?.add(counts.shapes[place] - old) }
    }
  }

  func count(_ counts: EngineCounts, since before: EngineCounts) {
    for (figure, counter) in zip(Self.engineFigures, engine) {
      counter.add(counts[keyPath: figure.path] &- before[keyPath: figure.path])
    }
    for stage in waits.indices {
      waits[stage].add(
        zip(counts.waits.counts[stage], before.waits.counts[stage]).map(-),
        sum: Double(counts.waits.sumMs[stage] - before.waits.sumMs[stage]) / 1000)
    }
  }

  func count(_ outcome: Outcome) { outcomes[outcome]!.add() }

  func countDeadLetter(_ reason: NotUnderstood) { deadLetters[reason.reason]!.add() }

  func countRestored(_ records: Int64) { restored.add(records) }

  /// Records of an input are through.
  ///
  /// - Parameter seconds: since they were produced.
  func observeLatency(of input: String, seconds: Double, records: Int64) {
    latency[input]?.observe(max(0, seconds), times: records)
  }

  private static var engineFigures: [(name: String, help: String, path: KeyPath<EngineCounts, Int64>)] {
    [
      ("flyscreen_crowd_joined_items_total", "Combos that found no lane and joined a crowd.", \.joinedItems),
      ("flyscreen_crowd_joined_units_total", "Gifts of combos that joined a crowd.", \.joinedUnits),
      ("flyscreen_crowd_told_items_total", "Combos of crowds that bars told.", \.toldItems),
      ("flyscreen_crowd_told_units_total", "Gifts of crowds that bars told.", \.toldUnits),
      ("flyscreen_crowd_names_total", "Senders that bars named, each time.", \.names),
      (
        "flyscreen_crowd_refused_items_total",
        "Combos that found no crowd, since their room had crowd.kinds of them: they are skipped.", \.refusedItems
      ),
      (
        "flyscreen_gifts_swallowed_total",
        "Gifts whose streakId had come with as great a count: nothing of them counts. Many: one streakId is in all "
          + "gifts.", \.swallowedGifts
      ),
      (
        "flyscreen_retracts_forgotten_total",
        "Mutes and other retracts that a room forgot before their end, since it remembers 1000.", \.forgottenRetracts
      ),
    ]
  }
}
