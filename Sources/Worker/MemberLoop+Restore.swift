import Kafka
import Probes
import Settings

/// What the ``Member`` says is to be done with partitions: reading them, giving them up, restoring them.
extension MemberLoop {
  mutating func perform(_ actions: [Member.Action], nowMs: Int64) throws {
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
        do throws(KafkaError) {
          var restorer = try Restorer(
            round: round, properties: plan.properties, clientId: plan.clientId(number), log: plan.clientLog)
          // One that has begun to read only some of them would take these for all.
          try restorer.readLogs(reads)
          self.restorer = consume restorer
        } catch {
          try beginAnew(error, nowMs: nowMs)
        }
      case .replayInput(let ranges, _):
        do throws(KafkaError) {
          try restorer!.replayInput(ranges)
        } catch {
          try beginAnew(error, nowMs: nowMs)
        }
      case .stopRestoring:
        if let restorer = restorer.take() { metrics.restoreRecords(restorer.records) }
        fetching = nil
      case .report(let notice):
        report(notice, nowMs: nowMs)
      }
    }
  }

  mutating func restore(nowMs: Int64) throws {
    if let fetching { try fetchCommitted(fetching, nowMs: nowMs) }
    sayIfStalled(nowMs: nowMs)
    guard restorer != nil else { return }
    let next: [Member.Action]?
    do {
      next = try restorer!.step(&member, waitMs: 5, nowMs: nowMs)
    } catch let error as KafkaError {
      return try beginAnew(error, nowMs: nowMs)
    }
    if let next { try perform(next, nowMs: nowMs) }
  }

  /// A restore that the broker did not let go on begins once more, a little later.
  private mutating func beginAnew(_ error: KafkaError, nowMs: Int64) throws(WorkerError) {
    if error.kind == .unreachable { metrics.isUnreachable(plan.servers, error, log) }
    try say("a restore fails and begins anew, until it succeeds", error)
    retryAtMs = nowMs + Self.retryMs
    needsRollBack = true
  }

  /// What a broker that is there has against a restore: once until a restore succeeds.
  ///
  /// - Throws: What waiting does not mend.
  private func say(_ what: String, _ error: KafkaError) throws(WorkerError) {
    switch error.kind {
    case .authentication, .authorization: throw .refused(error.description)
    case .unreachable: log.debug(what, .member(number), .error(error))
    case .unknownTopic, .fenced, .settings, .other:
      log.once("restore \(number)", .warning, what, .member(number), .error(error))
    }
  }

  /// What a restore reads is bounded; what it waits for is not: a transaction that nobody ends.
  private mutating func sayIfStalled(nowMs: Int64) {
    guard sender != nil, fetching != nil || restorer != nil else {
      stalledFromMs = nil
      return
    }
    let since = stalledFromMs ?? nowMs
    stalledFromMs = since
    guard nowMs - since >= Self.stalledMs else { return }
    let awaited = restorer?.awaited ?? fetching?.partitions ?? []
    log.once(
      "stalled \(number)", .warning,
      "a restore takes long: does a transaction hang there? (kafka-transactions find-hanging)", .member(number),
      .partitions(awaited.map(\.description).joined(separator: " ")))
  }

  /// Asks for what is committed; not before our own producer has ended what an earlier one with its name left open.
  private mutating func fetchCommitted(_ wanted: (partitions: [TopicPartition], round: Int), nowMs: Int64) throws {
    guard sender != nil, nowMs >= retryAtMs else { return }
    let answers: [Member.Committed]
    do throws(KafkaError) {
      answers = try committed(of: wanted.partitions)
    } catch {
      retryAtMs = nowMs + Self.retryMs
      return try say("what is committed is not known yet", error)
    }
    for topic in plan.topics.input {
      guard let count = try? consumer.partitionCount(of: topic, timeoutMs: Self.callMs) else { continue }
      let known = plan.layout.inputPartitions[topic] ?? 0
      if count != known { throw WorkerError.partitionCountChanged(topic: topic, was: known, is: Int32(count)) }
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

  private func report(_ notice: Member.Notice, nowMs: Int64) {
    switch notice {
    case .restarted(let partition, let offset):
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
      log.over("restore \(number)")
      log.over("stalled \(number)")
      log.info(
        "restored", .member(number), .partitions(partitions.map(\.description).joined(separator: " ")), .rooms(rooms),
        .tookMs(tookMs))
      metrics.restores.observe(Double(tookMs) / 1000)
    }
  }
}
