package import RoomModel

/// Waits, counted to 10 ms, so that a day takes as much memory as a minute; the longest is exact.
package struct WaitTimes: Equatable, Sendable {
  private var counts: [Milliseconds: Int] = [:]
  package private(set) var longestMs: Milliseconds = 0

  package init() {}

  private static let stepMs: Milliseconds = 10

  package var count: Int { counts.values.reduce(0, +) }

  package mutating func add(_ wait: Milliseconds) {
    counts[wait / Self.stepMs, default: 0] += 1
    longestMs = max(longestMs, wait)
  }

  mutating func add(_ others: WaitTimes) {
    counts.merge(others.counts) { $0 + $1 }
    longestMs = max(longestMs, others.longestMs)
  }

  /// The least wait that this part of all (in hundredths) doesn't exceed, rounded down to 10 ms; nil: nothing was drawn.
  package func percentileMs(_ hundredths: Int) -> Milliseconds? {
    let wanted = (count * hundredths + 99) / 100
    var seen = 0
    for step in counts.keys.sorted() {
      seen += counts[step]!
      if seen >= max(1, wanted) { return step * Self.stepMs }
    }
    return nil
  }
}
