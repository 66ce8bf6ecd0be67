import Kafka
import KafkaProbes
import Recovery
import Settings
import Probes

enum RestorePause {
  /// The time in milliseconds between two looks whether the things that partitions wait for are there.
  static let waitingMs: Int64 = 2000
}

/// Runs a member's restores: asks for what is committed, reads what the ``Member`` wants of logs and input, and hands it
/// on.
///
/// A restore that the broker interrupts begins once more, a little later: the owner of the runner looks at
/// ``hasFailed`` and tells the member. A partition for which a log has no leader waits by itself.
struct RestoreRunner<Clients: MemberClients>: ~Copyable {
  private enum Phase {
    /// Can go on to: fetching.
    case idle
    /// Asks for what is committed until there is an answer. Can go on to: idle, reading, failed.
    case fetching([TopicPartition], round: Int)
    /// The reader knows what it has still to read. Can go on to: idle, failed.
    case reading(RestoreReader<Clients>)
    /// Can go on to: idle.
    case failed
  }

  private let context: MemberContext<Clients>
  private var phase = Phase.idle
  private var beganMs: Int64 = 0
  /// Nothing is asked for before this time.
  private(set) var notBeforeMs: Int64 = 0
  /// The time since which partitions have waited to be restored, through all tries.
  private var stalledFromMs: Int64?

  private var growth: InputGrowth<Clients>
  /// Partitions that can't be restored yet, and when it is time to ask again.
  private var waiting: (partitions: [TopicPartition], round: Int, untilMs: Int64)?

  private static var retryMs: Int64 { 500 }
  private static var stalledMs: Int64 { 30_000 }

  init(_ context: MemberContext<Clients>) {
    self.context = context
    growth = InputGrowth(context)
  }

  var isFetching: Bool { if case .fetching = phase { true } else { false } }
  var isReading: Bool { if case .reading = phase { true } else { false } }
  /// The restore begins anew. What it has not restored does not run, and so is in no commit.
  var hasFailed: Bool { if case .failed = phase { true } else { false } }

  /// Records that are still to be read, as far as that is known.
  private(set) var remaining: Int64 = 0

  // MARK: The member's wishes

  mutating func fetchCommitted(_ partitions: [TopicPartition], round: Int, nowMs: Int64) {
    stop()
    beganMs = nowMs
    waiting = nil
    phase = .fetching(partitions, round: round)
  }

  /// The same, once it may have an answer that can be used; what is asked for meanwhile is not held up.
  mutating func fetchLater(_ partitions: [TopicPartition], round: Int, nowMs: Int64) {
    let before = waiting?.round == round ? waiting!.partitions : []
    waiting = (Set(before + partitions).sorted(), round, nowMs + RestorePause.waitingMs)
  }

  /// Goes on with what had to wait, where nothing else is restored.
  private mutating func resumeWaiting(nowMs: Int64) {
    guard case .idle = phase, let waiting, nowMs >= waiting.untilMs else { return }
    self.waiting = nil
    phase = .fetching(waiting.partitions, round: waiting.round)
  }

  mutating func readLogs(_ reads: [Member.LogsToRead], round: Int, nowMs: Int64) throws(WorkerError) {
    do throws(KafkaError) {
      phase = .reading(try RestoreReader(context, reads, round: round))
    } catch {
      try fail(error, nowMs: nowMs)
    }
  }

  mutating func replayInput(_ ranges: [TopicPartition: Range<Int64>], nowMs: Int64) throws(WorkerError) {
    guard case .reading(let reader) = phase else { preconditionFailure("the input is read after the logs") }
    do throws(KafkaError) {
      try reader.replayInput(ranges)
    } catch {
      try fail(error, nowMs: nowMs)
    }
  }

  mutating func stop() {
    defer { phase = .idle }
    remaining = 0
    guard case .reading(let reader) = phase else { return }
    context.metrics.countRestored(reader.takeProgress().read)
    guard let topic = reader.foreignTopic else { return }
    context.metrics.foreignRecords.add(reader.foreignRecords)
    context.log.once(
      "foreign \(topic)", .warning,
      "another group writes there, too: its records are passed over; give each group its own topics.helpers",
      .topic(topic), .records(reader.foreignRecords))
  }

  // MARK: Answers

  /// Asks for the committed offsets. The group begins in a topic that has none at all.
  mutating func fetch(
    _ member: inout Member, from consumer: Clients.Consumer, _ transactions: inout TransactionRunner<Clients>,
    nowMs: Int64
  ) throws(WorkerError) -> [Member.Action] {
    resumeWaiting(nowMs: nowMs)
    guard case .fetching(let partitions, let round) = phase, nowMs >= notBeforeMs else { return [] }
    guard round == member.round else {
      phase = .idle
      return []
    }
    let ready: [TopicPartition]
    let leaderless: [TopicPartition: TopicPartition]
    let committed: [Member.Committed]
    do throws(KafkaError) {
      let layout = try growth.look(consumer)
      member.grow(to: layout)
      guard growth.isCovered(by: transactions.writable, nowMs: nowMs) else {
        // The next producer asks for the places anew.
        transactions.turns.release()
        postpone(nowMs: nowMs)
        return []
      }
      let placed = partitions.filter { $0.partition < layout.workable($0.topic) }
      leaderless = try findLeaderless(placed, consumer)
      ready = placed.filter { leaderless[$0] == nil }
      var found = try Self.committed(of: ready, from: consumer)
      try findReached(of: &found)
      guard try GroupStart(context, layout).begin(&found, consumer, &transactions) else {
        postpone(nowMs: nowMs)
        return []
      }
      committed = found
    } catch {
      postpone(nowMs: nowMs)
      try report("the committed offsets are not known yet", error)
      return []
    }
    phase = .idle
    context.health.answered()
    let unplaced = partitions.filter { !ready.contains($0) && leaderless[$0] == nil }
    if !unplaced.isEmpty { fetchLater(unplaced, round: round, nowMs: nowMs) }
    let waiting = member.setAside(leaderless, round: round)
    return ready.isEmpty ? waiting : waiting + (try member.committedFetched(committed, round: round))
  }

  /// - Returns: For each partition that can't be restored for want of a leader the log without one, the input or another.
  private func findLeaderless(
    _ partitions: [TopicPartition], _ consumer: Clients.Consumer
  ) throws(KafkaError) -> [TopicPartition: TopicPartition] {
    let helpers = context.plan.topics.helpers
    var leaders = Leaders { topic throws(KafkaError) in try consumer.leaders(of: topic, timeoutMs: CallLimit.callMs) }
    var found: [TopicPartition: TopicPartition] = [:]
    for partition in partitions {
      for topic in [partition.topic, helpers.changelog(of: partition.topic), helpers.journal(of: partition.topic)] {
        let log = TopicPartition(topic, partition.partition)
        if try !leaders.has(log) { found[partition] = found[partition] ?? log }
      }
    }
    return found
  }

  private static func committed(
    of partitions: [TopicPartition], from consumer: Clients.Consumer
  ) throws(KafkaError) -> [Member.Committed] {
    if partitions.isEmpty { return [] }
    var answers: [Member.Committed] = []
    for found in try consumer.committed(partitions, timeoutMs: CallLimit.callMs) {
      let (low, high) = try consumer.queryWatermarks(of: found.partition, timeoutMs: CallLimit.callMs)
      answers.append(
        Member.Committed(
          partition: found.partition, offset: found.offset, metadata: found.metadata, firstOffset: low, end: high))
    }
    return answers
  }

  /// Finds how far the group's workers had come where something else than a worker committed.
  private func findReached(of found: inout [Member.Committed]) throws(KafkaError) {
    guard found.contains(where: \.isForeign) else { return }
    var search = ReachedSearch(
      context.clients, try context.clients.reader(context), context.plan.topics.helpers)
    for i in found.indices where found[i].isForeign {
      found[i].reachedOffset = try search.offset(in: found[i].partition)
    }
  }

  /// Hands on what has been read.
  mutating func read(_ member: inout Member, nowMs: Int64) throws -> [Member.Action] {
    guard case .reading(let reader) = phase else { return [] }
    do {
      let actions = try reader.step(&member, waitMs: 5, nowMs: nowMs)
      let progress = reader.takeProgress()
      context.metrics.countRestored(progress.read)
      remaining = progress.remaining
      return actions
    } catch let error as KafkaError {
      try fail(error, nowMs: nowMs)
      return []
    }
  }

  // MARK: Failures

  private mutating func fail(_ error: KafkaError, nowMs: Int64) throws(WorkerError) {
    stop()
    phase = .failed
    if error.kind == .unreachable, !error.isAnswered { context.reportUnreachable(error) }
    try report("a restore fails and begins anew, until it succeeds", error)
    postpone(nowMs: nowMs)
  }

  /// Asks for nothing for a while.
  mutating func postpone(nowMs: Int64) { notBeforeMs = nowMs + Self.retryMs }

  /// Logs a broker's objection to a restore, once until a restore succeeds.
  ///
  /// - Throws: An error that waiting does not mend.
  private func report(_ what: String, _ error: KafkaError) throws(WorkerError) {
    switch error.kind {
    case .authentication, .authorization: throw context.refused(error)
    case .unreachable where !error.isAnswered: context.log.debug(what, .member(context.number), .error(error))
    case .unreachable, .unknownTopic, .fenced, .settings, .other:
      context.health.failing(context.number, what, error, subject: "restore")
    }
  }

  /// Warns of a restore that waits for a transaction that nobody ends: its reading is bounded, its waiting is not.
  ///
  /// - Parameters:
  ///   - isConnected: Our producer is there, so what waits doesn't wait for that.
  ///   - behind: Partitions that committed readers have to pass first.
  mutating func warnIfStalled(isConnected: Bool, behind: [TopicPartition], nowMs: Int64) {
    guard isConnected, isFetching || isReading else {
      stalledFromMs = nil
      return
    }
    let since = stalledFromMs ?? nowMs
    stalledFromMs = since
    guard nowMs - since >= Self.stalledMs else { return }
    let (key, member) = ("stalled \(context.number)", LogField.member(context.number))
    let hanging = context.metrics.hanging.standing
    let tool = context.plan.transactionTool
    switch phase {
    case .idle, .failed: break
    case .fetching(let partitions, _):
      // A broker keeps an offset back while a transaction with it is open.
      let place = behind.first { hanging[$0] != nil } ?? hanging.keys.first { $0.topic == OffsetsTopic.name }
      guard let place, let ends = hanging[place] else {
        return context.log.once(
          key, .warning, "a restore waits for the group's offsets: see whether a transaction hangs there", member,
          .partitions(partitions.map(\.description).joined(separator: " ")),
          .command(tool.findHanging(OffsetsTopic.name)))
      }
      reportHanging(key, place, ends)
    case .reading(let reader):
      let awaited = reader.awaited
      if let place = awaited.first(where: { hanging[$0] != nil }) { return reportHanging(key, place, hanging[place]!) }
      context.log.once(
        key, .warning, "a restore takes long; if a transaction hangs there, another line names it", member,
        .partitions(awaited.map(\.description).joined(separator: " ")))
    }
  }

  private func reportHanging(_ key: String, _ place: TopicPartition, _ ends: PartitionEnds) {
    let text = "a restore waits for a transaction that hangs; `flyscreen transactions` lists what ends it"
    context.health.note(Unreadiness(.restoring, "\(text) (\(place))"), of: context.number, subject: key)
    context.log.once(
      key + " hanging", .warning, text,
      .member(context.number), .topic(place.topic), .partition(place.partition), .readableEnd(ends.readable),
      .end(ends.end), .command(context.plan.transactionTool.findHanging(place)))
  }

  func report(_ notice: Member.Notice, nowMs: Int64) { context.report(notice, restoreMs: nowMs - beganMs) }
}
