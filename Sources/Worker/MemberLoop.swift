import Kafka
import Platform
import Probes
import Recovery
import Settings
import Synchronization
import Wire

/// A member of the group at work: polls, feeds the ``Member``, does what it says. It owns its clients and runs on a
/// thread of its own, since every call of librdkafka's that ends a transaction blocks.
struct MemberLoop: ~Copyable {
  let plan: WorkerPlan
  let number: Int
  let log: Log
  let metrics: WorkerMetrics
  let stopping: StopSignal
  let name: String

  var consumer: GroupConsumer
  var batch = RecordBatch(capacity: 2000)
  var events: [ConsumerEvent] = []
  var member: Member
  var transactions: TransactionStateMachine
  var sender: Sender?
  /// Not before then is another try worth it.
  var retryAtMs: Int64 = 0
  var restorer: Restorer?
  /// Of the restore's steps, the one that waits for an answer from the broker.
  var fetching: (partitions: [TopicPartition], round: Int)?
  var restoreBeganMs: Int64 = 0
  var isBehind = false
  var gaugesAtMs: Int64 = 0
  /// Since when partitions have waited to be restored, through all tries.
  var stalledFromMs: Int64?
  var needsRollBack = false
  /// What waiting does not mend: thrown with the next roll-back.
  var refusal: WorkerError?
  /// When a transaction last failed; long ago: none has.
  var failedAtMs = Int64.min / 2
  var counted = PartitionTask.Counts()
  var lagging: Set<TopicPartition> = []

  /// How long a call may take that a rebalance or the end of the process may have to wait for.
  static let callMs: Int32 = 1000
  /// A transaction's end may take as long as the broker would leave it open.
  static let endMs: Int32 = 5000
  static let retryMs: Int64 = 500
  /// A transaction that fails so soon after another is not tried again at once.
  static let soonMs: Int64 = 10_000
  static let stalledMs: Int64 = 30_000
  static let idleMs: Int64 = 500
  static let namesakeMs: Int64 = 3000
  static let gaugesMs: Int64 = 500

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
    stopping.onSet(consumer.waker.wake)
    member = Member(
      name: "\(name)-\(UInt64.random(in: .min ... .max))", layout: plan.layout, settings: plan.settings,
      checkpointMs: plan.checkpointMs,
      hashSeed: UInt64.random(in: .min ... .max))
    transactions = TransactionStateMachine(pace: plan.pace)
  }

  /// Works until it is told to stop.
  ///
  /// - Throws: ``WorkerError`` for what waiting does not mend.
  consuming func run() throws {
    do {
      while !stopping.isSet { try turn() }
    } catch {
      close()
      throw error
    }
    let nowMs = MonotonicClock.nowMs()
    if member.hasWork(nowMs: nowMs) || transactions.isOpen { commit(nowMs: nowMs) }
    close()
  }

  private mutating func turn() throws {
    var nowMs = MonotonicClock.nowMs()
    metrics.watch.began(number, nowMs: nowMs)
    try makeSender(nowMs: nowMs)
    consumer.receive(into: &batch, events: &events, waitMs: waitMs(nowMs))
    nowMs = MonotonicClock.nowMs()
    isBehind = batch.count >= batch.capacity / 2
    process()
    try handleEvents(nowMs: nowMs)
    member.fireIdleTimers(nowMs: WallClock.nowMs())
    try restore(nowMs: nowMs)
    // What a failed restore left half done must not be committed.
    if !needsRollBack { transact(nowMs: nowMs) }
    if needsRollBack { try rollBack(nowMs: nowMs) }
    sender?.producer.serve()
    report(nowMs: nowMs)
  }

  /// Until something has to be done that no message announces.
  private func waitMs(_ nowMs: Int64) -> Int32 {
    if restorer != nil { return 1 }
    if fetching != nil { return Int32(min(Self.idleMs, max(1, retryAtMs - nowMs))) }
    var wait = Self.idleMs
    let idle = member.nextIdleDeadline
    if idle != .max { wait = min(wait, max(0, idle - WallClock.nowMs())) }
    switch transactions.next(nowMs: nowMs, hasWork: member.hasWork(nowMs: nowMs), isBehind: isBehind) {
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
      if let reason = task.process(input, scratch: &member.scratch) {
        metrics.deadLetter(reason)
        let headers = record.allHeaders.map { ($0.name, $0.value.map(Array.init)) }
        task.sendToDeadLetters(input, headers: headers, reason: reason, scratch: &member.scratch)
      }
    }
    batch.removeAll()
  }

  private func say(_ what: String, _ partitions: [TopicPartition]) {
    log.info(what, .member(number), .partitions(partitions.sorted().map(\.description).joined(separator: " ")))
  }

  private mutating func handleEvents(nowMs: Int64) throws {
    guard !events.isEmpty else { return }
    let events = events
    self.events.removeAll(keepingCapacity: true)
    for event in events {
      switch event {
      case .assigned(let partitions):
        say("assigned", partitions)
        try perform(member.assigned(partitions), nowMs: nowMs)
      case .revoked(let partitions, let isLost):
        say(isLost ? "lost" : "revoked", partitions)
        if isLost {
          try rollBack(nowMs: nowMs)
        } else if member.hasWork(nowMs: nowMs) || transactions.isOpen {
          commit(nowMs: nowMs)
          if needsRollBack { try rollBack(nowMs: nowMs) }
        }
        try perform(member.revoked(isLost: isLost), nowMs: nowMs)
      case .endOfPartition(let partition, let offset):
        if let topic = plan.topics.input.firstIndex(of: partition.topic) {
          member.runningTask(topic: topic, partition: partition.partition)?.reachedEnd(at: offset)
        }
      case .failed(let error, _):
        try handle(error, nowMs: nowMs)
      }
    }
  }

  private mutating func handle(_ error: KafkaError, nowMs: Int64) throws {
    if error.isFatal, error.kind == .fenced { throw WorkerError.replaced(id: plan.name) }
    if error.isFatal { throw WorkerError.refused("\(error)") }
    switch error.kind {
    // One of several that is away is no news; the others take its place.
    case .unreachable: if error.name == "_ALL_BROKERS_DOWN" { metrics.isUnreachable(plan.servers, error, log) }
    case .authentication, .authorization: throw WorkerError.refused(error.description)
    case .unknownTopic, .fenced, .settings, .other:
      // A position that the log no longer has: what is committed and what is there is looked at anew.
      if error.isOutOfRange {
        log.once("moved \(number)", .warning, "the log has moved on", .member(number), .error(error))
        retryAtMs = nowMs + Self.retryMs
        try rollBack(nowMs: nowMs)
      } else {
        log.once("\(error.name)", .warning, "the broker complains", .member(number), .error(error))
      }
    }
  }

  // MARK: The end, and what is told meanwhile

  /// Partitions are given back, so that others need not wait for the session to end.
  private consuming func close() {
    batch.removeAll()
    report(nowMs: .max)
    restorer = nil
    // Left open, it would keep the next owner waiting until its timeout.
    if transactions.isOpen { try? sender?.producer.abort(timeoutMs: Self.callMs) }
    if !consumer.close(boundedMs: Int(Self.endMs)) { log.warning("leaving the group took too long", .member(number)) }
    _ = sender?.producer.close(boundedMs: Int(Self.callMs))
  }

  private mutating func report(nowMs: Int64) {
    guard nowMs - gaugesAtMs >= Self.gaugesMs || nowMs == .max else { return }
    gaugesAtMs = nowMs
    metrics.count(member.counts, since: counted)
    counted = member.counts
    var rooms = 0
    var told: Set<TopicPartition> = []
    member.forEachTask { task in
      rooms += task.roomCount
      told.insert(task.partition)
      if let end = consumer.cachedEnd(of: task.partition) {
        metrics.setLag(max(0, end - task.nextOffset), of: task.partition)
      }
    }
    for partition in lagging.subtracting(told) { metrics.removeLag(of: partition) }
    lagging = told
    metrics.setMember(number, rooms: rooms, isReady: member.isSettled && sender != nil)
  }
}
