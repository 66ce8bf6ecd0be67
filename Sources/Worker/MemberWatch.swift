import Synchronization

/// When each member's thread was last seen at work.
///
/// librdkafka 2.0.2 may keep a thread in `send_offsets_to_transaction` until a broker is back, whatever time it was
/// given. Who waits there can't tell of it, so another thread does.
final class MemberWatch: Sendable {
  /// Longer than any turn with a broker that answers.
  static let patienceMs: Int64 = 2500

  private let turnsBeganMs: Mutex<[Int: Int64]> = Mutex([:])

  func began(_ member: Int, nowMs: Int64) { turnsBeganMs.withLock { $0[member] = nowMs } }

  func ended(_ member: Int) { turnsBeganMs.withLock { $0[member] = nil } }

  /// Whether one has not been seen for longer than it should take.
  func isStuck(nowMs: Int64) -> Bool {
    turnsBeganMs.withLock { $0.values.contains { nowMs - $0 > Self.patienceMs } }
  }
}
