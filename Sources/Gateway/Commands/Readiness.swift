import Synchronization

/// Whether all that a gateway serves has been read back. Set by the feed, asked on any thread.
final class Readiness: Sendable {
  private let reason = Mutex<String?>("waiting for the broker")
  private let isEnding = Atomic(false)

  /// Why it is not ready; nil: it is.
  var unreadiness: String? { reason.withLock { $0 } }

  /// The same for whoever sends clients here: one that is about to end serves on, but gets no more of them.
  var probed: String? { isEnding.load(ordering: .relaxed) ? "shutting down" : unreadiness }

  /// From now on it is about to end.
  func end() { isEnding.store(true, ordering: .relaxed) }

  /// - Returns: whether it is ready now, and was not before.
  func set(_ unreadiness: String?) -> Bool {
    reason.withLock { reason in
      defer { reason = unreadiness }
      return unreadiness == nil && reason != nil
    }
  }
}
