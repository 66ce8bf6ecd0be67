import Kafka
import KafkaProbes
import Platform
import Probes
import Recovery
import Settings
import Wire

/// A member of the group at work: polls, feeds the ``Member``, runs what it wants done. It owns its clients and runs on
/// a thread of its own, since every call of librdkafka's that ends a transaction blocks.
struct MemberLoop: ~Copyable {
  private let context: MemberContext
  private let stopping: StopSignal
  private var consumer: GroupConsumer
  private var batch = RecordBatch(capacity: 2000)
  private var events: [ConsumerEvent] = []
  private var member: Member
  private var transactions: TransactionRunner
  private var restore: RestoreRunner
  private var report: MemberReport
  /// The group's name for the member, as of the last assignment; to ask for it takes librdkafka's main thread.
  private var memberId: String?
  /// Whether there is more to be read at once.
  private var isBehind = false

  private static let idleMs: Int64 = 500

  init(_ context: MemberContext, stopping: StopSignal) throws(KafkaError) {
    let plan = context.plan
    self.context = context
    self.stopping = stopping
    consumer = try GroupConsumer(
      properties: plan.properties, group: plan.group, instanceId: plan.isNamed ? context.name : nil,
      clientId: context.clientId, topics: plan.topics.input,
      statistics: { [metrics = context.metrics, number = context.number] in metrics.groupClients.update(number, $0) },
      log: plan.clientLog)
    stopping.onSet(consumer.waker.wake)
    member = Member(
      name: "\(context.name)-\(UInt64.random(in: .min ... .max))", layout: plan.layout, settings: plan.settings,
      checkpointMs: plan.checkpointMs, hashSeed: UInt64.random(in: .min ... .max))
    transactions = TransactionRunner(context)
    restore = RestoreRunner(context)
    report = MemberReport(context)
    context.metrics.threads.begin("member \(context.number)")
  }

  /// Works until it is told to stop.
  ///
  /// - Throws: ``WorkerError`` for what waiting does not mend, ``PlaceLost``.
  consuming func run() throws {
    do {
      while !stopping.isSet, !context.tenure.isOver { try turn() }
    } catch {
      let memberId = memberId
      close()
      throw Self.isPlaceLost(error) ? PlaceLost(memberId: memberId) : error
    }
    if !context.tenure.isOver { transactions.finish(&member, of: consumer.membership, nowMs: MonotonicClock.nowMs()) }
    close()
  }

  /// The group knows the member's place as another's.
  private static func isPlaceLost(_ error: any Error) -> Bool {
    guard let error = error as? KafkaError else { return false }
    return error.isFatal && error.kind == .fenced
  }

  private mutating func turn() throws {
    var nowMs = MonotonicClock.nowMs()
    context.health.change { health, _ in health.beganTurn(context.number, nowMs: nowMs) }
    if member.hasPartitions { try transactions.connect(memberId: memberId, nowMs: nowMs) }
    consumer.receive(into: &batch, events: &events, waitMs: waitMs(nowMs))
    nowMs = MonotonicClock.nowMs()
    isBehind = batch.count >= batch.capacity / 2
    process()
    try handleEvents(nowMs: nowMs)
    member.fireIdleTimers(nowMs: WallClock.nowMs())
    try continueRestore(nowMs: nowMs)
    if !restore.hasFailed { transactions.step(&member, of: consumer.membership, isBehind: isBehind, nowMs: nowMs) }
    if restore.hasFailed || transactions.turns.hasFailed { try rollBack(nowMs: nowMs) }
    transactions.serve()
    if report.isDue(nowMs: nowMs) { updateReport(nowMs: nowMs) }
  }

  /// Until something has to be done that no message announces.
  private func waitMs(_ nowMs: Int64) -> Int32 {
    if restore.isReading { return 1 }
    if restore.isFetching {
      return Int32(min(Self.idleMs, max(1, max(restore.notBeforeMs, transactions.turns.notBeforeMs) - nowMs)))
    }
    let idle = member.nextIdleDeadline
    let timers = idle == .max ? .max : max(0, idle - WallClock.nowMs())
    let transaction = transactions.turns.waitMs(nowMs: nowMs, hasWork: member.hasWork(nowMs: nowMs), isBehind: isBehind)
    return Int32(min(Self.idleMs, timers, transaction))
  }

  private mutating func process() {
    var source: PartitionKey?
    var running: PartitionTask?
    for i in 0..<batch.count {
      let record = batch[i]
      // Records of a partition mostly come one after the other.
      if record.source != source {
        source = record.source
        running = member.runningTask(topic: record.source.topicOrdinal, partition: record.source.partition)
      }
      guard let task = running else { continue }
      let input = InputRecord(record)
      if let reason = task.process(input, scratch: &member.scratch) {
        let headers = record.allHeaders.map { ($0.name, $0.value.map(Array.init)) }
        let limit = transactions.limits.recordBytes(for: TopicSettings.deadLetters(of: task.partition.topic))
        task.sendToDeadLetters(input, headers: headers, reason: reason, limit: limit, scratch: &member.scratch)
        transactions.deadLetters.append(reason)
      }
    }
    batch.removeAll()
  }

  // MARK: What the member wants done

  /// The one place where it is done.
  private mutating func run(_ actions: [Member.Action], nowMs: Int64) throws {
    for action in actions {
      switch action {
      case .read(let positions):
        try consumer.assign(positions.sorted { $0.key < $1.key }.map { (partition: $0.key, offset: .at($0.value)) })
      case .giveUp:
        try consumer.unassign()
      case .fetchCommitted(let partitions, let round):
        restore.fetchCommitted(partitions, round: round, nowMs: nowMs)
      case .fetchLater(let partitions, let round):
        restore.fetchLater(partitions, round: round, nowMs: nowMs)
      case .readLogs(let reads, let round):
        try restore.readLogs(reads, round: round, nowMs: nowMs)
      case .replayInput(let ranges, _):
        try restore.replayInput(ranges, nowMs: nowMs)
      case .stopRestoring:
        restore.stop()
      case .report(let notice):
        restore.report(notice, nowMs: nowMs)
      }
    }
  }

  private mutating func continueRestore(nowMs: Int64) throws {
    // Not before our own producers have ended what earlier ones with their names left open.
    if transactions.turns.isReady(nowMs: nowMs) {
      try run(restore.fetch(&member, from: consumer, &transactions, nowMs: nowMs), nowMs: nowMs)
    }
    restore.warnIfStalled(isConnected: transactions.turns.isConnected, nowMs: nowMs)
    try run(restore.read(&member, nowMs: nowMs), nowMs: nowMs)
  }

  /// Everything goes back to what is committed.
  private mutating func rollBack(nowMs: Int64) throws {
    try transactions.abort()
    try run(member.rolledBack(), nowMs: nowMs)
  }

  // MARK: What the group has to say

  private mutating func handleEvents(nowMs: Int64) throws {
    guard !events.isEmpty else { return }
    let events = events
    self.events.removeAll(keepingCapacity: true)
    for event in events {
      switch event {
      case .assigned(let partitions):
        logRebalance("assigned", partitions)
        memberId = consumer.memberId
        context.health.joined(context.number)
        if partitions.isEmpty { transactions.turns.release() }
        try run(member.assigned(partitions), nowMs: nowMs)
      case .revoked(let partitions, let isLost):
        logRebalance(isLost ? "lost" : "revoked", partitions)
        // Without an answer librdkafka does not join again; to join takes the place from whoever has it by now.
        if isLost, context.plan.isNamed { throw PlaceLost(memberId: memberId) }
        if !isLost { transactions.finish(&member, of: consumer.membership, nowMs: nowMs) }
        if isLost || transactions.turns.hasFailed { try rollBack(nowMs: nowMs) }
        try run(member.revoked(isLost: isLost), nowMs: nowMs)
      case .endOfPartition(let partition, let offset):
        if let topic = context.plan.topics.input.firstIndex(of: partition.topic) {
          member.runningTask(topic: topic, partition: partition.partition)?.reachedEnd(at: offset)
        }
      case .failed(let error, _):
        try handle(error, nowMs: nowMs)
      }
    }
  }

  private func logRebalance(_ what: String, _ partitions: [TopicPartition]) {
    context.log.info(
      what, .member(context.number), .partitions(partitions.sorted().map(\.description).joined(separator: " ")))
  }

  private mutating func handle(_ error: KafkaError, nowMs: Int64) throws {
    if Self.isPlaceLost(error) { throw error }
    if error.isFatal { throw context.refused(error) }
    switch error.kind {
    // One broker of several being away is no news: the others take its place.
    case .unreachable: if error.name == "_ALL_BROKERS_DOWN" { context.reportUnreachable(error) }
    case .authentication, .authorization, .settings: throw context.refused(error)
    case .unknownTopic, .fenced, .other:
      // A position that the log no longer has: what is committed and what is there is looked at anew.
      if error.isOutOfRange {
        context.log.once(
          "moved \(context.number)", .warning, "the log has moved on", .member(context.number), .error(error))
        restore.postpone(nowMs: nowMs)
        try rollBack(nowMs: nowMs)
      } else {
        context.health.failing(context.number, "the broker complains", error, subject: error.name)
      }
    }
  }

  // MARK: The end

  /// Partitions are given back, so that others need not wait for the session to end.
  private consuming func close() {
    batch.removeAll()
    updateReport(nowMs: .max)
    report.end()
    restore.stop()
    transactions.turns.abandon()
    if !consumer.close(boundedMs: Int(MemberContext.endMs)) {
      context.log.warning("leaving the group took too long", .member(context.number))
    }
    transactions.turns.close()
  }

  private mutating func updateReport(nowMs: Int64) {
    if report.update(
      member, of: consumer, isConnected: transactions.turns.isConnected, toRestore: restore.remaining, nowMs: nowMs)
    {
      context.health.ready(context.number, hasPartitions: member.hasPartitions)
    }
  }
}
