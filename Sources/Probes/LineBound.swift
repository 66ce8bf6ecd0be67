/// How many lines of one source are written.
struct LineBound {
  private static let most: Int64 = 20
  private static let spanMs: Int64 = 60_000

  /// The beginning of the span that counts, and its lines.
  private var sinceMs = Int64.min
  private var count: Int64 = 0

  /// - Returns: Whether the next line is written; and how many were not in the last span, once it is over.
  mutating func ask(nowMs: Int64) -> (isAllowed: Bool, leftOut: Int64) {
    var leftOut: Int64 = 0
    if sinceMs == .min || nowMs - sinceMs >= Self.spanMs {
      leftOut = max(0, count - Self.most)
      (sinceMs, count) = (nowMs, 0)
    }
    count += 1
    return (count <= Self.most, leftOut)
  }
}
