package import Kafka

/// Decides what a named member does that has lost its place in the group: waits, joins again with new clients, or ends.
///
/// To join takes the place from whoever has it, so a member that was fenced asks first. Its place may be held by a member
/// id that nobody uses: a join of its own, or of an earlier process of its name, that came late, or an older state of a
/// coordinator that has just started. The coordinator drops such a one after a session's time. A holder of another
/// process that outlasts that lives: a second worker has the same `worker.id`.
///
/// Pure; times are milliseconds of a clock that only moves forward.
package struct PlaceClaim {
  package enum Loss: Equatable, Sendable {
    /// The coordinator knows the place as another's.
    case fenced
    /// The member has not been heard for a session's time.
    case expired
  }

  /// The coordinator's answer.
  package struct Answer: Equatable, Sendable {
    /// Its node id.
    package var coordinator: Int32
    /// Nil: nobody.
    package var holder: GroupDescription.Member?

    package init(coordinator: Int32, holder: GroupDescription.Member?) {
      self.coordinator = coordinator
      self.holder = holder
    }
  }

  package enum Decision: Equatable {
    case wait
    case join
    /// The holder lives.
    case end(GroupDescription.Member)
  }

  private let start: StartMark
  private let loss: Loss
  /// Longer than a coordinator keeps one that nobody uses.
  private let patienceMs: Int64
  /// The answer that has come since then, without a gap: another coordinator gives each member a session anew, and so
  /// may one that gave no answer.
  private var last: (coordinator: Int32, clientId: String?, sinceMs: Int64)?
  /// A process that started later has had the place, so it is the later one's.
  private var hasMetLater = false

  private static let graceMs: Int64 = 5000

  /// - Parameter start: Of this process.
  package init(start: StartMark, loss: Loss, sessionMs: Int64) {
    self.start = start
    self.loss = loss
    patienceMs = sessionMs + Self.graceMs
  }

  /// - Parameter answer: Nil: none came.
  package mutating func decide(_ answer: Answer?, nowMs: Int64) -> Decision {
    guard let answer else {
      last = nil
      return .wait
    }
    let holder = answer.holder
    if last?.coordinator != answer.coordinator || last?.clientId != holder?.clientId {
      last = (answer.coordinator, holder?.clientId, nowMs)
    }
    let hasLasted = nowMs - last!.sinceMs >= patienceMs
    guard let holder else { return hasMetLater && !hasLasted ? .wait : .join }
    let mark = StartMark(clientId: holder.clientId)
    if mark == start { return loss == .expired || hasLasted ? .join : .wait }
    if let mark, mark > start { hasMetLater = true }
    return hasLasted ? .end(holder) : .wait
  }
}

/// A named member has lost its place: it must not join again, nor make a producer, before ``PlaceClaim`` says so.
package struct PlaceLost: Error, Equatable {
  package let loss: PlaceClaim.Loss

  package init(loss: PlaceClaim.Loss) { self.loss = loss }
}
