import Synchronization

/// The time at which each member's thread was last seen at work.
///
/// librdkafka 2.0.2 may keep a thread in `send_offsets_to_transaction` until a broker takes it back, whatever time it
/// was given. Who waits there can't tell of it, so another thread does.
package final class MemberWatch: Sendable {
  private struct Turn {
    var beganMs: Int64
    /// It is in the call that may not come back.
    var isInCall = false
  }

  private struct State {
    var turns: [Int: Turn] = [:]
    /// The broker is known to be away, or to refuse us.
    var isExplained = false
  }

  /// Longer than any turn with a broker that answers.
  private static let patienceMs: Int64 = 2500
  /// Longer than any turn with a broker that comes back.
  private static let lostMs: Int64 = 15_000
  /// Longer than any turn at all.
  private static let longestMs: Int64 = 60_000

  private let state = Mutex(State())

  package init() {}

  package func began(_ member: Int, nowMs: Int64) { state.withLock { $0.turns[member] = Turn(beganMs: nowMs) } }

  /// It makes no turns for now, or no more.
  package func ended(_ member: Int) { state.withLock { $0.turns[member] = nil } }

  /// Does what may not come back.
  package func calling<R, E>(_ member: Int, _ body: () throws(E) -> R) throws(E) -> R {
    state.withLock { $0.turns[member]?.isInCall = true }
    defer { state.withLock { $0.turns[member]?.isInCall = false } }
    return try body()
  }

  /// Whether one has not been seen for longer than it should take.
  package func isStuck(nowMs: Int64) -> Bool {
    state.withLock { $0.turns.values.contains { nowMs - $0.beganMs > Self.patienceMs } }
  }

  /// Members that have not been seen for that long.
  package func stuck(nowMs: Int64) -> [Int] {
    state.withLock { $0.turns.filter { nowMs - $0.value.beganMs > Self.patienceMs }.keys.sorted() }
  }

  /// Members in a call that should have returned long ago.
  package func lost(nowMs: Int64) -> [Int] {
    state.withLock { $0.turns.filter { $0.value.isInCall && nowMs - $0.value.beganMs >= Self.lostMs }.keys.sorted() }
  }

  /// - Parameter isExplained: that members are stuck has a reason, for which they wait.
  package func setExplained(_ isExplained: Bool) { state.withLock { $0.isExplained = isExplained } }

  /// Nil: all members make their turns, or wait for something that is known.
  package func unhealthiness(nowMs: Int64) -> String? {
    state.withLock { state in
      let stuck = state.turns.filter { _, turn in
        nowMs - turn.beganMs >= Self.longestMs && !(turn.isInCall && state.isExplained)
      }
      guard let worst = stuck.min(by: { ($0.value.beganMs, $0.key) < ($1.value.beganMs, $1.key) }) else { return nil }
      return "member \(worst.key) has made no turn for \((nowMs - worst.value.beganMs) / 1000) s: restart this worker"
    }
  }
}
