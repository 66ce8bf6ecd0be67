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
  private let isNamed: Bool
  private let clock: () -> Int64

  /// - Parameters:
  ///   - isNamed: Another worker may have our name.
  ///   - clock: Milliseconds of a clock that only moves forward.
  package init(pace: TransactionStateMachine.Pace, isNamed: Bool, clock: @escaping () -> Int64) {
    state = TransactionStateMachine(pace: pace)
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
  package func isReady(nowMs: Int64) -> Bool { isConnected && nowMs >= notBeforeMs }
  /// The producer whose turn it is.
  package var current: Producer? { isConnected ? producers[turn.rawValue] : nil }

  /// The time until something has to be done that no message announces; `.max`: nothing has to be.
  package func waitMs(nowMs: Int64, hasWork: Bool, isBehind: Bool) -> Int64 {
    switch state.next(nowMs: nowMs, hasWork: hasWork, isBehind: isBehind) {
    case .wait(untilMs: .max): .max
    case .wait(let until): max(0, until - nowMs)
    case .begin, .commit: isConnected ? 0 : max(0, notBeforeMs - nowMs)
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

  private mutating func drop() {
    for producer in producers { producer.close() }
    producers = []
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
    guard let producer = current else { return false }
    return try noting { (turns) throws(KafkaError) in
      switch turns.state.next(nowMs: nowMs, hasWork: member.hasWork(nowMs: nowMs), isBehind: isBehind) {
      case .wait where turns.state.isOpen:
        try Self.send(producer, &member)
      case .wait:
        break
      case .begin:
        try turns.begin(producer, nowMs: nowMs)
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
    guard let producer = current, !hasFailed, state.isOpen || member.hasWork(nowMs: nowMs) else { return false }
    return try noting { (turns) throws(KafkaError) in
      try turns.commit(producer, &member, of: group, nowMs: nowMs, handled)
      return true
    }
  }

  /// Commits offsets alone, while nothing else is open.
  ///
  /// - Returns: Whether they are through.
  package mutating func commit(_ commit: Member.Commit, of group: Producer.Group) throws(KafkaError) -> Bool {
    guard let producer = current, !state.isOpen else { return false }
    return try noting { (turns) throws(KafkaError) in
      try turns.begin(producer, nowMs: turns.clock())
      try producer.commit(commit, of: group)
      turns.ended()
      return true
    }
  }

  private mutating func begin(_ producer: Producer, nowMs: Int64) throws(KafkaError) {
    try producer.begin()
    state.began(nowMs: nowMs)
  }

  private static func send(_ producer: Producer, _ member: inout Member) throws(KafkaError) {
    try producer.send(member.scratch.outbox)
    member.scratch.outbox.removeAll()
  }

  private mutating func commit(
    _ producer: Producer, _ member: inout Member, of group: Producer.Group, nowMs: Int64,
    _ handled: (String, Int64, Int64) -> Void
  ) throws(KafkaError) {
    if !state.isOpen { try begin(producer, nowMs: nowMs) }
    let commit = member.prepareCommit(nowMs: nowMs)
    try Self.send(producer, &member)
    try producer.commit(commit, of: group)
    ended()
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
      if error.kind == .fenced { isFenced = isNamed }
      state.failed(nowMs: clock())
      throw error
    }
  }

  /// Gives up an open transaction, and the producers with it: new ones fence them before the commit is read.
  ///
  /// - Parameter givenUp: Gets the producer before it is closed, and the error if it could not abort the transaction.
  package mutating func abort(givenUp: (Producer, KafkaError?) -> Void = { _, _ in }) {
    guard state.isOpen || state.hasFailed else { return }
    if let producer = current {
      var failure: KafkaError?
      if state.isOpen, canAbort {
        do throws(KafkaError) { try producer.abort(timeoutMs: CallLimit.endMs) } catch { failure = error }
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

  package mutating func close() { drop() }
}
