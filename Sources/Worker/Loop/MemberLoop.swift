import Kafka
import Platform
import Probes
import Recovery
import Settings
import Wire

/// A member of the group at work: polls, feeds the ``Member``, runs what it wants done. It owns its clients and runs on
/// a thread of its own, since every call of librdkafka's that ends a transaction blocks.
struct MemberLoop<Clients: MemberClients>: ~Copyable {
  private let context: MemberContext<Clients>
  private let consumer: Clients.Consumer
  private var events: [ConsumerEvent] = []
  private var news: [Member.RestoreEvent] = []
  private var member: Member
  private var transactions: TransactionRunner<Clients>
  private var restore: RestoreRunner<Clients>
  private var report: MemberReport<Clients>
  /// The group's name for the member, as of the last assignment; to ask for it takes librdkafka's main thread.
  private(set) var memberId: String?
  /// Whether there is more to be read at once.
  private var isBehind = false
  /// Partitions whose next records can't be read.
  private var unreadable: Set<TopicPartition> = []

  private static var idleMs: Int64 { 500 }

  /// - Parameter past: The transactions of an earlier member with our ids.
  init(_ context: MemberContext<Clients>, past: PastTransactions, stopping: StopSignal) throws(KafkaError) {
    let (plan, clients) = (context.plan, context.clients)
    self.context = context
    consumer = try clients.consumer(context)
    stopping.onSet(consumer.wake)
    member = Member(
      name: "\(context.name)-\(clients.random())", layout: plan.layout, settings: plan.settings,
      checkpointMs: plan.checkpointMs, hashSeed: clients.random(), rewind: plan.rewind,
      manyMarks: plan.manyMarks)
    transactions = TransactionRunner(context, past: past)
    restore = RestoreRunner(context)
    report = MemberReport(context)
    context.metrics.threads.begin("member \(context.number)")
  }

  func withMember<R>(_ look: (borrowing Member) -> R) -> R { look(member) }

  var past: PastTransactions { transactions.turns.past }

  /// Whether the group knows the member's place as another's.
  private static func isPlaceLost(_ error: KafkaError) -> Bool { error.isFatal && error.kind == .fenced }

  /// Waits for messages, and does everything that is due.
  ///
  /// - Throws: ``WorkerError`` for an error that waiting does not mend, ``PlaceLost``. Call ``close()`` then.
  mutating func turn() throws {
    do {
      try work()
    } catch let error as KafkaError where Self.isPlaceLost(error) {
      throw PlaceLost()
    }
  }

  private mutating func work() throws {
    let clients = context.clients
    var nowMs = clients.monotonicMs()
    context.health.change { health, _ in health.beganTurn(context.number, nowMs: nowMs) }
    if member.hasPartitions {
      try transactions.connect(memberId: memberId, nowMs: nowMs)
    } else if transactions.turns.isRetiring {
      // A member that has nothing to do needs none of what they may be refused for.
      do { try transactions.connect(memberId: memberId, nowMs: nowMs) } catch { transactions.turns.forgetPast() }
    }
    consumer.receive(&events, waitMs: waitMs(nowMs))
    nowMs = clients.monotonicMs()
    isBehind = consumer.count >= consumer.capacity / 2
    process()
    try handleEvents(nowMs: nowMs)
    member.fireIdleTimers(nowMs: clients.wallMs())
    try continueRestore(nowMs: nowMs)
    transactions.step(&member, of: consumer.group, isBehind: isBehind, nowMs: nowMs)
    // What can't be committed is not kept: it may wait for an operator.
    let isHeldUp = transactions.isHeldUp(nowMs: nowMs) && member.hasWork(nowMs: nowMs)
    if transactions.turns.hasFailed || isHeldUp { try rollBack(nowMs: nowMs) }
    transactions.turns.retire()
    transactions.serve()
    if report.isDue(nowMs: nowMs) { updateReport(nowMs: nowMs) }
  }

  /// The time until something has to be done that no message announces.
  private func waitMs(_ nowMs: Int64) -> Int32 {
    if restore.isReading { return 1 }
    if restore.isFetching {
      let untilMs = max(restore.notBeforeMs, transactions.turns.notBeforeMs)
      return Int32(min(Self.idleMs, max(transactions.turns.isSettled ? 1 : Settling.lookMs, untilMs - nowMs)))
    }
    let idle = member.nextIdleDeadline
    let timers = idle == .max ? .max : max(0, idle - context.clients.wallMs())
    let transaction = transactions.turns.waitMs(nowMs: nowMs, hasWork: member.hasWork(nowMs: nowMs), isBehind: isBehind)
    return Int32(min(Self.idleMs, timers, transaction))
  }

  private mutating func process() {
    var next = 0
    while next < consumer.count { next = processRun(from: next) }
    consumer.emptyBatch()
  }

  /// Processes the records of one partition that come one after the other, as they mostly do.
  ///
  /// - Returns: The place of the record behind them.
  private mutating func processRun(from first: Int) -> Int {
    let source = consumer[first].source
    guard let task = member.runningTask(topic: source.topicOrdinal, partition: source.partition) else {
      return first + 1
    }
    if !unreadable.isEmpty { isRead(task.partition) }
    let readsHeaders = task.settings.mapping?.readsHeaders ?? false
    for i in first..<consumer.count {
      let record = consumer[i]
      guard record.source == source else { return i }
      let input = InputRecord(record)
      if input.isPassed, let batch = record.passedBatch {
        if let reason = task.pass(batch, input, scratch: &member.scratch, to: &member.outbox) {
          task.sendToDeadLetters(input, headers: [], reason: reason, to: &member.outbox)
          transactions.deadLetters.append(reason)
          transactions.passed.append((task.partition, batch))
        }
        continue
      }
      let read = readsHeaders ? record.allHeaders : []
      if let reason = task.process(input, headers: read, scratch: &member.scratch, to: &member.outbox) {
        let headers = record.allHeaders.map { ($0.name, $0.value.map(Array.init)) }
        let limit = transactions.limits.recordBytes(for: TopicSettings.deadLetters(of: task.partition.topic))
        task.sendToDeadLetters(input, headers: headers, reason: reason, limit: limit, to: &member.outbox)
        transactions.deadLetters.append(reason)
      }
    }
    return consumer.count
  }

  // MARK: The member's actions

  /// The one place where what the member wants is done.
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
      case .replayInput(let ranges, let withHeaders, _):
        try restore.replayInput(ranges, withHeaders: withHeaders, nowMs: nowMs)
      case .makeProducersAnew:
        transactions.turns.release()
      case .begin(let begin):
        if transactions.commit(begin, of: consumer.group) { restore.began(begin) }
      case .stopRestoring:
        restore.stop()
      case .report(let notice):
        context.report(notice, restoreMs: nowMs - restore.beganMs)
      }
    }
  }

  private mutating func continueRestore(nowMs: Int64) throws {
    try transactions.settle(memberId: memberId, nowMs: nowMs)
    // Our own producers must first have ended the transactions that earlier ones with their names left open.
    let writable = transactions.turns.isReady(nowMs: nowMs) ? transactions.writable : nil
    let round = member.round
    try restore.poll(&news, round: round, consumer, writable: writable, nowMs: nowMs)
    var actions: [Member.Action] = []
    for event in news { actions += try member.handle(event, round: round, nowMs: nowMs) }
    try run(actions, nowMs: nowMs)
    restore.warnIfStalled(
      isConnected: transactions.turns.isConnected, behind: transactions.settlement.awaited, nowMs: nowMs)
  }

  /// Everything goes back to what is committed.
  private mutating func rollBack(nowMs: Int64) throws {
    try transactions.abort()
    try run(member.rolledBack(), nowMs: nowMs)
  }

  // MARK: Events of the group

  private mutating func handleEvents(nowMs: Int64) throws {
    guard !events.isEmpty else { return }
    let events = events
    self.events.removeAll(keepingCapacity: true)
    for event in events {
      switch event {
      case .assigned(let partitions):
        logRebalance("assigned", partitions)
        // The outbox may hold output of partitions that are gone: the coordinator forgot the member, or took them back while
        // there was no producer. It would be committed without their offsets, and their next owner makes it, too.
        if transactions.turns.isOpen || !member.outbox.isEmpty { try rollBack(nowMs: nowMs) }
        memberId = consumer.memberId
        context.memberIds.note(memberId)
        context.health.joined(context.number)
        transactions.turns.isRetired = partitions.isEmpty
        try run(member.assigned(partitions), nowMs: nowMs)
      case .revoked(let partitions, let isLost):
        logRebalance(isLost ? "lost" : "revoked", partitions)
        // Without an answer librdkafka does not join again; to join takes the place from whoever has it by now.
        if isLost, context.plan.isNamed { throw PlaceLost() }
        if !isLost { transactions.finish(&member, of: consumer.group, nowMs: nowMs) }
        // What could not be committed yet must not go out without its partitions' offsets.
        if isLost || transactions.turns.hasFailed || !transactions.turns.isSettled { try rollBack(nowMs: nowMs) }
        try run(member.revoked(isLost: isLost), nowMs: nowMs)
      case .endOfPartition(let partition, let offset):
        isRead(partition)
        runningTask(partition)?.reachedEnd(at: offset)
      case .failed(let error, let partition?) where error.isOfItsPartition:
        runningTask(partition)?.stopsShort()
        unreadable.insert(partition)
        context.reportUnreadable(partition, of: partition, error)
      case .failed(let error, _):
        try handle(error, nowMs: nowMs)
      }
    }
  }

  private func runningTask(_ partition: TopicPartition) -> PartitionTask? {
    context.plan.topics.input.firstIndex(of: partition.topic).flatMap {
      member.runningTask(topic: $0, partition: partition.partition)
    }
  }

  private mutating func isRead(_ partition: TopicPartition) {
    if unreadable.remove(partition) != nil { context.health.end(.unreadable(partition), of: context.number) }
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
      // The log no longer has the position: the commit and the log's offsets are looked at anew.
      if error.isOutOfRange {
        context.health.raise(.outOfRange, nil, of: context.number, until: .commit) {
          $0.warning("the log no longer has the next record; restoring anew", .member(context.number), .error(error))
        }
        restore.postpone(nowMs: nowMs)
        try rollBack(nowMs: nowMs)
      } else {
        context.health.failing(context.number, "a broker answers with an error", error, .broker(error.name))
      }
    }
  }

  // MARK: The end

  /// Commits what there is.
  mutating func finish() {
    transactions.finish(&member, of: consumer.group, nowMs: context.clients.monotonicMs())
  }

  /// Gives partitions back, so that others need not wait for the session to end.
  ///
  /// - Returns: What the next member with our ids has to know.
  @discardableResult
  consuming func close() -> PastTransactions {
    consumer.emptyBatch()
    updateReport(nowMs: .max)
    report.end()
    restore.stop()
    transactions.turns.abandon()
    if !consumer.close(boundedMs: Int(CallLimit.endMs)) {
      context.log.warning("leaving the group took too long", .member(context.number))
    }
    return transactions.turns.close()
  }

  private mutating func updateReport(nowMs: Int64) {
    if report.update(
      member, of: consumer, isConnected: transactions.turns.isConnected, toRestore: restore.remaining, nowMs: nowMs)
    {
      context.health.ready(context.number, hasPartitions: member.hasPartitions)
    }
  }
}
