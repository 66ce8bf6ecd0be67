/// Counts of what the engine did in all rooms, for metrics. Of gifts in crowds, combos are items and gifts are units.
///
/// Sums wrap rather than trap: units of 64 bits may come again and again, and no contract has these sums.
public struct EngineCounts: Equatable, Sendable {
  public var joinedItems: Int64 = 0
  public var joinedUnits: Int64 = 0
  public var toldItems: Int64 = 0
  public var toldUnits: Int64 = 0
  /// Senders named, each time that they are.
  public var names: Int64 = 0
  /// Combos that found no crowd, where a room had as many as it may have.
  public var refusedItems: Int64 = 0
  /// Retracts that a room forgot before their end, since it remembers a limited number.
  public var forgottenRetracts: Int64 = 0
  /// Gifts that added nothing to their streaks.
  public var swallowedGifts: Int64 = 0
  public var waits = ShownWaits()

  public init() {}
}

/// Counts drawn items by how long they had been queued.
public struct ShownWaits: Equatable, Sendable {
  /// Upper ends, in milliseconds; 0: what was drawn at once.
  public static let boundsMs: [Milliseconds] = [0, 500, 1000, 2500, 5000, 10_000, 20_000, 30_000, 60_000]
  /// A longer wait, which settings may allow, counts as an hour.
  private static let mostMs: Milliseconds = 3_600_000

  /// The counts by ``Skipped/Stage``, then by bound; the last is of waits above all bounds.
  public private(set) var counts = [[Int64]](
    repeating: [Int64](repeating: 0, count: boundsMs.count + 1), count: Skipped.Stage.allCases.count)
  public private(set) var sumMs = [Int64](repeating: 0, count: Skipped.Stage.allCases.count)

  public mutating func add(_ ms: Milliseconds, of stage: Skipped.Stage) {
    let stage = Int(stage.rawValue)
    counts[stage][Self.boundsMs.firstIndex { ms <= $0 } ?? Self.boundsMs.count] += 1
    sumMs[stage] += min(ms, Self.mostMs)
  }
}
