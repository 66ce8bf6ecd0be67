/// The waits before the next attempts: longer with each that fails, up to a limit, and never the same for all who
/// lost the same gateway at the same moment.
package struct Backoff: Sendable {
  private let first: Duration
  private let limit: Duration
  private var failures = 0

  package init(first: Duration, limit: Duration) {
    self.first = first
    self.limit = limit
  }

  /// Begins anew: an attempt has worked.
  package mutating func reset() { failures = 0 }

  /// An attempt has failed.
  ///
  /// - Parameters:
  ///   - least: what the server asked for.
  ///   - share: of the part that is left to chance, from 0 to 1.
  /// - Returns: between half of a span that doubles with each failure and all of it, beyond `least`.
  package mutating func next(least: Duration = .zero, share: Double) -> Duration {
    var span = first
    for _ in 0..<failures where span < limit { span *= 2 }
    span = min(span, limit)
    failures += 1
    return Self.obeyed(least) + span / 2 + span / 2 * min(max(share, 0), 1)
  }

  /// A server that asks for ever is not obeyed for ever.
  static func obeyed(_ asked: Duration) -> Duration { min(asked, .seconds(3600)) }
}
