/// The pause before the next try: a second at first, twice as long each time, half a minute at most.
package struct RetryWait: Sendable {
  private var nextMs = Self.firstMs

  private static let firstMs: Int64 = 1000
  private static let mostMs: Int64 = 30_000

  package init() {}

  package mutating func next() -> Int64 {
    defer { nextMs = min(Self.mostMs, 2 * nextMs) }
    return nextMs
  }

  /// The try has worked.
  package mutating func reset() { nextMs = Self.firstMs }
}
