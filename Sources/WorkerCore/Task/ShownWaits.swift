package import RoomModel

/// Counts drawn items by how long they had been queued.
package struct ShownWaits: Equatable, Sendable {
  /// Upper ends, in milliseconds; 0: what was drawn at once.
  package static let boundsMs: [Milliseconds] = [0, 500, 1000, 2500, 5000, 10_000, 20_000, 30_000, 60_000]
  /// A longer wait, which settings may allow, counts as an hour.
  private static let mostMs: Milliseconds = 3_600_000

  /// The counts by ``Skipped/Stage``, then by bound; the last is of waits above all bounds.
  package private(set) var counts = [[Int64]](
    repeating: [Int64](repeating: 0, count: boundsMs.count + 1), count: Skipped.Stage.allCases.count)
  package private(set) var sumMs = [Int64](repeating: 0, count: Skipped.Stage.allCases.count)

  mutating func add(_ wait: ShownWait) {
    let stage = Int(wait.stage.rawValue)
    counts[stage][Self.boundsMs.firstIndex { wait.ms <= $0 } ?? Self.boundsMs.count] += 1
    sumMs[stage] += min(wait.ms, Self.mostMs)
  }

  mutating func add(_ other: ShownWaits) {
    for stage in counts.indices {
      for bucket in counts[stage].indices { counts[stage][bucket] += other.counts[stage][bucket] }
      sumMs[stage] += other.sumMs[stage]
    }
  }
}
