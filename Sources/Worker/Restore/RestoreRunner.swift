import Kafka
import KafkaProbes
import Recovery
import Settings
import Probes

enum RestorePause {
  /// The time in milliseconds between two looks whether the things that partitions wait for are there.
  static let waitingMs: Int64 = 2000
}

/// Reads for a member's restores what the ``Member`` asks for: committed offsets, changelogs, journals, pieces of the
/// input. It answers with events, and knows nothing of what they mean.
///
/// A restore that the broker interrupts has failed, which is an event, too. A partition for which a log has no leader
/// waits by itself.
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
  private(set) var beganMs: Int64 = 0
  /// Nothing is asked for before this time.
  private(set) var notBeforeMs: Int64 = 0
  /// Partitions wait to be restored, through all tries.
  private var stalled = Standing()

  private var start: RestoreStart<Clients>
  /// Partitions that can't be restored yet, and when it is time to ask again.
  private var waiting: (partitions: [TopicPartition], round: Int, untilMs: Int64)?

  private static var retryMs: Int64 { 500 }
  private static var stalledMs: Int64 { 30_000 }

  init(_ context: MemberContext<Clients>) {
    self.context = context
    start = RestoreStart(context)
  }

  var isFetching: Bool { if case .fetching = phase { true } else { false } }
  /// Whether there may be news at any moment.
  var isReading: Bool {
    switch phase {
    case .reading, .failed: true
    case .idle, .fetching: false
    }
  }

  /// Records that are still to be read, as far as that is known.
  private(set) var remaining: Int64 = 0

  // MARK: The member's wishes

  mutating func fetchCommitted(_ partitions: [TopicPartition], round: Int, nowMs: Int64) {
    stop()
    beganMs = nowMs
    waiting = nil
    start.forgetBegun()
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
      phase = .reading(try RestoreReader(context, reads))
    } catch {
      try fail(error, nowMs: nowMs)
    }
  }

  mutating func replayInput(
    _ ranges: [TopicPartition: Range<Int64>], withHeaders: Set<TopicPartition>, nowMs: Int64
  ) throws(WorkerError) {
    guard case .reading(let reader) = phase else { preconditionFailure("the input is read after the logs") }
    do throws(KafkaError) {
      try reader.replayInput(ranges, withHeaders: withHeaders)
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

  /// The group begins there, by a commit of this member's.
  mutating func began(_ begin: GroupBeginning) {
    start.began(begin)
    notBeforeMs = 0
  }

  // MARK: News

  /// Asks, and reads, as far as it is time for.
  ///
  /// - Parameters:
  ///   - events: Gets the news. Records in it are good until the next call.
  ///   - round: The member's. What was asked for in another is forgotten.
  ///   - writable: The number of an input's partitions for which the producers know all topics; nil: committed offsets may
  ///     not be asked for yet.
  mutating func poll(
    _ events: inout [Member.RestoreEvent], round: Int, _ consumer: Clients.Consumer, writable: [String: Int32]?,
    nowMs: Int64
  ) throws(WorkerError) {
    events.removeAll(keepingCapacity: true)
    if writable != nil { resumeWaiting(nowMs: nowMs) }
    switch phase {
    case .idle: break
    case .failed:
      phase = .idle
      events.append(.failed)
    case .fetching(let partitions, let asked):
      guard let writable, nowMs >= notBeforeMs else { return }
      phase = .idle
      if asked == round { try fetch(partitions, round, into: &events, consumer, writable, nowMs: nowMs) }
    case .reading(let reader):
      do throws(KafkaError) {
        try reader.step(into: &events, waitMs: 5, nowMs: nowMs)
        let progress = reader.takeProgress()
        context.metrics.countRestored(progress.read)
        remaining = progress.remaining
      } catch {
        try fail(error, nowMs: nowMs)
      }
    }
  }

  private mutating func fetch(
    _ partitions: [TopicPartition], _ round: Int, into events: inout [Member.RestoreEvent],
    _ consumer: Clients.Consumer, _ writable: [String: Int32], nowMs: Int64
  ) throws(WorkerError) {
    do throws(KafkaError) {
      let unplaced = try start.ask(for: partitions, consumer, writable: writable, nowMs: nowMs) { events.append($0) }
      if let unplaced {
        context.health.answered()
        if !unplaced.isEmpty { fetchLater(unplaced, round: round, nowMs: nowMs) }
        return
      }
    } catch {
      try report("the committed offsets are not known yet", error)
    }
    phase = .fetching(partitions, round: round)
    postpone(nowMs: nowMs)
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
      context.health.failing(context.number, what, error, .restoreFails)
    }
  }

  /// Warns of a restore that waits for a transaction that nobody ends: its reading is bounded, its waiting is not.
  ///
  /// - Parameters:
  ///   - isConnected: Our producer is there, so what waits doesn't wait for that.
  ///   - behind: Partitions that committed readers have to pass first.
  mutating func warnIfStalled(isConnected: Bool, behind: [TopicPartition], nowMs: Int64) {
    guard isConnected, isFetching || isReading else {
      stalled.ends()
      return
    }
    guard stalled.holds(nowMs: nowMs) >= Self.stalledMs else { return }
    let hanging = context.metrics.hanging.standing
    let tool = context.plan.transactionTool
    switch phase {
    case .idle, .failed: break
    case .fetching(let partitions, _):
      // A broker keeps an offset back while a transaction with it is open.
      let place = behind.first { hanging[$0] != nil } ?? hanging.keys.first { $0.topic == OffsetsTopic.name }
      guard let place, let ends = hanging[place] else {
        return context.health.raise(.restoreSlow, nil, of: context.number) {
          $0.warning(
            "a restore waits for the group's offsets: see whether a transaction hangs there", .member(context.number),
            .partitions(partitions.map(\.description).joined(separator: " ")),
            .command(tool.findHanging(OffsetsTopic.name)))
        }
      }
      reportHanging(place, ends)
    case .reading(let reader):
      let awaited = reader.awaited
      if let place = awaited.first(where: { hanging[$0] != nil }) { return reportHanging(place, hanging[place]!) }
      context.health.raise(.restoreSlow, nil, of: context.number) {
        $0.warning(
          "a restore still reads after \(Self.stalledMs / 1000) s; if a transaction hangs there, another line names it",
          .member(context.number), .partitions(awaited.map(\.description).joined(separator: " ")))
      }
    }
  }

  private func reportHanging(_ place: TopicPartition, _ ends: PartitionEnds) {
    let text = "a restore waits for a transaction that hangs; `flyscreen transactions` lists what ends it"
    context.health.raise(.restoreHangs, Unreadiness(.restoring, "\(text) (\(place))"), of: context.number) {
      $0.warning(
        text, .member(context.number), .topic(place.topic), .partition(place.partition),
        .lastStableOffset(ends.readable), .end(ends.end), .command(context.plan.transactionTool.findHanging(place)))
    }
  }
}
