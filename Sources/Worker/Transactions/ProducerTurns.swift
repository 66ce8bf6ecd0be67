package import Kafka

/// A member's transactions, and the producers that make them in turn. Its calls block.
///
/// The next begins only once the last one's end is known, so of all of them at most one is undecided. Its markers may be
/// written before those of the last: readers of a log see it in the log's order all the same, and of two offsets the
/// group takes the one that was sent later.
///
/// All producers of a member are made together, which fences every one before it, before what is committed is read
/// (``isReady(nowMs:)``). They go together, too, whenever a transaction did not go through, or nobody knows: then
/// whoever owns them looks at ``hasFailed``, calls ``abort(givenUp:)`` and rolls the ``Member`` back.
///
/// The simulation runs this as the worker does. In release builds its only producer is ``BrokerProducer``.
package struct ProducerTurns<Producer: MemberProducer>: ~Copyable {
  private var state: TransactionStateMachine
  /// One for each of ``ProducerTurn``, or none.
  package private(set) var producers: [Producer] = []
  private var turn = ProducerTurn.first
  /// Whether the open transaction can be ended by who began it.
  private var canAbort = true
  /// A producer was fenced, so another may have the member's place: none is made before ``confirmPlace(memberId:nowMs:_:)``.
  private var isFenced = false
  /// The last transactions with the ids of the member, as far as they are known.
  package private(set) var past: PastTransactions
  /// The numbers of those that may hang, the oldest first.
  package private(set) var unsettled: [Int] = []
  /// The turns whose last transactions the producers that are there have begun.
  private var begun: Set<ProducerTurn> = []
  /// The group gives the member nothing to do.
  package var isRetired = false
  private let isNamed: Bool
  private let clock: () -> Int64

  /// - Parameters:
  ///   - isNamed: Another worker may have our name.
  ///   - past: The transactions of an earlier member with our ids.
  ///   - clock: Milliseconds of a clock that only moves forward.
  package init(
    pace: TransactionStateMachine.Pace, isNamed: Bool, past: PastTransactions, clock: @escaping () -> Int64
  ) {
    state = TransactionStateMachine(pace: pace)
    self.past = past
    self.isNamed = isNamed
    self.clock = clock
  }

  /// Whether a transaction is open, also one that failed.
  package var isOpen: Bool { state.isOpen }
  package var hasFailed: Bool { state.hasFailed }
  package var notBeforeMs: Int64 { state.notBeforeMs }
  /// Whether what earlier producers with our name left open has been ended.
  package var isConnected: Bool { !producers.isEmpty }
  /// Whether what is committed may be asked for: no transaction of ours is undecided any more.
  package func isReady(nowMs: Int64) -> Bool { isConnected && isSettled && nowMs >= notBeforeMs }
  /// Whether to keep producers without partitions: earlier transactions are not known to have ended.
  package var isRetiring: Bool { isRetired && !past.all.isEmpty }
  /// Whether earlier transactions with the member's ids are known to have ended.
  package var isSettled: Bool { past.isKnown && unsettled.isEmpty }
  /// The producer whose turn it is.
  package var current: Producer? { isConnected ? producers[turn.rawValue] : nil }

  /// The time until something has to be done that no message announces; `.max`: nothing has to be.
  package func waitMs(nowMs: Int64, hasWork: Bool, isBehind: Bool) -> Int64 {
    switch state.next(nowMs: nowMs, hasWork: hasWork, isBehind: isBehind) {
    case .wait(untilMs: .max): .max
    case .wait(let until), .send(let until): max(0, until - nowMs)
    case .begin, .commit: isReady(nowMs: nowMs) ? 0 : max(Settling.lookMs, notBeforeMs - nowMs)
    }
  }

  /// Asks the group who has the member's place, once a producer was fenced: by the broker, after its timeout, or by those
  /// of another, which new ones would fence in turn.
  ///
  /// - Parameters:
  ///   - memberId: The group's name for the member; nil: it has none at the moment.
  ///   - ask: Asks the group's coordinator; nil: no answer came.
  package mutating func confirmPlace(
    memberId: String?, nowMs: Int64, _ ask: () -> PlaceClaim.Answer?
  ) throws(PlaceLost) {
    guard isFenced, !isConnected, nowMs >= notBeforeMs else { return }
    guard let memberId, let holder = ask()?.holder else { return state.connectFailed(nowMs: clock()) }
    guard holder.id == memberId else { throw PlaceLost() }
    isFenced = false
  }

  /// Makes the producers where there are none: all or none. After an error it waits a little before the next try.
  package mutating func connect(
    nowMs: Int64, _ make: (ProducerTurn) throws(KafkaError) -> Producer
  ) throws(KafkaError) {
    guard !isConnected, !isFenced, nowMs >= notBeforeMs else { return }
    var made: [Producer] = []
    do throws(KafkaError) {
      for turn in ProducerTurn.allCases { made.append(try make(turn)) }
    } catch {
      for producer in made { producer.close() }
      if error.kind == .fenced { isFenced = isNamed }
      state.connectFailed(nowMs: clock())
      throw error
    }
    producers = made
    turn = .first
    canAbort = true
    unsettled = past.all.map(\.number)
  }

  /// Gives up producers that can't be used, for a while.
  package mutating func disconnect() {
    drop()
    state.connectFailed(nowMs: clock())
  }

  /// Gives up the producers, unless a transaction is open. Others are made where the member has partitions: they know
  /// how many partitions topics have by then.
  package mutating func release() {
    if !state.isOpen { drop() }
  }

  /// Where the member is retired: gives up the producers once nothing of theirs hangs.
  package mutating func retire() {
    guard isRetired, isConnected, !state.isOpen, !hasFailed else { return }
    if !isRetiring { return drop() }
    noteTouched()
    if unsettled.isEmpty { unsettled = past.all.map(\.number) }
  }

  private mutating func drop() {
    noteTouched()
    unsettled = []
    for producer in producers { producer.close() }
    producers = []
  }
}

// MARK: - What brokers may have lost

extension ProducerTurns {
  /// Keeps what the last transactions touched, which their producers know.
  private mutating func noteTouched() {
    for turn in begun { past.touched(turn, producers[turn.rawValue].touched) }
    begun = []
  }

  /// Where a broker went away, the next transaction waits until nothing of the last ones hangs.
  ///
  /// - Returns: ``isSettled``.
  @discardableResult
  package mutating func doubt() -> Bool {
    guard isSettled, !state.isOpen, !hasFailed, isConnected else { return isSettled }
    var hasLost = false
    for producer in producers where producer.takeLostBroker() { hasLost = true }
    if !hasLost { return true }
    noteTouched()
    unsettled = past.all.map(\.number)
    return isSettled
  }

  /// The oldest transaction that is not known to have ended.
  package var oldestUnsettled: LastTransaction? { past.all.first { $0.number == unsettled.first } }

  /// The oldest doubtful transaction has ended.
  package mutating func oldestHasEnded() { past.settled(unsettled.removeFirst()) }

  /// The transactions of others with the member's ids have ended.
  package mutating func settledPast() { past = .none }

  /// How earlier transactions ended can't be known here.
  package mutating func forgetPast() { (past, unsettled) = (.unknown, []) }

  /// The member goes on, whether earlier transactions hang or not.
  package mutating func goOn() {
    for number in unsettled { past.settled(number) }
    unsettled = []
    if !past.isKnown { settledPast() }
  }

  /// Ends the oldest doubtful transaction once more in these partitions. After an error everything goes back to what is
  /// committed, as after an error of a transaction.
  package mutating func endAgain(
    _ partitions: [TopicPartition], inGroup: Bool, isCommit: Bool
  ) throws(KafkaError) {
    let last = oldestUnsettled!
    let producer = producers[last.turn.rawValue]
    do throws(KafkaError) {
      try producer.endAgain(partitions, inGroup: inGroup, isCommit: isCommit)
    } catch {
      // It may hang there, too.
      past.change(last.number) { $0.touched.merge(producer.touched) { first, _ in first } }
      failed(error)
      throw error
    }
    // The markers of this one may be lost, too. What it was to end hangs then as before, from its own first records on.
    let touched = producer.touched
    past.change(last.number) {
      $0.touched = touched.merging($0.touched.filter { touched.keys.contains($0.key) }) { $1 }
      $0.end = isCommit ? .committed : .aborted
    }
    unsettled.removeFirst()
  }
}

// MARK: - Transactions

extension ProducerTurns {
  /// Does everything that is due.
  ///
  /// - Parameter handled: Gets the committed records: an input, the time when they were produced, and their number.
  /// - Returns: Whether a transaction is through.
  package mutating func step(
    _ member: inout Member, of group: Producer.Group, isBehind: Bool, nowMs: Int64,
    handled: (String, Int64, Int64) -> Void = { _, _, _ in }
  ) throws(KafkaError) -> Bool {
    guard let producer = current, doubt() else { return false }
    return try noting { (turns) throws(KafkaError) in
      switch turns.state.next(nowMs: nowMs, hasWork: member.hasWork(nowMs: nowMs), isBehind: isBehind) {
      case .wait:
        break
      case .begin:
        try turns.begin(producer, nowMs: nowMs)
      case .send:
        try Self.send(producer, &member)
      case .commit:
        try turns.commit(producer, &member, of: group, nowMs: nowMs, handled)
        return true
      }
      return false
    }
  }

  /// Commits all that there is, as before partitions are given back.
  ///
  /// - Returns: Whether a transaction is through.
  package mutating func finish(
    _ member: inout Member, of group: Producer.Group, nowMs: Int64,
    handled: (String, Int64, Int64) -> Void = { _, _, _ in }
  ) throws(KafkaError) -> Bool {
    guard let producer = current, doubt(), !hasFailed, state.isOpen || member.hasWork(nowMs: nowMs) else {
      return false
    }
    return try noting { (turns) throws(KafkaError) in
      try turns.commit(producer, &member, of: group, nowMs: nowMs, handled)
      return true
    }
  }

  /// Commits offsets alone, while nothing else is open.
  ///
  /// - Returns: Whether they are through.
  package mutating func commit(_ commit: Member.Commit, of group: Producer.Group) throws(KafkaError) -> Bool {
    guard let producer = current, doubt(), !state.isOpen else { return false }
    return try noting { (turns) throws(KafkaError) in
      try turns.begin(producer, nowMs: turns.clock())
      try turns.end(producer, commit, of: group)
      return true
    }
  }

  private mutating func begin(_ producer: Producer, nowMs: Int64) throws(KafkaError) {
    if begun.contains(turn) { past.touched(turn, producer.touched) }
    try producer.begin()
    past.begin(turn)
    begun.insert(turn)
    state.began(nowMs: nowMs)
  }

  private mutating func end(
    _ producer: Producer, _ commit: Member.Commit, of group: Producer.Group
  ) throws(KafkaError) {
    past.change(turn) { $0.offsets = commit.offsets }
    try producer.send(commit, of: group)
    past.accepted(turn)
    past.change(turn) { $0.end = .unknown }
    try producer.commit()
    past.change(turn) { $0.end = .committed }
    ended()
  }

  private static func send(_ producer: Producer, _ member: inout Member) throws(KafkaError) {
    try producer.send(member.outbox)
    member.outbox.removeAll()
  }

  private mutating func commit(
    _ producer: Producer, _ member: inout Member, of group: Producer.Group, nowMs: Int64,
    _ handled: (String, Int64, Int64) -> Void
  ) throws(KafkaError) {
    if !state.isOpen { try begin(producer, nowMs: nowMs) }
    let commit = member.prepareCommit(nowMs: nowMs)
    try Self.send(producer, &member)
    try end(producer, commit, of: group)
    member.committed(commit, handled: handled) { producer.written($0) }
  }

  /// Its end is known, so the next may begin.
  private mutating func ended() {
    state.ended(nowMs: clock())
    turn = turn.next
  }

  /// Notes an error of `body`, and throws it: afterwards everything goes back to what is committed.
  private mutating func noting(
    _ body: (inout Self) throws(KafkaError) -> Bool
  ) throws(KafkaError) -> Bool {
    do throws(KafkaError) {
      return try body(&self)
    } catch {
      // A producer knows a topic that was made anew only as it was before.
      canAbort = error.requiresAbort && !error.isFatal && !error.isTimedOut && error.kind != .unknownTopic
      failed(error)
      throw error
    }
  }

  private mutating func failed(_ error: KafkaError) {
    if error.kind == .fenced { isFenced = isNamed }
    state.failed(nowMs: clock())
  }

  /// Gives up an open transaction, and the producers with it: new ones fence them before the commit is read.
  ///
  /// - Parameter givenUp: Gets the producer before it is closed, and the error if it could not abort the transaction.
  package mutating func abort(givenUp: (Producer, KafkaError?) -> Void = { _, _ in }) {
    guard state.isOpen || state.hasFailed else { return }
    if let producer = current {
      var failure: KafkaError?
      if state.isOpen, canAbort {
        do throws(KafkaError) {
          try producer.abort(timeoutMs: CallLimit.endMs)
          past.change(turn) { $0.end = .aborted }
        } catch { failure = error }
      }
      givenUp(producer, failure)
    }
    drop()
    state.ended(nowMs: clock())
  }

  /// Ends an open transaction at the end of the process: it would keep the next owner waiting until its timeout.
  package func abandon() {
    if state.isOpen, canAbort { try? current?.abort(timeoutMs: CallLimit.callMs) }
  }

  /// - Returns: What the next member with our ids has to know.
  package mutating func close() -> PastTransactions {
    drop()
    return past
  }
}
