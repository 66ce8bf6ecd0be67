import Kafka
import Probes
import Wire

/// Runs a member's transactions: has producers made, and begins, sends and commits when it is time; says what fails, and
/// sees to what can be mended. Its calls block.
///
/// After a transaction that failed, or whose end is unknown, everything goes back to the committed state: the owner of
/// the runner looks at ``ProducerTurns/hasFailed``, calls ``abort()`` and rolls the ``Member`` back.
struct TransactionRunner<Clients: MemberClients>: ~Copyable {
  private let context: MemberContext<Clients>
  var turns: ProducerTurns<Clients.Producer>
  private(set) var settlement: Settlement<Clients>
  /// An error that waiting does not mend: thrown once the open transaction has been given up.
  private var refusal: WorkerError?
  /// The limits of the output topics.
  private(set) var limits: OutputLimits
  /// A topic has fewer partitions than before.
  private var fewer = Standing()
  /// The time by which the next transaction has failed, if it fails for the same reason.
  private static var againMs: Int64 { 3000 }
  /// No transaction can begin.
  private var heldUp = Standing()
  /// While brokers answer, producers are there again by then, and nothing of the last transactions hangs.
  private static var lateMs: Int64 { 2000 }
  /// Reasons of the dead letters that are not committed yet.
  var deadLetters: [NotUnderstood] = []
  /// Batches that were not unpacked.
  var passed: [(partition: TopicPartition, batch: PassedBatch)] = []

  /// - Parameter past: The transactions of an earlier member with our ids.
  init(_ context: MemberContext<Clients>, past: PastTransactions) {
    self.context = context
    limits = context.plan.limits
    settlement = Settlement(context)
    turns = ProducerTurns(
      pace: context.plan.pace, isNamed: context.plan.isNamed, past: past, clock: context.clients.monotonicMs)
  }

  /// Makes the producers where there are none.
  ///
  /// - Parameter memberId: The group's name for the member; nil: it has none at the moment.
  /// - Throws: ``WorkerError`` for what waiting does not mend, ``PlaceLost``.
  mutating func connect(memberId: String?, nowMs: Int64) throws {
    guard !turns.isConnected else { return }
    try turns.confirmPlace(memberId: memberId, nowMs: nowMs) {
      // A refusal meets the producers, too.
      var place = GroupPlace(context)
      return try? place.ask()
    }
    do throws(KafkaError) {
      try turns.connect(nowMs: nowMs) { [context, limits] turn throws(KafkaError) in
        try context.clients.producer(context, limits, turn)
      }
    } catch {
      // Brokers that come up one after the other may each have an old answer.
      fewer.ends()
      return try handleRefusedStart(error)
    }
    guard let error = turns.producers.lazy.compactMap({ [context] in $0.madeAnew(since: context.plan.layout) }).first
    else {
      if turns.isConnected { fewer.ends() }
      return
    }
    turns.disconnect()
    if fewer.holds(nowMs: nowMs) >= CallLimit.staleMs { throw error }
  }

  /// Sees to what the last transactions left hanging, before the next one begins.
  ///
  /// - Parameter memberId: The group's name for the member; nil: it has none at the moment.
  /// - Throws: ``PlaceLost``, ``WorkerError/refused(_:isOfTransaction:)``.
  mutating func settle(memberId: String?, nowMs: Int64) throws {
    try settlement.step(&turns, memberId: memberId, nowMs: nowMs)
  }

  /// The number of partitions, by input, for which all producers know of places.
  var writable: [String: Int32] {
    turns.producers.map { $0.places }.reduce(nil) { $0?.merging($1, uniquingKeysWith: min) ?? $1 } ?? [:]
  }

  /// Whether no transaction can begin for so long that what is decided meanwhile should not be kept.
  mutating func isHeldUp(nowMs: Int64) -> Bool {
    if turns.isOpen || turns.isConnected && turns.isSettled {
      heldUp.ends()
      return false
    }
    return heldUp.holds(nowMs: nowMs) >= Self.lateMs
  }

  private func handleRefusedStart(_ error: KafkaError) throws(WorkerError) {
    switch error.kind {
    case .unreachable where error.isAnswered:
      context.health.failing(context.number, "no coordinator begins transactions yet", error, .broker(error.name))
    case .unreachable: context.reportUnreachable(error)
    case .authentication, .authorization, .settings: throw context.refused(error)
    case .unknownTopic, .fenced, .other:
      context.health.failing(context.number, "no transactions yet", error, .broker(error.name))
    }
  }

  /// Does everything that is due.
  mutating func step(_ member: inout Member, of group: Clients.Producer.Group, isBehind: Bool, nowMs: Int64) {
    do throws(KafkaError) {
      if try turns.step(&member, of: group, isBehind: isBehind, nowMs: nowMs, handled: Self.observing(context)) {
        reportCommit(beganMs: nowMs)
      }
    } catch {
      report(error)
    }
  }

  /// Commits all that there is, as before partitions are given back.
  mutating func finish(_ member: inout Member, of group: Clients.Producer.Group, nowMs: Int64) {
    do throws(KafkaError) {
      if try turns.finish(&member, of: group, nowMs: nowMs, handled: Self.observing(context)) {
        reportCommit(beganMs: nowMs)
      }
    } catch {
      report(error)
    }
  }

  /// Commits where a group begins, while nothing else is open.
  ///
  /// - Returns: Whether it is through; if not, everything goes back to what is committed.
  mutating func commit(_ begin: GroupBeginning, of group: Clients.Producer.Group) -> Bool {
    do throws(KafkaError) {
      guard try turns.commit(Member.Commit(offsets: begin.offsets), of: group) else { return false }
      context.log.info(
        "the group begins here", .topic(begin.topic),
        .offsets(begin.offsets.map { "\($0.partition.partition):\($0.offset)" }.joined(separator: " ")),
        .before(begin.before), .after(begin.after))
      return true
    } catch {
      report(error)
      return false
    }
  }

  /// Records of an input that were produced at some time are through.
  private static func observing(_ context: MemberContext<Clients>) -> (String, Int64, Int64) -> Void {
    { input, timeMs, records in
      context.metrics.observeLatency(
        of: input, seconds: Double(context.clients.wallMs() - timeMs) / 1000, records: records)
    }
  }

  private mutating func reportCommit(beganMs: Int64) {
    context.metrics.transactions.observe(Double(context.clients.monotonicMs() - beganMs) / 1000)
    context.health.answered()
    context.health.committed(context.number, withCommands: turns.producers.contains { $0.hasSentCommands })
    context.metrics.count(.committed)
    for reason in deadLetters { context.metrics.countDeadLetter(reason) }
    deadLetters.removeAll(keepingCapacity: true)
    context.report(passed: passed)
    passed = []
  }

  private mutating func report(_ error: KafkaError) {
    context.metrics.count(error.isTimedOut ? .unknown : .failed)
    // A right that is missing, or a record that the broker would not take, tells more than the call that failed for it.
    let sender = turns.current
    let reason = sender?.refusal ?? sender?.deliveryFailure ?? error
    if error.kind == .unreachable { context.reportUnreachable(error) }
    if reason.kind == .authentication || reason.kind == .authorization {
      refusal = context.refused(reason, isOfTransaction: true)
    }
    let advice =
      reason.isTooLarge
      ? " (that topic will be sent less at a time; if this comes again and again, raise its max.message.bytes)"
      : reason.isUndelivered ? " (see that this partition has a leader, and min.insync.replicas of it in sync)" : ""
    if refusal == nil {
      let isAway = reason.kind == .unreachable && !reason.isAnswered
      if !isAway, reason.kind != .fenced {
        context.health.raise(
          .transactionFailed, Unreadiness(.failing, "a transaction failed\(advice): \(reason)"), of: context.number,
          until: .commit, pauseMs: Self.againMs)
      }
      context.log.warning(
        "a transaction failed; going back to what is committed\(advice)", .member(context.number), .error(reason))
    }
  }

  /// Gives up an open transaction.
  ///
  /// - Throws: ``WorkerError`` for an error that waiting does not mend.
  mutating func abort() throws(WorkerError) {
    deadLetters.removeAll(keepingCapacity: true)
    passed = []
    var refused: String?
    turns.abort { [context] sender, failure in
      if let failure {
        context.log.warning("a transaction could not be aborted", .member(context.number), .error(failure))
      }
      // A commit may fail for a record before the report about that record is here; by now it is.
      if sender.deliveryFailure?.isTooLarge == true { refused = sender.refusingTopic }
    }
    if let refused { lowerLimits(of: refused) }
    if let refusal { throw refusal }
  }

  /// A topic has refused a record for its size: its limit was changed, or not known. Asks for it; the next producers
  /// keep to it.
  private mutating func lowerLimits(of topic: String) {
    do throws(KafkaError) {
      let admin = try context.clients.admin(context)
      limits.refused(topic, try admin.settings(of: topic, timeoutMs: CallLimit.callMs))
    } catch {
      limits.refused(topic, [:])
    }
  }

  /// Serves what the producers have to report, between their calls.
  func serve() {
    for producer in turns.producers { producer.serve() }
  }
}
