import Kafka
import Platform
import Probes
import Wire

/// Runs a member's transactions: owns the producer, begins, sends and commits when it is time, and sees to what fails.
/// Its calls block.
///
/// Where a transaction did not go through, or nobody knows, everything goes back to what is committed: whoever owns the
/// runner looks at ``hasFailed``, calls ``abort(nowMs:)`` and rolls the ``Member`` back.
struct TransactionRunner: ~Copyable {
  private let context: MemberContext
  private var state: TransactionStateMachine
  private var sender: Sender?
  /// What waiting does not mend: thrown once what is open has been given up.
  private var refusal: WorkerError?
  /// What the output topics take.
  private(set) var limits: OutputLimits
  /// Since when a topic has had fewer partitions than it had.
  private var fewerSinceMs: Int64?
  /// Longer than brokers take to hear that a topic has grown.
  private static let staleMs: Int64 = 10_000
  /// Why there are the dead letters that are not committed yet.
  var deadLetters: [NotUnderstood] = []

  init(_ context: MemberContext) {
    self.context = context
    limits = context.plan.limits
    state = TransactionStateMachine(pace: context.plan.pace)
  }

  var hasFailed: Bool { state.hasFailed }
  var notBeforeMs: Int64 { state.notBeforeMs }
  /// Whether what an earlier producer with our name left open has been ended.
  var isConnected: Bool { sender != nil }
  func isReady(nowMs: Int64) -> Bool { isConnected && nowMs >= notBeforeMs }

  /// Until something has to be done that no message announces; `.max`: nothing has.
  func waitMs(nowMs: Int64, hasWork: Bool, isBehind: Bool) -> Int64 {
    switch state.next(nowMs: nowMs, hasWork: hasWork, isBehind: isBehind) {
    case .wait(untilMs: .max): .max
    case .wait(let until): max(0, until - nowMs)
    case .begin, .commit: isConnected ? 0 : max(0, notBeforeMs - nowMs)
    }
  }

  /// Makes the producer where there is none.
  mutating func connect(nowMs: Int64) throws(WorkerError) {
    guard sender == nil, nowMs >= notBeforeMs else { return }
    let made: Sender
    do throws(KafkaError) {
      made = try Sender(context, limits)
    } catch {
      state.connectFailed(nowMs: MonotonicClock.nowMs())
      return try handleRefusedStart(error)
    }
    guard let error = made.madeAnew(since: context.plan.layout) else {
      fewerSinceMs = nil
      sender = made
      return
    }
    made.close()
    state.connectFailed(nowMs: MonotonicClock.nowMs())
    let since = fewerSinceMs ?? nowMs
    fewerSinceMs = since
    if nowMs - since >= Self.staleMs { throw error }
  }

  /// Of each input, for how many partitions the producer knows of places.
  var writable: [String: Int32] { sender?.places ?? [:] }

  /// Has another producer made, which knows how many partitions topics have by now, unless a transaction is open.
  mutating func reconnect() {
    if !state.isOpen { dropSender() }
  }

  private func handleRefusedStart(_ error: KafkaError) throws(WorkerError) {
    switch error.kind {
    // A coordinator that has just started answers that it is not ready yet.
    case .unreachable where error.name.hasPrefix("COORDINATOR_"): break
    case .unreachable: context.reportUnreachable(error)
    case .authentication, .authorization, .settings: throw context.refused(error)
    case .unknownTopic, .fenced, .other:
      context.log.once(error.name, .warning, "no transactions yet", .member(context.number), .error(error))
    }
  }

  /// Does what it is time for.
  mutating func step(_ member: inout Member, of consumer: borrowing GroupConsumer, isBehind: Bool, nowMs: Int64) {
    guard let sender else { return }
    do throws(KafkaError) {
      switch state.next(nowMs: nowMs, hasWork: member.hasWork(nowMs: nowMs), isBehind: isBehind) {
      case .wait where state.isOpen:
        try send(sender, &member)
      case .wait:
        break
      case .begin:
        try begin(sender, nowMs: nowMs)
        try send(sender, &member)
      case .commit:
        try commit(sender, &member, of: consumer, nowMs: nowMs)
      }
    } catch {
      fail(error)
    }
  }

  /// Commits all that there is, as before partitions are given back.
  mutating func finish(_ member: inout Member, of consumer: borrowing GroupConsumer, nowMs: Int64) {
    guard let sender, state.isOpen || member.hasWork(nowMs: nowMs) else { return }
    do throws(KafkaError) {
      try commit(sender, &member, of: consumer, nowMs: nowMs)
    } catch {
      fail(error)
    }
  }

  /// Commits where a group begins, while nothing else is open.
  ///
  /// - Returns: Whether it is through; if not, everything goes back to what is committed.
  mutating func commit(_ begin: GroupStart.Begin, of consumer: borrowing GroupConsumer) -> Bool {
    guard let sender, !state.isOpen else { return false }
    do throws(KafkaError) {
      try self.begin(sender, nowMs: MonotonicClock.nowMs())
      try sender.commit(Member.Commit(offsets: begin.offsets), group: consumer.groupMetadata())
      state.ended(nowMs: MonotonicClock.nowMs())
      return true
    } catch {
      fail(error)
      return false
    }
  }

  private mutating func begin(_ sender: Sender, nowMs: Int64) throws(KafkaError) {
    try sender.begin()
    state.began(nowMs: nowMs)
  }

  private func send(_ sender: Sender, _ member: inout Member) throws(KafkaError) {
    try sender.send(member.scratch.outbox)
    member.scratch.outbox.removeAll()
  }

  private mutating func commit(
    _ sender: Sender, _ member: inout Member, of consumer: borrowing GroupConsumer, nowMs: Int64
  ) throws(KafkaError) {
    if !state.isOpen { try begin(sender, nowMs: nowMs) }
    let commit = member.prepareCommit(nowMs: nowMs)
    try send(sender, &member)
    try sender.commit(commit, group: consumer.groupMetadata())
    let endedMs = MonotonicClock.nowMs()
    state.ended(nowMs: endedMs)
    context.metrics.transactions.observe(Double(endedMs - nowMs) / 1000)
    context.reportReachable()
    context.standing.committed(context.number, withCommands: sender.hasSentCommands)
    context.log.over("moved \(context.number)")
    context.metrics.count(.committed)
    let wallMs = WallClock.nowMs()
    let metrics = context.metrics
    member.committed(commit) { input, timeMs, records in
      metrics.observeLatency(of: input, seconds: Double(wallMs - timeMs) / 1000, records: records)
    } written: {
      sender.written($0)
    }
    for reason in deadLetters { context.metrics.countDeadLetter(reason) }
    deadLetters.removeAll(keepingCapacity: true)
  }

  private mutating func fail(_ error: KafkaError) {
    let nowMs = MonotonicClock.nowMs()
    context.metrics.count(error.isTimedOut ? .unknown : .failed)
    // A right that is missing, or a record that the broker would not take, tells more than the call that failed for it.
    let reason = sender?.refusal ?? sender?.deliveryFailure ?? error
    if error.kind == .unreachable { context.reportUnreachable(error) }
    if reason.kind == .authentication || reason.kind == .authorization {
      refusal = context.refused(reason, isOfTransaction: true)
    }
    let advice =
      reason.isTooLarge
      ? " (that topic will be sent less at a time; if this comes again and again, raise its max.message.bytes)" : ""
    if refusal == nil {
      context.log.warning(
        "a transaction failed; going back to what is committed\(advice)", .member(context.number), .error(reason))
    }
    if reason.isTooLarge { lowerLimits() }
    // Of a topic that was made anew a producer knows only what was before.
    let isTopicAnother = error.kind == .unknownTopic || reason.kind == .unknownTopic
    if error.isFatal || error.isTimedOut || !error.requiresAbort || isTopicAnother { dropSender() }
    state.failed(nowMs: nowMs, hasNamesake: error.kind == .fenced && context.plan.isNamed)
  }

  /// Somebody changed what a topic takes, or nobody could tell: the next producer is to send no more than that.
  private mutating func lowerLimits() {
    guard sender?.deliveryFailure?.isTooLarge == true, let topic = sender?.refusingTopic else { return }
    let plan = context.plan
    do throws(KafkaError) {
      let admin = try Admin(properties: plan.properties, clientId: context.clientId, log: plan.clientLog)
      limits.refused(topic, try admin.describe([topic], timeoutMs: MemberContext.callMs).settings)
    } catch {
      limits.refused(topic, [:])
    }
    dropSender()
  }

  /// Gives up what is open.
  ///
  /// - Throws: ``WorkerError`` for what waiting does not mend.
  mutating func abort(nowMs: Int64) throws(WorkerError) {
    deadLetters.removeAll(keepingCapacity: true)
    if state.isOpen {
      do throws(KafkaError) {
        try sender?.abort(timeoutMs: MemberContext.endMs)
        // A commit may fail for a record before the report about that record is here; by now it is.
        lowerLimits()
      } catch {
        context.log.warning("a transaction could not be aborted", .member(context.number), .error(error))
        dropSender()
      }
    }
    if state.isOpen || state.hasFailed { state.ended(nowMs: nowMs) }
    if let refusal { throw refusal }
  }

  private mutating func dropSender() {
    sender?.close()
    sender = nil
  }

  /// Serves what the producer has to report, between its calls.
  func serve() { sender?.serve() }

  // MARK: The end

  /// What is left open would keep the next owner waiting until its timeout.
  func abandon() {
    if state.isOpen { try? sender?.abort(timeoutMs: MemberContext.callMs) }
  }

  func close() { sender?.close() }
}
