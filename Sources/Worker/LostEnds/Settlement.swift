import Kafka
import KafkaProbes
import Probes
import Settings

/// Sees to what earlier transactions with a member's ids left hanging, where a broker that came up lost the markers of
/// their ends. It runs once new producers are made, or a broker was away, which is when no coordinator has anything left
/// to do for the earlier ones, and before the next one begins. Its calls block.
///
/// What the member itself began is decided again, as it was decided (``LastTransaction``). What others began with its ids
/// can only be waited for: which way that was decided isn't known here (``PastLook``). No wait is without end: while brokers
/// answer, the member goes on in the end as if there were nothing.
struct Settlement<Clients: MemberClients> {
  private let context: MemberContext<Clients>
  private var watch: Clients.Watch?
  private var watchFromMs: Int64 = 0
  private var look = PastLook<Clients>()
  private var isLooking = false
  /// From when on all that was asked has been answered, and nothing was ended once more.
  private var answeredFromMs: Int64?
  /// From when on some broker has answered something each time.
  private var reachedFromMs: Int64?
  /// Partitions of which no broker has told, and since when.
  private var untoldFromMs: [TopicPartition: Int64] = [:]
  /// The number of times in a row that a transaction could not be ended once more.
  private var failures = 0
  private var nextLookMs: Int64 = 0
  /// Where partitions ended when they were looked at first: all that may hang lies before.
  private var firstEnds: [TopicPartition: Int64] = [:]
  /// Last stable offsets, as of the last look.
  private var readable: [TopicPartition: Int64] = [:]
  /// Those at which a transaction of the member's own stood that was ended once more: they move in a moment.
  private var ended: [TopicPartition: Int64] = [:]
  /// Transactions for whose offsets nothing is pending: that stays so.
  private var stable: Set<Int> = []
  /// Partitions that another's transaction hides at the moment.
  private var held: [TopicPartition] = []
  /// Partitions of which no broker told at the last look: they have no leader, and so no end that could be seen.
  private var leaderless: [TopicPartition] = []

  /// While brokers answer, a marker that is not lost is written by then, and the group's coordinator has seen it.
  private static var lateMs: Int64 { 2000 }
  /// A broker takes so long to see that the time of a transaction is over.
  private static var sweepMs: Int64 { 15_000 }
  /// A partition of which no broker has told for so long holds nobody up.
  private static var untoldMs: Int64 { 30_000 }
  /// A client that was made while a broker was away may not find its way for long.
  private static var watchMs: Int64 { 5000 }
  private static var mostFailures: Int { 5 }

  /// No transaction of others is open for so long.
  private var overdueMs: Int64 { context.plan.properties.transactionMs + Self.sweepMs }

  init(_ context: MemberContext<Clients>) { self.context = context }

  /// Does what it is time for. What fails begins anew.
  ///
  /// - Parameter memberId: The group's name for the member; nil: it has none at the moment.
  /// - Throws: ``PlaceLost``, ``WorkerError/refused(_:isOfTransaction:)``.
  mutating func step(_ turns: inout ProducerTurns<Clients.Producer>, memberId: String?, nowMs: Int64) throws {
    turns.doubt()
    guard turns.isConnected, !turns.isSettled, !turns.hasFailed else { return reset() }
    guard nowMs >= nextLookMs else { return }
    nextLookMs = nowMs + Settling.lookMs
    isLooking = true
    reachedFromMs = reachedFromMs ?? nowMs
    let from = answeredFromMs ?? nowMs
    answeredFromMs = from
    do {
      if watch == nil { (watch, watchFromMs) = (try context.clients.watch(context), nowMs) }
      if turns.past.isKnown {
        while let next = turns.oldestUnsettled, !turns.hasFailed {
          let step = try step(next, isFollowed: turns.past.isFollowed(next), waitedMs: nowMs - from, nowMs: nowMs)
          guard try take(step, &turns, memberId) else { break }
        }
      } else if try look.isOver(context, watch!) {
        turns.settledPast()
      }
    } catch let error as KafkaError {
      answeredFromMs = nil
      // One that has nothing to do needs no right for it.
      if error.isRefusal, !turns.isRetired { throw context.refused(error) }
      context.log.debug("what became of a transaction is not known yet", .member(context.number), .error(error))
      if !isReached(in: error) { (reachedFromMs, untoldFromMs) = (nil, [:]) }
      if nowMs - watchFromMs >= Self.watchMs { watch = nil }
    }
    if turns.isConnected, !turns.isSettled, !turns.hasFailed, isOver(turns.past, nowMs: nowMs) { goOn(&turns) }
    if turns.isSettled { reset() } else { tellLeaderless(turns.past.isKnown ? leaderless : look.leaderless) }
  }

  /// No other part of the program waits for these partitions, so nobody else tells of them.
  private func tellLeaderless(_ partitions: [TopicPartition]) {
    guard !partitions.isEmpty else { return context.health.end(.leaderlessTransactions, of: context.number) }
    let places = partitions.map(\.description).joined(separator: " ")
    context.health.raise(
      .leaderlessTransactions, Unreadiness(.failing, "a member waits for a leader of \(places)"), of: context.number,
      pauseMs: Int64(CallLimit.callMs)
    ) {
      $0.warning(
        "a member that looks what became of its last transactions waits for partitions without a leader",
        .member(context.number), .partitions(places))
    }
  }

  private mutating func reset() {
    guard isLooking else { return }
    (isLooking, answeredFromMs, reachedFromMs, watch, look) = (false, nil, nil, nil, PastLook())
    (firstEnds, readable, ended, stable, held, untoldFromMs) = ([:], [:], [:], [], [], [:])
    leaderless = []
    tellLeaderless([])
  }

  /// Whether some broker answers at all. Where none does nobody goes on.
  private func isReached(in error: KafkaError) -> Bool {
    if error.kind != .unreachable || error.isAnswered { return true }
    return (try? watch?.partitionCount(of: context.plan.topics.commands, timeoutMs: CallLimit.callMs / 2)) != nil
  }

  /// Whether waiting longer would tell nothing more: what still hangs no living member ends.
  private func isOver(_ past: PastTransactions, nowMs: Int64) -> Bool {
    guard let reachedFromMs else { return false }
    // What a member knows of its own is decided once more, or left, before that.
    return nowMs - reachedFromMs >= overdueMs + (past.isKnown ? 4 : 1) * 10_000
  }

  /// What hangs goes the way of the next transaction with its id in that place.
  private func goOn(_ turns: inout ProducerTurns<Clients.Producer>) {
    context.log.warning(
      "a member goes on, and what became of its last transactions is not known; if one hangs, `flyscreen transactions`"
        + " lists what ends it", .member(context.number),
      .partitions(awaited.map(\.description).joined(separator: " ")))
    turns.goOn()
  }

  /// Where it waits until another ends what hangs.
  var awaited: [TopicPartition] { held + look.awaited }

  /// - Returns: Whether the next one may be looked at now.
  private mutating func take(
    _ step: LastTransaction.Step, _ turns: inout ProducerTurns<Clients.Producer>, _ memberId: String?
  ) throws -> Bool {
    switch step {
    case .wait: return false
    case .settled: turns.oldestHasEnded()
    case .leave:
      context.log.warning(
        "a transaction may hang, and which way it was decided can't be known; if it does, `flyscreen transactions` lists"
          + " what ends it", .member(context.number))
      turns.forgetPast()
      reachedFromMs = nil
      return false
    case .again(let partitions, let inGroup, let isCommit):
      guard try mayEnd(memberId) else { return false }
      // Where another's hangs before it nothing moves by this.
      for partition in partitions where !held.contains(partition) { ended[partition] = readable[partition] }
      endAgain(&turns, partitions, inGroup: inGroup, isCommit: isCommit)
      // Its markers take their time, too.
      answeredFromMs = nil
      return false
    }
    return true
  }

  /// Whoever took the member's place before the producers were made may have used their ids.
  private func mayEnd(_ memberId: String?) throws(PlaceLost) -> Bool {
    if context.tenure.isOver { return false }
    guard context.plan.isNamed else { return true }
    var place = GroupPlace(context)
    guard let memberId, let holder = (try? place.ask())?.holder else { return false }
    guard holder.id == memberId else { throw PlaceLost() }
    return true
  }

  private mutating func endAgain(
    _ turns: inout ProducerTurns<Clients.Producer>, _ partitions: [TopicPartition], inGroup: Bool, isCommit: Bool
  ) {
    let places = partitions + (inGroup ? [TopicPartition(OffsetsTopic.name, -1)] : [])
    do throws(KafkaError) {
      try turns.endAgain(partitions, inGroup: inGroup, isCommit: isCommit)
      failures = 0
      context.log.warning(
        "a broker may have lost the end of a transaction; it is \(isCommit ? "committed" : "aborted") once more",
        .member(context.number), .partitions(places.map(\.description).joined(separator: " ")))
    } catch {
      context.log.warning("a transaction could not be ended once more", .member(context.number), .error(error))
      failures += 1
      guard failures >= Self.mostFailures else { return }
      failures = 0
      turns.oldestHasEnded()
    }
  }

  // MARK: Evidence

  private mutating func step(
    _ last: LastTransaction, isFollowed: Bool, waitedMs: Int64, nowMs: Int64
  ) throws(KafkaError) -> LastTransaction.Step {
    var evidence = TransactionEvidence(offsets: .none, isStable: true)
    evidence.isHeldForGood = true
    let touched = last.touched.keys.sorted()
    // The first transaction of a group has offsets alone. Ends of no partitions are refused.
    let ends = touched.isEmpty ? [:] : try Settling.ends(of: touched, watch!, context.clients)
    readable.merge(ends.mapValues(\.readable)) { $1 }
    let hanging = context.metrics.hanging
    hanging.note(ends, nowMs: context.clients.monotonicMs(), context.plan.transactionTool, context.log)
    var reader: Clients.Reader?
    for partition in touched {
      guard let ends = ends[partition] else {
        let from = untoldFromMs[partition] ?? nowMs
        untoldFromMs[partition] = from
        if nowMs - from < Self.untoldMs { evidence.untold.insert(partition) } else { evidence.gone.insert(partition) }
        continue
      }
      untoldFromMs[partition] = nil
      let firstEnd = firstEnds[partition] ?? ends.end
      firstEnds[partition] = firstEnd
      let first = last.touched[partition]!
      if let first, ends.readable < first, ends.readable < ends.end {
        evidence.held.insert(partition)
        let isKnown = hanging.known[partition] == ends.readable && ended[partition] != ends.readable
        if !isKnown { evidence.isHeldForGood = false }
      } else if last.isAborted {
        if first.map({ $0 < ends.readable }) ?? (ends.readable >= firstEnd) { evidence.passed[partition] = false }
      } else if let offset = first, offset < ends.readable {
        if last.end == .committed {
          evidence.passed[partition] = true
        } else if mayRead(partition) {
          if reader == nil { reader = try context.clients.reader(context) }
          evidence.passed[partition] = try sees(offset, in: partition, by: reader!)
        } else {
          evidence.unread.insert(partition)
        }
      }
    }
    held = evidence.held.union(evidence.untold).union(evidence.gone).sorted()
    leaderless = evidence.untold.sorted()
    // Where a partition has just got a leader, its marker is still to come.
    if !evidence.untold.isEmpty { answeredFromMs = nil }
    if let sent = last.offsets.first {
      let found = try watch!.decided(last.offsets.map(\.partition), timeoutMs: CallLimit.callMs)
      evidence.offsets = TransactionEvidence.offsets(
        of: last, found: Dictionary(uniqueKeysWithValues: found.map { ($0.partition, $0) }))
      if !stable.contains(last.number), try isStable(sent.partition) { stable.insert(last.number) }
      evidence.isStable = stable.contains(last.number)
    }
    return last.step(
      evidence, isFollowed: isFollowed, isLate: waitedMs >= Self.lateMs,
      isOverdue: waitedMs >= overdueMs)
  }

  /// Whether nothing is pending for the group's offset of the partition. A coordinator that keeps it back answers for
  /// others; one that answers nothing may have just come up.
  private func isStable(_ partition: TopicPartition) throws(KafkaError) -> Bool {
    let topics = context.plan.topics
    // Nobody commits an offset of a journal.
    let other = TopicPartition(topics.helpers.journal(of: topics.input[0]), 0)
    _ = try watch!.stable([other], timeoutMs: CallLimit.callMs)
    return try Settling.isStable(partition, watch!)
  }

  /// Whether it is a topic from which a worker restores. The others it only writes to.
  private func mayRead(_ partition: TopicPartition) -> Bool {
    let (inputs, helpers) = (context.plan.topics.input, context.plan.topics.helpers)
    return inputs.contains { [helpers.changelog(of: $0), helpers.journal(of: $0)].contains(partition.topic) }
  }

  /// Whether committed readers see the record with that offset, which they have passed.
  private func sees(_ offset: Int64, in partition: TopicPartition, by reader: Clients.Reader) throws(KafkaError) -> Bool
  {
    _ = try reader.partitionCount(of: partition.topic, timeoutMs: CallLimit.callMs)
    var isSeen = false
    var ranges = RangeReader(reader)
    try ranges.read(partition, offset..<offset + 1, silenceMs: CallLimit.callMs) { _ in isSeen = true }
    return isSeen
  }
}

enum Settling {
  /// Between two looks, in milliseconds.
  static let lookMs: Int64 = 100
  /// A group's coordinator that keeps an offset back is asked again within it, and so is a partition without a leader.
  private static let briefMs: Int32 = 200

  /// Whether nothing is pending for the group's offset of the partition. Where something is, no answer comes in time; any
  /// other error tells nothing about it.
  static func isStable(_ partition: TopicPartition, _ watch: some MemberWatch) throws(KafkaError) -> Bool {
    do {
      _ = try watch.stable([partition], timeoutMs: briefMs)
      return true
    } catch {
      guard error.isTimedOut, error.kind == .unreachable else { throw error }
      return false
    }
  }

  /// The ends of partitions, but not of those that have no leader, or are gone. Where there is one of these no broker's
  /// answer about the others comes through, so each is asked for alone then, as far as there is time.
  static func ends(
    of partitions: [TopicPartition], _ watch: some MemberWatch, _ clients: some MemberClients
  ) throws(KafkaError) -> [TopicPartition: PartitionEnds] {
    do throws(KafkaError) {
      return try watch.ends(of: partitions, timeoutMs: CallLimit.callMs)
    } catch {
      guard error.isAnswered || error.kind == .unknownTopic else { throw error }
      var found: [TopicPartition: PartitionEnds] = [:]
      let endMs = clients.monotonicMs() + 2 * Int64(CallLimit.callMs)
      // Not the same ones first each time.
      let first = Int(clients.random() % UInt64(partitions.count))
      for partition in partitions[first...] + partitions[..<first] where clients.monotonicMs() < endMs {
        guard let ends = try? watch.ends(of: [partition], timeoutMs: briefMs) else { continue }
        found.merge(ends) { $1 }
      }
      return found
    }
  }
}

/// Looks whether anything hangs of what others did with a member's transactional ids. Its producers are made, so all of that
/// is over, and lies before the ends that partitions have now: once committed readers have passed these, and no offset
/// that was pending is, nothing hangs.
struct PastLook<Clients: MemberClients> {
  /// The ends that committed readers have not passed yet.
  private var ends: [TopicPartition: Int64]?
  /// Inputs for whose offsets something is pending.
  private var pending: Set<TopicPartition> = []
  /// Those of the ends of which no broker told at the last look.
  private(set) var leaderless: [TopicPartition] = []

  mutating func isOver(_ context: MemberContext<Clients>, _ watch: Clients.Watch) throws(KafkaError) -> Bool {
    if ends == nil { try begin(context, watch) }
    if !ends!.isEmpty {
      let all = ends!.keys.sorted()
      let found = try Settling.ends(of: all, watch, context.clients)
      leaderless = all.filter { found[$0] == nil }
      for (partition, found) in found {
        // Also where it had no leader before, or its topic was made anew.
        ends![partition] = min(ends![partition]!, found.end)
        if found.readable >= ends![partition]! { ends![partition] = nil }
      }
    }
    let endMs = context.clients.monotonicMs() + Int64(CallLimit.callMs)
    for partition in pending.sorted() where context.clients.monotonicMs() < endMs {
      if try Settling.isStable(partition, watch) { pending.remove(partition) }
    }
    return ends!.isEmpty && pending.isEmpty
  }

  private mutating func begin(_ context: MemberContext<Clients>, _ watch: Clients.Watch) throws(KafkaError) {
    let topics = context.plan.topics
    func partitions(of topic: String) throws(KafkaError) -> [TopicPartition] {
      let count = try watch.partitionCount(of: topic, timeoutMs: CallLimit.callMs)
      return (0..<Int32(count)).map { TopicPartition(topic, $0) }
    }
    var all: [TopicPartition: Int64] = [:]
    for topic in Set(topics.outputs).sorted() {
      let places = try partitions(of: topic)
      let found = try Settling.ends(of: places, watch, context.clients)
      for place in places { all[place] = found[place]?.end ?? .max }
    }
    for input in topics.input { pending.formUnion(try partitions(of: input)) }
    ends = all
  }

  /// Where committed readers have not passed it. All offsets of a group lie in one partition, which has no number here.
  var awaited: [TopicPartition] { (ends ?? [:]).keys.sorted() }
}
