/// The waits before a stream that ended is opened again. `Tests/ClientCases/coming-back.json` has the cases.
///
/// An orderly end is followed after the `retry` that the server gave. Anything else is a failure: the wait doubles with
/// each, up to a limit, and begins anew once a stream has stayed open for a second.
package struct Comeback: Sendable {
  /// The end of an attempt to stream.
  package struct Ending: Sendable {
    /// The time that the stream was open; nil: it never was.
    package var openFor: Duration?
    /// Its last byte came: the server ended it, nothing broke.
    package var isOrderly: Bool
    /// The last `retry` of the stream, if it had one.
    package var retry: Duration?
    /// The wait that a refusal asked for.
    package var retryAfter: Duration

    package init(
      openFor: Duration? = nil, isOrderly: Bool = false, retry: Duration? = nil, retryAfter: Duration = .zero
    ) {
      self.openFor = openFor
      self.isOrderly = isOrderly
      self.retry = retry
      self.retryAfter = retryAfter
    }
  }

  /// A stream that stayed open for so long has worked, whether or not it had something to say.
  private static let worked: Duration = .seconds(1)

  private var backoff: Backoff
  /// The wait that the last open stream asked for. It holds until the next is open.
  private var retry = Duration.zero

  package init(first: Duration, limit: Duration) { backoff = Backoff(first: first, limit: limit) }

  /// - Parameter share: of the part of a wait that is left to chance, from 0 to 1.
  package mutating func wait(after ending: Ending, share: Double) -> Duration {
    if ending.openFor != nil { retry = ending.retry ?? .zero }
    if let openFor = ending.openFor, openFor >= Self.worked {
      backoff.reset()
      if ending.isOrderly, let retry = ending.retry { return Backoff.obeyed(retry) }
    }
    return backoff.next(least: max(retry, ending.retryAfter), share: share)
  }
}
