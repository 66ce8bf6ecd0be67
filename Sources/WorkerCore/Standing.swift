/// The time since which something has been so without a break, in milliseconds of a clock that only moves forward.
package struct Standing: Sendable {
  private var sinceMs: Int64?

  package init() {}

  /// It is so now.
  ///
  /// - Returns: The time for which it has been so.
  package mutating func holds(nowMs: Int64) -> Int64 {
    let since = sinceMs ?? nowMs
    sinceMs = since
    return nowMs - since
  }

  /// It is not so any more.
  package mutating func ends() { sinceMs = nil }
}
