import Glibc
import Kafka
import Probes
import Settings
import Synchronization
import Wire

/// A member of the group at work: polls, feeds the ``Member``, does what it says. It owns its clients and runs on a
/// thread of its own, since every call of librdkafka's that ends a transaction blocks.
struct MemberLoop: ~Copyable {
  private let plan: WorkerPlan
  private let number: Int
  private let log: Log
  private let metrics: WorkerMetrics
  private let stopping: StopSignal
  private let name: String

  private var consumer: GroupConsumer
  private var batch = RecordBatch(capacity: 2000)
  private var events: [ConsumerEvent] = []
  private var member: Member
  private var transactions: TransactionStateMachine
  private var sender: Sender?
  /// Not before then is another try worth it.
  private var retryAtMs: Int64 = 0
  private var restorer: Restorer?
  /// Of the restore's steps, the one that waits for an answer from the broker.
  private var fetching: (partitions: [TopicPartition], round: Int)?
  private var restoreBeganMs: Int64 = 0
  private var isBehind = false
  private var gaugesAtMs: Int64 = 0
  private var needsRollBack = false
  private var counted: [TopicPartition: PartitionTask.Counts] = [:]

  /// How long a call may take that a rebalance or the end of the process may have to wait for.
  private static let callMs: Int32 = 1000
  /// A transaction's end may take as long as the broker would leave it open.
  private static let endMs: Int32 = 5000
  private static let retryMs: Int64 = 500
  private static let idleMs: Int64 = 500
  private static let namesakeMs: Int64 = 3000
  private static let gaugesMs: Int64 = 500

  init(_ plan: WorkerPlan, number: Int, log: Log, metrics: WorkerMetrics, stopping: StopSignal) throws(KafkaError) {
    self.plan = plan
    self.number = number
    self.log = log
    self.metrics = metrics
    self.stopping = stopping
    name = "\(plan.name)-\(number)"
    consumer = try GroupConsumer(
      properties: plan.properties, group: plan.group, instanceId: plan.isNamed ? name : nil,
      clientId: plan.clientId(number), topics: plan.topics.input, log: plan.clientLog)
    stopping.onStop(consumer.waker)
    member = Member(
      layout: plan.layout, settings: plan.settings, checkpointMs: plan.checkpointMs,
      hashSeed: UInt64.random(in: .min ... .max))
    transactions = TransactionStateMachine(pace: plan.pace)
  }

  /// Works until it is told to stop.
  ///
  /// - Throws: ``WorkerError`` for what waiting does not mend.
  consuming func run() throws {
    do {
      while !stopping.isStopping { try turn() }
    } catch {
      close()
      throw error
    }
    let nowMs = Clock.monotonicMs()
    if member.hasWork || transactions.isOpen { commit(nowMs: nowMs) }
    close()
  }

  private mutating func turn() throws {
    var nowMs = Clock.monotonicMs()
    try makeSender(nowMs: nowMs)
    consumer.receive(into: &batch, events: &events, waitMs: waitMs(nowMs))
    nowMs = Clock.monotonicMs()
    isBehind = batch.count >= batch.capacity / 2
    process()
    try handleEvents(nowMs: nowMs)
    member.fireIdleTimers(nowMs: Clock.wallMs())
    try restore(nowMs: nowMs)
    transact(nowMs: nowMs)
    if needsRollBack { try rollBack(nowMs: nowMs) }
    sender?.producer.serve()
    report(nowMs: nowMs)
  }

  /// Until something has to be done that no message announces.
  private func waitMs(_ nowMs: Int64) -> Int32 {
    if restorer != nil || fetching != nil { return 1 }
    var wait = Self.idleMs
    let idle = member.nextIdleDeadline
    if idle != .max { wait = min(wait, max(0, idle - Clock.wallMs())) }
    switch transactions.next(nowMs: nowMs, hasWork: member.hasWork, isBehind: isBehind) {
    case .wait(let until) where until != .max: wait = min(wait, max(0, until - nowMs))
    case .wait: break
    case .begin, .commit: wait = sender == nil ? min(wait, max(0, retryAtMs - nowMs)) : 0
    }
    return Int32(wait)
  }

  // MARK: Records

  private mutating func process() {
    for i in 0..<batch.count {
      let record = batch[i]
      guard let task = member.runningTask(topic: record.source.topicOrdinal, partition: record.source.partition)
      else { continue }
      let input = InputRecord(record)
      if let reason = task.process(input, bench: &member.bench) {
        metrics.deadLetter(reason)
        let headers = record.allHeaders.map { ($0.name, $0.value.map(Array.init)) }
        task.bury(input, headers: headers, reason: reason, bench: &member.bench)
      }
    }
    if batch.count > 0 { metrics.isReachable(log) }
    batch.removeAll()
  }

  private mutating func handleEvents(nowMs: Int64) throws {
    guard !events.isEmpty else { return }
    let events = events
    self.events.removeAll(keepingCapacity: true)
    for event in events {
      switch event {
      case .assigned(let partitions):
        log.info(
          "assigned", .member(number), .partitions(partitions.sorted().map(\.description).joined(separator: " ")))
        metrics.isReachable(log)
        try perform(member.assigned(partitions), nowMs: nowMs)
      case .revoked(let partitions, let isLost):
        log.info(isLost ? "lost" : "revoked", .member(number), .records(Int64(partitions.count)))
        if isLost {
          try rollBack(nowMs: nowMs)
        } else if member.hasWork || transactions.isOpen {
          commit(nowMs: nowMs)
          if needsRollBack { try rollBack(nowMs: nowMs) }
        }
        try perform(member.revoked(isLost: isLost), nowMs: nowMs)
      case .endOfPartition(let partition, let offset):
        if let topic = plan.topics.input.firstIndex(of: partition.topic) {
          member.runningTask(topic: topic, partition: partition.partition)?.reachedEnd(at: offset)
        }
      case .failed(let error):
        try handle(error, nowMs: nowMs)
      }
    }
  }

  private mutating func handle(_ error: KafkaError, nowMs: Int64) throws {
    if error.isFatal, error.kind == .fenced { throw WorkerError.replaced(id: plan.name) }
    if error.isFatal { throw WorkerError.refused("\(error)") }
    switch error.kind {
    case .unreachable: metrics.isUnreachable(plan.servers, log)
    case .authentication, .authorization: throw WorkerError.refused(error.description)
    case .unknownTopic, .fenced, .settings, .other:
      // A position that the log no longer has: what is committed and what is there is looked at anew.
      if error.name == "_AUTO_OFFSET_RESET" {
        log.warning("the log has moved on", .member(number), .error(error))
        try rollBack(nowMs: nowMs)
      } else {
        log.once("\(error.name)", .warning, "the broker complains", .member(number), .error(error))
      }
    }
  }

  // MARK: Assignment and restore

  private mutating func perform(_ actions: [Member.Action], nowMs: Int64) throws {
    for action in actions {
      switch action {
      case .read(let positions):
        try consumer.assign(positions.sorted { $0.key < $1.key }.map { (partition: $0.key, offset: .at($0.value)) })
      case .giveUp:
        try consumer.unassign()
      case .fetchCommitted(let partitions, let round):
        restoreBeganMs = nowMs
        fetching = (partitions, round)
      case .readLogs(let reads, let round):
        var restorer = try Restorer(
          round: round, properties: plan.properties, clientId: plan.clientId(number), log: plan.clientLog)
        try restorer.readLogs(reads)
        self.restorer = consume restorer
      case .replayInput(let ranges, _):
        try restorer!.replayInput(ranges)
      case .stopRestoring:
        if let restorer = restorer.take() { metrics.restoreRecords(restorer.records) }
        fetching = nil
      }
    }
    for notice in member.takeNotices() { say(notice, nowMs: nowMs) }
  }

  private mutating func restore(nowMs: Int64) throws {
    if let fetching { try fetchCommitted(fetching, nowMs: nowMs) }
    guard restorer != nil else { return }
    do {
      if let actions = try restorer!.step(&member, waitMs: 5, nowMs: nowMs) { try perform(actions, nowMs: nowMs) }
    } catch let error as KafkaError {
      log.warning("a restore begins anew", .member(number), .error(error))
      try rollBack(nowMs: nowMs)
    }
  }

  /// Asks for what is committed; not before our own producer has ended what an earlier one with its name left open.
  private mutating func fetchCommitted(_ wanted: (partitions: [TopicPartition], round: Int), nowMs: Int64) throws {
    guard sender != nil, nowMs >= retryAtMs else { return }
    let answers: [Member.Committed]
    do {
      answers = try committed(of: wanted.partitions)
    } catch {
      retryAtMs = nowMs + Self.retryMs
      log.debug("what is committed is not known yet", .member(number), .error(error))
      return
    }
    fetching = nil
    metrics.isReachable(log)
    try perform(member.committedFetched(answers, round: wanted.round), nowMs: nowMs)
  }

  private mutating func committed(of partitions: [TopicPartition]) throws(KafkaError) -> [Member.Committed] {
    var answers: [Member.Committed] = []
    for found in try consumer.committed(partitions, timeoutMs: Self.callMs) {
      let low = try consumer.queryWatermarks(of: found.partition, timeoutMs: Self.callMs).low
      answers.append(
        Member.Committed(partition: found.partition, offset: found.offset, metadata: found.metadata, firstOffset: low))
    }
    return answers
  }

  private func say(_ notice: Member.Notice, nowMs: Int64) {
    switch notice {
    case .beganAnew(let partition, let offset):
      log.warning(
        "the group's offset was set by something else: rooms begin anew there", .topic(partition.topic),
        .partition(partition.partition), .offset(offset))
    case .lost(let partition, let from, let to):
      log.error(
        "records were deleted before they were read: keep the topic longer, or run more workers",
        .topic(partition.topic), .partition(partition.partition), .offset(from), .records(to - from))
      metrics.lostRecords.add(to - from)
    case .inexact(let partition):
      log.error(
        "a part of the log that tells how rooms stood is gone, so they may differ from what was shown",
        .topic(partition.topic), .partition(partition.partition))
      metrics.inexactRestores.add()
    case .restored(let partitions, let rooms):
      let tookMs = nowMs - restoreBeganMs
      log.info(
        "restored", .member(number), .partitions(partitions.map(\.description).joined(separator: " ")), .rooms(rooms),
        .tookMs(tookMs))
      metrics.restores.observe(Double(tookMs) / 1000)
    }
  }

  // MARK: Transactions

  private mutating func makeSender(nowMs: Int64) throws {
    guard sender == nil, nowMs >= retryAtMs else { return }
    do {
      let sender = try Sender(
        properties: plan.properties, transactionalId: "\(plan.group)-\(name)", clientId: plan.clientId(number),
        topics: plan.topics, format: plan.layout.format, timeoutMs: Self.callMs, log: plan.clientLog)
      try sender.producer.initTransactions(timeoutMs: Self.endMs)
      self.sender = sender
      metrics.isReachable(log)
    } catch {
      retryAtMs = Clock.monotonicMs() + Self.retryMs
      try handleStart(error)
    }
  }

  private func handleStart(_ error: KafkaError) throws {
    switch error.kind {
    case .unreachable: metrics.isUnreachable(plan.servers, log)
    case .authentication, .authorization, .settings: throw WorkerError.refused(error.description)
    case .unknownTopic, .fenced, .other:
      log.once(error.name, .warning, "no transactions yet", .member(number), .error(error))
    }
  }

  private mutating func transact(nowMs: Int64) {
    guard let sender else { return }
    switch transactions.next(nowMs: nowMs, hasWork: member.hasWork, isBehind: isBehind) {
    case .wait where transactions.isOpen: send(sender, nowMs: nowMs)
    case .wait: break
    case .begin:
      begin(sender, nowMs: nowMs)
      if transactions.isOpen { send(sender, nowMs: nowMs) }
    case .commit: commit(nowMs: nowMs)
    }
  }

  private mutating func begin(_ sender: Sender, nowMs: Int64) {
    do {
      try sender.producer.begin()
      transactions.began(nowMs: nowMs)
    } catch {
      failed(error, nowMs: nowMs)
    }
  }

  private mutating func send(_ sender: Sender, nowMs: Int64) {
    do {
      try sender.send(member.bench.outbox)
      member.bench.outbox.removeAll()
    } catch {
      failed(error, nowMs: nowMs)
    }
  }

  private mutating func commit(nowMs: Int64) {
    guard let sender else { return }
    do {
      if !transactions.isOpen {
        try sender.producer.begin()
        transactions.began(nowMs: nowMs)
      }
      let commit = member.prepareCommit(nowMs: nowMs)
      try sender.send(member.bench.outbox)
      member.bench.outbox.removeAll()
      let offsets = commit.offsets.map { CommittedOffset($0.partition, offset: $0.offset, metadata: $0.metadata) }
      try sender.producer.sendOffsets(offsets, group: consumer.groupMetadata(), timeoutMs: Self.endMs)
      try sender.producer.commit(timeoutMs: Self.endMs)
      let endedMs = Clock.monotonicMs()
      transactions.ended(nowMs: endedMs)
      metrics.transactions.observe(Double(endedMs - nowMs) / 1000)
      let topics = plan.topics.input
      member.committed(commit) { partition in
        sender.written(topic: topics.firstIndex(of: partition.topic)!, partition: partition.partition)
      }
    } catch {
      failed(error, nowMs: Clock.monotonicMs())
    }
  }

  /// A transaction did not go through, or nobody knows: everything goes back to what is committed.
  private mutating func failed(_ error: KafkaError, nowMs: Int64) {
    metrics.failedTransactions.add()
    if error.kind == .unreachable { metrics.isUnreachable(plan.servers, log) }
    log.warning("a transaction failed; going back to what is committed", .member(number), .error(error))
    if error.isFatal || error.isTimedOut || !error.requiresAbort { dropSender(nowMs: nowMs) }
    // If another worker has our name, our consumer is told within a heartbeat; a new producer would fence the other's.
    if error.kind == .fenced, plan.isNamed { retryAtMs = nowMs + Self.namesakeMs }
    needsRollBack = true
  }

  private mutating func dropSender(nowMs: Int64) {
    _ = sender?.producer.close(boundedMs: Int(Self.callMs))
    sender = nil
    retryAtMs = nowMs
  }

  private mutating func rollBack(nowMs: Int64) throws {
    needsRollBack = false
    if let sender, transactions.isOpen {
      do {
        try sender.producer.abort(timeoutMs: Self.endMs)
      } catch {
        log.warning("a transaction could not be aborted", .member(number), .error(error))
        dropSender(nowMs: nowMs)
      }
    }
    if transactions.isOpen { transactions.ended(nowMs: nowMs) }
    try perform(member.rolledBack(), nowMs: nowMs)
  }

  // MARK: The end, and what is told meanwhile

  /// Partitions are given back, so that others need not wait for the session to end.
  private consuming func close() {
    batch.removeAll()
    report(nowMs: .max)
    restorer = nil
    if !consumer.close(boundedMs: Int(Self.endMs)) { log.warning("leaving the group took too long", .member(number)) }
    _ = sender?.producer.close(boundedMs: Int(Self.callMs))
  }

  private mutating func report(nowMs: Int64) {
    guard nowMs - gaugesAtMs >= Self.gaugesMs || nowMs == .max else { return }
    gaugesAtMs = nowMs
    var rooms = 0
    var told: [TopicPartition: PartitionTask.Counts] = [:]
    member.forEachTask { task in
      rooms += task.roomCount
      told[task.partition] = task.counts
      metrics.count(task.counts, since: counted[task.partition] ?? .init())
      if let end = consumer.cachedEnd(of: task.partition) {
        metrics.setLag(max(0, end - task.nextOffset), of: task.partition)
      }
    }
    for partition in counted.keys where told[partition] == nil { metrics.removeLag(of: partition) }
    counted = told
    metrics.setMember(number, rooms: rooms, isReady: member.assignment.isSettled && sender != nil)
  }
}
