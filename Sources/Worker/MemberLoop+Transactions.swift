import Kafka
import Platform
import Probes
import Settings

extension MemberLoop {
  mutating func makeSender(nowMs: Int64) throws {
    guard sender == nil, nowMs >= retryAtMs else { return }
    do {
      let sender = try Sender(
        properties: plan.properties, transactionalId: "\(plan.group)-\(name)", clientId: plan.clientId(number),
        topics: plan.topics, format: plan.layout.format, timeoutMs: Self.callMs, log: plan.clientLog)
      try sender.producer.initTransactions(timeoutMs: Self.endMs)
      self.sender = sender
    } catch {
      retryAtMs = MonotonicClock.nowMs() + Self.retryMs
      try handleStart(error)
    }
  }

  private func handleStart(_ error: KafkaError) throws {
    switch error.kind {
    // A coordinator that has just started answers that it is not ready yet.
    case .unreachable where error.name.hasPrefix("COORDINATOR_"): break
    case .unreachable: metrics.isUnreachable(plan.servers, error, log)
    case .authentication, .authorization, .settings: throw WorkerError.refused(error.description)
    case .unknownTopic, .fenced, .other:
      log.once(error.name, .warning, "no transactions yet", .member(number), .error(error))
    }
  }

  mutating func transact(nowMs: Int64) {
    guard let sender else { return }
    switch transactions.next(nowMs: nowMs, hasWork: member.hasWork(nowMs: nowMs), isBehind: isBehind) {
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
      try sender.send(member.scratch.outbox)
      member.scratch.outbox.removeAll()
    } catch {
      failed(error, nowMs: nowMs)
    }
  }

  mutating func commit(nowMs: Int64) {
    guard let sender else { return }
    do {
      if !transactions.isOpen {
        try sender.producer.begin()
        transactions.began(nowMs: nowMs)
      }
      let commit = member.prepareCommit(nowMs: nowMs)
      try sender.send(member.scratch.outbox)
      member.scratch.outbox.removeAll()
      let offsets = commit.offsets.map { CommittedOffset($0.partition, offset: $0.offset, metadata: $0.metadata) }
      try sender.producer.sendOffsets(offsets, group: consumer.groupMetadata(), timeoutMs: Self.endMs)
      try sender.producer.commit(timeoutMs: Self.endMs)
      let endedMs = MonotonicClock.nowMs()
      transactions.ended(nowMs: endedMs)
      metrics.transactions.observe(Double(endedMs - nowMs) / 1000)
      metrics.isReachable(log)
      log.over("moved \(number)")
      let topics = plan.topics.input
      member.committed(commit) { partition in
        sender.written(topic: topics.firstIndex(of: partition.topic)!, partition: partition.partition)
      }
    } catch {
      failed(error, nowMs: MonotonicClock.nowMs())
    }
  }

  /// A transaction did not go through, or nobody knows: everything goes back to what is committed.
  private mutating func failed(_ error: KafkaError, nowMs: Int64) {
    metrics.failedTransactions.add()
    // A record that the broker would not take tells more than the commit that failed for it.
    let reason = sender?.producer.deliveryFailure ?? error
    switch error.kind {
    case .unreachable: metrics.isUnreachable(plan.servers, error, log)
    case .authentication, .authorization: refusal = .refused(reason.description)
    case .unknownTopic, .fenced, .settings, .other: break
    }
    let advice =
      reason.isTooLarge ? " (a topic takes no record of that size: flyscreen topics create tells which)" : ""
    log.warning("a transaction failed; going back to what is committed\(advice)", .member(number), .error(reason))
    if error.isFatal || error.isTimedOut || !error.requiresAbort { dropSender(nowMs: nowMs) }
    if nowMs - failedAtMs < Self.soonMs { retryAtMs = nowMs + Self.retryMs }
    failedAtMs = nowMs
    // If another worker has our name, our consumer is told within a heartbeat; a new producer would fence the other's.
    if error.kind == .fenced, plan.isNamed { retryAtMs = nowMs + Self.namesakeMs }
    needsRollBack = true
  }

  private mutating func dropSender(nowMs: Int64) {
    _ = sender?.producer.close(boundedMs: Int(Self.callMs))
    sender = nil
    retryAtMs = nowMs
  }

  mutating func rollBack(nowMs: Int64) throws {
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
    if let refusal { throw refusal }
    try perform(member.rolledBack(), nowMs: nowMs)
  }
}
