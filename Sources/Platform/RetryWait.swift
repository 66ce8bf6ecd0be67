/// The pause before the next try: a second at first, three at most in the first minute, half a minute at most in the end.
///
/// A fault that is mended soon is noticed soon, and a password that is wrong for long locks no account.
package struct RetryWait: Sendable {
  private var nextMs = Self.firstMs
  private var waitedMs: Int64 = 0

  private static let firstMs: Int64 = 1000
  private static let soonMs: Int64 = 3000
  private static let minuteMs: Int64 = 60_000
  private static let mostMs: Int64 = 30_000

  package init() {}

  package mutating func next() -> Int64 {
    defer { nextMs = min(waitedMs < Self.minuteMs ? Self.soonMs : Self.mostMs, 2 * nextMs) }
    waitedMs += nextMs
    return nextMs
  }

  /// The try has worked.
  package mutating func reset() { self = RetryWait() }
}
