import Synchronization

/// Whether all that a gateway serves has been read back. Set by the feed, asked on any thread.
final class Readiness: Sendable {
  /// Reasons that metrics tell apart.
  enum Reason: String, CaseIterable {
    case brokerAway = "broker_away"
    case refused
    case readingBack = "reading_back"
    case topicGone = "topic_gone"
    case shuttingDown = "shutting_down"
  }

  private let reason = Mutex<(text: String, reason: Reason)?>(("waiting for the broker", .brokerAway))
  private let refusal = Mutex<String?>(nil)
  private let isEnding = Atomic(false)

  /// The reason that it is not ready; nil: it is.
  var unreadiness: String? { reason.withLock { $0?.text } }

  /// The reason for balancers that send clients here: a gateway about to end, or one that a broker refuses, serves on, but
  /// gets no more clients.
  var probed: String? {
    isEnding.load(ordering: .relaxed) ? "shutting down" : unreadiness ?? refusal.withLock(\.self)
  }

  /// The reason as one of a few words; nil: it is ready, and is to get clients.
  var probedReason: Reason? {
    if isEnding.load(ordering: .relaxed) { return .shuttingDown }
    return reason.withLock { $0?.reason } ?? (refusal.withLock { $0 == nil } ? nil : .refused)
  }

  /// Announces that the gateway is about to end.
  func end() { isEnding.store(true, ordering: .relaxed) }

  /// What was read back is served on, and nothing new comes: for `why`. Nil: it comes again.
  func refuse(_ why: String?) { refusal.withLock { $0 = why } }

  /// - Returns: whether it is ready now, and was not before.
  func set(_ unreadiness: String?, because why: Reason) -> Bool {
    reason.withLock { reason in
      defer { reason = unreadiness.map { ($0, why) } }
      return unreadiness == nil && reason != nil
    }
  }
}
