import Synchronization

/// Whether all that a gateway serves has been read back. Set by the feed, asked on any thread.
final class Readiness: Sendable {
  private let reason = Mutex<String?>("waiting for the broker")

  /// Why it is not ready; nil: it is.
  var unreadiness: String? { reason.withLock { $0 } }

  /// - Returns: whether it is ready now, and was not before.
  func set(_ unreadiness: String?) -> Bool {
    reason.withLock { reason in
      defer { reason = unreadiness }
      return unreadiness == nil && reason != nil
    }
  }
}
