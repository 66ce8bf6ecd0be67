import Kafka
import KafkaProbes
import Settings
import Probes

/// Runs a member's restores: asks for what is committed, reads what the ``Member`` wants of logs and input, hands it on,
/// and reports what came of it.
///
/// A restore that the broker interrupts begins once more, a little later: the owner of the runner looks at
/// ``hasFailed`` and rolls the member back.
struct RestoreRunner: ~Copyable {
  private enum Phase {
    /// Can go on to: fetching.
    case idle
    /// Asks for what is committed until there is an answer. Can go on to: idle, reading, failed.
    case fetching([TopicPartition], round: Int)
    /// With ``reader``. Can go on to: idle, failed.
    case reading
    /// Can go on to: idle.
    case failed
  }

  private let context: MemberContext
  private var phase = Phase.idle
  /// There while reading.
  private var reader: RestoreReader?
  private var beganMs: Int64 = 0
  /// Until then nothing is asked for.
  private(set) var notBeforeMs: Int64 = 0
  /// Since when partitions have waited to be restored, through all tries.
  private var stalledFromMs: Int64?

  /// The topics, as last told by a broker.
  private var layout: TopicLayout
  /// Partitions that can't be restored yet, and when it is time to ask again.
  private var waiting: (partitions: [TopicPartition], round: Int, untilMs: Int64)?

  private static let retryMs: Int64 = 500
  /// Between two looks whether what partitions wait for is there.
  private static let waitingMs: Int64 = 2000
  private static let stalledMs: Int64 = 30_000
  /// About what is damaged in one partition.
  private static let mostLines = 20

  init(_ context: MemberContext) {
    self.context = context
    layout = context.plan.layout
  }

  var isFetching: Bool { if case .fetching = phase { true } else { false } }
  var isReading: Bool { if case .reading = phase { true } else { false } }
  /// A half-done restore must not be committed.
  var hasFailed: Bool { if case .failed = phase { true } else { false } }

  /// Records that are still to be read, as far as that is known.
  private(set) var remaining: Int64 = 0

  // MARK: What the member wants

  mutating func fetchCommitted(_ partitions: [TopicPartition], round: Int, nowMs: Int64) {
    beganMs = nowMs
    waiting = nil
    phase = .fetching(partitions, round: round)
  }

  /// The same, once it may have an answer that can be used; what is asked for meanwhile is not held up.
  mutating func fetchLater(_ partitions: [TopicPartition], round: Int, nowMs: Int64) {
    let before = waiting?.round == round ? waiting!.partitions : []
    waiting = (Set(before + partitions).sorted(), round, nowMs + Self.waitingMs)
  }

  /// Goes on with what had to wait, where nothing else is restored.
  private mutating func resumeWaiting(nowMs: Int64) {
    guard case .idle = phase, let waiting, nowMs >= waiting.untilMs else { return }
    self.waiting = nil
    phase = .fetching(waiting.partitions, round: waiting.round)
  }

  mutating func readLogs(_ reads: [Member.LogsToRead], round: Int, nowMs: Int64) throws(WorkerError) {
    do throws(KafkaError) {
      var reader = try RestoreReader(context, round: round)
      // A reader that has begun with only some of them would take these for all.
      try reader.readLogs(reads)
      self.reader = consume reader
      phase = .reading
    } catch {
      try fail(error, nowMs: nowMs)
    }
  }

  mutating func replayInput(_ ranges: [TopicPartition: Range<Int64>], nowMs: Int64) throws(WorkerError) {
    do throws(KafkaError) {
      try reader!.replayInput(ranges)
    } catch {
      try fail(error, nowMs: nowMs)
    }
  }

  mutating func stop() {
    phase = .idle
    remaining = 0
    guard var reader = reader.take() else { return }
    context.metrics.countRestored(reader.takeProgress().read)
    guard let topic = reader.foreignTopic else { return }
    context.metrics.foreignRecords.add(reader.foreignRecords)
    context.log.once(
      "foreign \(topic)", .warning,
      "another group writes there, too: its records are passed over; give each group its own topics.helpers",
      .topic(topic), .records(reader.foreignRecords))
  }

  // MARK: Answers

  /// Asks for what is committed. Where that is nothing of a whole topic, the group begins there.
  mutating func fetch(
    _ member: inout Member, from consumer: borrowing GroupConsumer, _ transactions: inout TransactionRunner,
    nowMs: Int64
  ) throws(WorkerError) -> [Member.Action] {
    resumeWaiting(nowMs: nowMs)
    guard case .fetching(let partitions, let round) = phase, nowMs >= notBeforeMs else { return [] }
    guard round == member.round else {
      phase = .idle
      return []
    }
    let ready: [TopicPartition]
    let committed: [Member.Committed]
    do throws(KafkaError) {
      try look(consumer)
      member.grow(to: layout)
      let writable = transactions.writable
      guard layout.input.allSatisfy({ writable[$0] ?? 0 >= layout.workable($0) }) else {
        // The next producer asks for the places anew; its broker may not have heard of them yet.
        transactions.turns.release()
        postpone(nowMs: nowMs)
        return []
      }
      ready = partitions.filter { $0.partition < layout.workable($0.topic) }
      var found = try Self.committed(of: ready, from: consumer)
      guard try begin(&found, consumer, &transactions) else {
        postpone(nowMs: nowMs)
        return []
      }
      committed = found
    } catch {
      postpone(nowMs: nowMs)
      try report("what is committed is not known yet", error)
      return []
    }
    phase = .idle
    context.health.answered()
    if ready.count < partitions.count {
      fetchLater(partitions.filter { !ready.contains($0) }, round: round, nowMs: nowMs)
    }
    return ready.isEmpty ? [] : try member.committedFetched(committed, round: round)
  }

  private static func committed(
    of partitions: [TopicPartition], from consumer: borrowing GroupConsumer
  ) throws(KafkaError) -> [Member.Committed] {
    var answers: [Member.Committed] = []
    for found in try consumer.committed(partitions, timeoutMs: MemberContext.callMs) {
      let low = try consumer.queryWatermarks(of: found.partition, timeoutMs: MemberContext.callMs).low
      answers.append(
        Member.Committed(partition: found.partition, offset: found.offset, metadata: found.metadata, firstOffset: low))
    }
    return answers
  }

  /// Begins in the topics that are this member's to begin in.
  ///
  /// - Returns: Whether it is known of all of `found` where they begin.
  private func begin(
    _ found: inout [Member.Committed], _ consumer: borrowing GroupConsumer, _ transactions: inout TransactionRunner
  ) throws(KafkaError) -> Bool {
    let unknown = Set(found.lazy.filter { $0.offset == nil }.map(\.partition.topic)).sorted()
    guard !unknown.isEmpty else { return true }
    let start = GroupStart(context, layout)
    for topic in try start.untouched(unknown, consumer) {
      // One member decides for all, or two would begin at two ends.
      guard found.contains(where: { $0.partition == TopicPartition(topic, 0) }) else { return false }
      let begin = try start.begin(topic)
      guard transactions.commit(begin, of: consumer.membership) else { return false }
      context.log.info(
        "the group begins here", .topic(topic),
        .offsets(begin.offsets.map { "\($0.partition.partition):\($0.offset)" }.joined(separator: " ")),
        .before(begin.before), .after(begin.after))
      // An embedded broker would not know of it.
      for i in found.indices {
        guard let offset = begin.offsets.first(where: { $0.partition == found[i].partition }) else { continue }
        (found[i].offset, found[i].metadata) = (offset.offset, offset.metadata)
      }
    }
    return true
  }

  /// Whether topics have grown. A broker that knows of fewer partitions has not heard of it yet.
  private mutating func look(_ consumer: borrowing GroupConsumer) throws(KafkaError) {
    for input in layout.input {
      let known = layout.inputPartitions[input]!
      let count = max(known, Int32(try consumer.partitionCount(of: input, timeoutMs: MemberContext.callMs)))
      var places = layout.places[input]!
      if count > places {
        for topic in context.plan.topics.beside(input) {
          let has = Int32(try consumer.partitionCount(of: topic, timeoutMs: MemberContext.callMs))
          places = topic == context.plan.topics.beside(input).first ? has : min(places, has)
        }
      }
      reportGrowth(of: input, from: known, to: count, places: places)
      layout.inputPartitions[input] = count
      layout.places[input] = places
    }
  }

  private func reportGrowth(of input: String, from known: Int32, to count: Int32, places: Int32) {
    if count > known {
      context.log.once(
        "grown \(input) \(count)", .info,
        "\(input) has grown from \(known) to \(count) partitions; rooms that move begin anew where they come",
        .member(context.number), .topic(input))
    }
    let key = "growth \(input)"
    if count > places {
      let text =
        "\(input) has \(count) partitions, what goes with it \(places): the others wait; run `flyscreen topics create"
        + " --grow \(input)=\(count)`"
      context.health.note(Unreadiness(.failing, text), of: context.number, subject: key, pauseMs: Self.waitingMs)
      context.log.once(key, .warning, text, .member(context.number), .topic(input))
    } else if context.log.over(key) {
      context.log.info("what goes with \(input) has grown, too", .member(context.number), .topic(input))
    }
  }

  /// Hands on what has been read.
  mutating func read(_ member: inout Member, nowMs: Int64) throws -> [Member.Action] {
    guard isReading else { return [] }
    do {
      let actions = try reader!.step(&member, waitMs: 5, nowMs: nowMs)
      let progress = reader!.takeProgress()
      context.metrics.countRestored(progress.read)
      remaining = progress.remaining
      return actions
    } catch let error as KafkaError {
      try fail(error, nowMs: nowMs)
      return []
    }
  }

  // MARK: What goes wrong

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
  /// - Throws: What waiting does not mend.
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
  /// - Parameter isConnected: Our producer is there, so what waits doesn't wait for that.
  mutating func warnIfStalled(isConnected: Bool, nowMs: Int64) {
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
    if case .fetching(let partitions, _) = phase {
      // A broker keeps an offset back while a transaction with it is open.
      let place = hanging.keys.first { $0.topic == OffsetsTopic.name }
      guard let place, let ends = hanging[place] else {
        return context.log.once(
          key, .warning, "a restore waits for the group's offsets: see whether a transaction hangs there", member,
          .partitions(partitions.map(\.description).joined(separator: " ")),
          .command(tool.findHanging(OffsetsTopic.name)))
      }
      return reportHanging(key, place, ends)
    }
    let awaited = reader?.awaited ?? []
    if let place = awaited.first(where: { hanging[$0] != nil }) { return reportHanging(key, place, hanging[place]!) }
    context.log.once(
      key, .warning, "a restore takes long; if a transaction hangs there, another line names it", member,
      .partitions(awaited.map(\.description).joined(separator: " ")))
  }

  private func reportHanging(_ key: String, _ place: TopicPartition, _ ends: PartitionEnds) {
    let text = "a restore waits for a transaction that hangs; `flyscreen transactions` lists what ends it"
    context.health.note(Unreadiness(.restoring, "\(text) (\(place))"), of: context.number, subject: key)
    context.log.once(
      key + " hanging", .warning, text,
      .member(context.number), .topic(place.topic), .partition(place.partition), .readableEnd(ends.readable),
      .end(ends.end), .command(context.plan.transactionTool.findHanging(place)))
  }

  // MARK: What came of it

  func report(_ notice: Member.Notice, nowMs: Int64) {
    let (log, metrics) = (context.log, context.metrics)
    switch notice {
    case .stale(let topic, let partitions, let were):
      let text =
        "\(topic) had \(were) partitions when its rooms were last saved, and the broker tells of \(partitions): asking again;"
        + " if it was made anew with fewer, use another kafka.group.id"
      context.health.note(
        Unreadiness(.failing, text), of: context.number, subject: "stale", pauseMs: Self.waitingMs)
      log.once("stale", .warning, text, .topic(topic))
    case .restarted(let partition, let offset):
      log.warning(
        "the group's offset was set by something else: rooms begin anew there", .topic(partition.topic),
        .partition(partition.partition), .offset(offset))
      metrics.restarted.add()
    case .otherRules(let partition, let rules, let offset):
      log.warning(
        "the group's offset was committed under rules \(rules), and this program has rules \(LogRules.current): rooms begin"
          + " anew there", .topic(partition.topic), .partition(partition.partition), .offset(offset))
      metrics.restarted.add()
    case .lost(let partition, let from, let to):
      log.error(
        "records were deleted before they were read: keep the topic longer, or run more workers",
        .topic(partition.topic), .partition(partition.partition), .offset(from), .records(to - from))
      metrics.lostRecords.add(to - from)
    case .inexact(let partition, let damages):
      if damages.isEmpty {
        log.error(
          "a part of the log that tells how rooms stood is gone, so they may differ from what was shown",
          .topic(partition.topic), .partition(partition.partition))
      }
      for damage in damages.prefix(Self.mostLines) {
        log.error("\(damage)", .topic(partition.topic), .partition(partition.partition))
      }
      if damages.count > Self.mostLines {
        log.error(
          "and more of it is damaged", .topic(partition.topic), .partition(partition.partition),
          .records(Int64(damages.count - Self.mostLines)))
      }
      metrics.inexactRestores.add()
    case .settingsChanged(let partitions, let changes):
      log.warning(
        "partitions go on with other settings than the last worker had; if nobody changed them, workers of this group differ",
        .member(context.number), .partitions(partitions.map(\.description).joined(separator: " ")),
        .changes(changes.joined(separator: ", ")))
    case .restored(let partitions, let rooms):
      let tookMs = nowMs - beganMs
      log.over("restore")
      log.over("stalled \(context.number)")
      log.over("stalled \(context.number) hanging")
      log.over("stale")
      log.info(
        "restored", .member(context.number), .partitions(partitions.map(\.description).joined(separator: " ")),
        .rooms(rooms), .tookMs(tookMs))
      metrics.restores.observe(Double(tookMs) / 1000)
    }
  }
}
