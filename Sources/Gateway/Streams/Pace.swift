/// The time for which commands of one list of rooms are gathered, which its viewers' lag makes room for.
///
/// Whoever is told to lag further behind glides there, by a tenth of the time that passes. The time of gathering grows as
/// slowly, so that nothing comes too late meanwhile. It shrinks only when less has been needed for half a minute: viewers
/// would see a clock that goes back and forth.
package struct Pace {
  /// The time that streams have been told of.
  package private(set) var toldMs: Int64
  private var beginMs: Int64
  private var beganMs = Int64.min / 2
  /// The time since which less has been needed; nil: no less is.
  private var lessSinceMs: Int64?

  private static let glide: Int64 = 10
  package static let calmMs: Int64 = 30_000

  package init(_ ms: Int64) { (toldMs, beginMs) = (ms, ms) }

  /// The time for which something that is due waits for more.
  package func gatherMs(nowMs: Int64) -> Int64 { min(toldMs, beginMs + (nowMs - beganMs) / Self.glide) }

  /// No change is on its way.
  package var isAtRest: Bool { lessSinceMs == nil }

  /// - Returns: whether streams are to be told of another time.
  package mutating func follow(_ neededMs: Int64, nowMs: Int64) -> Bool {
    if neededMs < toldMs {
      guard let since = lessSinceMs else {
        lessSinceMs = nowMs
        return false
      }
      if nowMs - since < Self.calmMs { return false }
    }
    lessSinceMs = nil
    if neededMs == toldMs { return false }
    (beginMs, beganMs, toldMs) = (min(neededMs, gatherMs(nowMs: nowMs)), nowMs, neededMs)
    return true
  }
}
