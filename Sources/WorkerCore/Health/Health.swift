/// Decides `/healthz` and `/readyz`: which of a worker's members work, and the troubles that keep the others from it.
///
/// A trouble stands until something has worked that it kept from working (``Proof``), and is told no longer than 2 s
/// after the try that would have met it again: so none outlasts its cause. All are told, so none hides another.
///
/// Pure; times are milliseconds of a clock that only moves forward.
package struct Health {
  /// A success that shows a trouble to be over.
  package enum Proof: Sendable {
    /// The group has given the member its part.
    case joined
    /// The member has what the group gave it at work; a commit shows it, too.
    case ready
    /// A transaction of the member's is through.
    case commit
    /// The member has all that the group gave it at work. A commit doesn't show it: the rest may wait.
    case whole
    /// Records of the partition have come, of which ``Health/end(_:of:)`` tells.
    case read
    /// The group gives the member nothing, so nothing keeps it from work.
    case idle

    /// The proofs of troubles that are over with this success.
    fileprivate var shown: [Proof] {
      switch self {
      case .joined: [.joined]
      case .ready, .whole: [.joined, .ready, .whole]
      case .commit: [.joined, .ready, .commit]
      case .read: [.read]
      case .idle: [.joined, .ready, .whole, .commit, .read]
      }
    }
  }

  /// The state of one member.
  package enum State: String, CaseIterable, Sendable {
    case working, restoring, unassigned, resting, stuck
  }

  /// The number under which the worker itself stands, beside its members.
  package static let worker = -1

  private struct Key: Hashable {
    var member: Int
    var trouble: Trouble
  }

  private struct Raised {
    /// Nil: it keeps nobody from work.
    var told: Unreadiness?
    var proof: Proof
    var toldUntilMs: Int64
  }

  /// The last turn of a member's thread. librdkafka 2.0.2 may keep the thread in `send_offsets_to_transaction` until a
  /// broker is back, whatever time limit it was given.
  private struct Turn {
    var beganMs: Int64
    /// It is in the call that may not come back.
    var isInCall = false
  }

  /// The number of members; nil: unknown before a broker has told of the topics.
  private var awaited: Int?
  private var states: [Int: State] = [:]
  private var troubles: [Key: Raised] = [:]
  /// Those whose beginning is in the log, and whose end is not.
  private var logged: Set<Key> = []
  private var turns: [Int: Turn] = [:]
  /// The last answer of a broker to any client, and the last try without one.
  private var answeredMs: Int64?
  private var unansweredMs: Int64?
  /// A fresh client is refused too: that members stand still is the broker's doing.
  private var isExplained = false
  /// The time since which a new client has been let in while members are stuck.
  private var letInSinceMs: Int64?

  /// Longer than a try takes to fail where brokers answer.
  private static let graceMs: Int64 = 2000
  /// No answer for so long is no broker.
  private static let awayMs: Int64 = 5000
  /// Longer than any turn with a broker that answers.
  private static let patienceMs: Int64 = 2500
  /// Longer than any turn with a broker that comes back.
  private static let lostMs: Int64 = 15_000
  /// Longer than any turn at all.
  private static let longestMs: Int64 = 60_000
  /// A member that was waiting for a broker would have come back this long after a new client was let in.
  private static let settleMs: Int64 = 3000

  package init() {}

  package mutating func begin(members: Int) { awaited = members }

  // MARK: Troubles

  /// - Parameters:
  ///   - told: The reason that `/readyz` gives; nil: none.
  ///   - member: Or ``worker``.
  ///   - pauseMs: Until the next try.
  /// - Returns: Whether it has just begun, which is for the log.
  @discardableResult
  package mutating func raise(
    _ trouble: Trouble, _ told: Unreadiness?, of member: Int, until proof: Proof = .ready, pauseMs: Int64 = 0,
    nowMs: Int64
  ) -> Bool {
    troubles[Key(member: member, trouble: trouble)] = Raised(
      told: told, proof: proof, toldUntilMs: nowMs + pauseMs + Self.graceMs)
    return logged.insert(logKey(trouble, of: member)).inserted
  }

  private func logKey(_ trouble: Trouble, of member: Int) -> Key {
    Key(member: trouble.isShared ? Self.worker : member, trouble: trouble)
  }

  /// - Returns: Whether nobody has it any more, which is for the log.
  @discardableResult
  package mutating func end(_ trouble: Trouble, of member: Int) -> Bool {
    troubles[Key(member: member, trouble: trouble)] = nil
    guard !trouble.isShared || !troubles.keys.contains(where: { $0.trouble == trouble }) else { return false }
    return logged.remove(logKey(trouble, of: member)) != nil
  }

  /// - Parameter member: Nil: any.
  package func has(_ reason: Unreadiness.Reason, of member: Int? = nil) -> Bool {
    troubles.contains { member ?? $0.key.member == $0.key.member && $0.value.told?.reason == reason }
  }

  /// - Returns: The troubles that are over, for the log. The first member that is let through tells it for all that met the
  ///   same; one that has nothing to do any more tells it if it was the last.
  package mutating func worked(_ proof: Proof, of member: Int) -> [Trouble] {
    if troubles.isEmpty { return [] }
    // In any order: those that are over are sorted below.
    let over = troubles.filter { $0.key.member == member && proof.shown.contains($0.value.proof) }.map(\.key)
    for key in over { troubles[key] = nil }
    let ended = over.map(\.trouble).sorted { "\($0)" < "\($1)" }.filter { trouble in
      let isOfAll = proof == .idle || trouble == .outdated
      return !isOfAll || !trouble.isShared || !troubles.keys.contains { $0.trouble == trouble }
    }
    return ended.filter { logged.remove(logKey($0, of: member)) != nil }
  }

  package mutating func set(_ state: State, of member: Int) { states[member] = state }

  // MARK: Brokers

  /// A broker answered one of the worker's clients, if only that it refuses.
  package mutating func answered(nowMs: Int64) { answeredMs = nowMs }

  /// A client got no answer.
  package mutating func unanswered(nowMs: Int64) { unansweredMs = nowMs }

  /// No client gets an answer: one that waits too long for its own tells little on a busy machine.
  package func isAway(nowMs: Int64) -> Bool {
    guard let unansweredMs else { return false }
    guard let answeredMs else { return true }
    return unansweredMs > answeredMs && nowMs - answeredMs >= Self.awayMs
  }

  package func isReachable(nowMs: Int64) -> Bool { answeredMs != nil && !isAway(nowMs: nowMs) }

  // MARK: Turns

  package mutating func beganTurn(_ member: Int, nowMs: Int64) { turns[member] = Turn(beganMs: nowMs) }

  /// It makes no turns for now, or no more.
  package mutating func endedTurns(_ member: Int) { turns[member] = nil }

  package mutating func setInCall(_ member: Int, _ isInCall: Bool) { turns[member]?.isInCall = isInCall }

  /// Members that have not been seen for longer than a turn should take.
  package func stuck(nowMs: Int64) -> [Int] {
    turns.filter { nowMs - $0.value.beganMs > Self.patienceMs }.keys.sorted()
  }

  /// A new client has asked a broker, while members are stuck, or none is any more.
  ///
  /// - Parameter isLetIn: Whether a broker answers a fresh client; nil: no member is stuck.
  /// - Returns: Members in a call that should have returned long ago.
  package mutating func tried(isLetIn: Bool?, nowMs: Int64) -> [Int] {
    isExplained = isLetIn == false
    letInSinceMs = isLetIn == true ? letInSinceMs ?? nowMs : nil
    guard let letInSinceMs, nowMs - letInSinceMs >= Self.settleMs else { return [] }
    return turns.filter { $0.value.isInCall && nowMs - $0.value.beganMs >= Self.lostMs }.keys.sorted()
  }

  // MARK: Verdicts

  /// Nil: all members make their turns, or wait for something that is known.
  package func unhealthiness(nowMs: Int64) -> String? {
    // In any order: the least is taken.
    let dead = turns.filter { _, turn in
      nowMs - turn.beganMs >= Self.longestMs && !(turn.isInCall && isExplained)
    }
    guard let worst = dead.min(by: { ($0.value.beganMs, $0.key) < ($1.value.beganMs, $1.key) }) else { return nil }
    return "member \(worst.key) has made no turn for \((nowMs - worst.value.beganMs) / 1000) s: restart this worker"
  }

  /// The state of one member, at this moment.
  package func state(of member: Int, nowMs: Int64) -> State {
    if stuck(nowMs: nowMs).contains(member) { return .stuck }
    let rests = lasting(nowMs: nowMs).contains { $0.key.member == member && $0.value.told?.reason.isPause == true }
    return rests ? .resting : states[member] ?? .unassigned
  }

  package func count(_ state: State, nowMs: Int64) -> Int {
    (0..<(awaited ?? 0)).count { self.state(of: $0, nowMs: nowMs) == state }
  }

  /// Empty: all members work. Those that others come of first.
  package func unreadiness(nowMs: Int64) -> [Unreadiness] {
    var all: [Unreadiness] = []
    for found in lasting(nowMs: nowMs).values.compactMap(\.told) where !all.contains(found) { all.append(found) }
    if isAway(nowMs: nowMs) {
      all.append(Unreadiness(.brokerAway, "no broker can be reached"))
    } else if let awaited {
      let states = Dictionary(grouping: 0..<awaited) { state(of: $0, nowMs: nowMs) }
      func add(_ state: State, _ reason: Unreadiness.Reason, _ text: String) {
        if let members = states[state] {
          all.append(Unreadiness(reason, "\(members.count) of \(awaited) \(text)"))
        }
      }
      add(.stuck, .stuck, "members wait in a call to the broker")
      add(.restoring, .restoring, "members restore their partitions")
      add(.unassigned, .unassigned, "members wait for partitions")
    } else if all.isEmpty {
      all.append(Unreadiness(.unassigned, "no broker has told of the topics yet"))
    }
    let order = Unreadiness.Reason.allCases
    return all.sorted { (order.firstIndex(of: $0.reason)!, $0.text) < (order.firstIndex(of: $1.reason)!, $1.text) }
  }

  // In any order: callers sort them.
  private func lasting(nowMs: Int64) -> [Key: Raised] { troubles.filter { nowMs <= $0.value.toldUntilMs } }
}

extension Unreadiness.Reason {
  /// A member that has met it works on nothing meanwhile.
  fileprivate var isPause: Bool {
    switch self {
    case .refused, .outdated, .replaced: true
    case .brokerAway, .topicGone, .setBack, .unreadable, .failing, .stuck, .restoring, .unassigned: false
    }
  }
}
