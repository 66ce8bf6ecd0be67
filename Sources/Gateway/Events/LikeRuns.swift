package import RoomScreen
import Synchronization

/// Likes that a client has gathered in a run so far.
package struct LikeRun: Sendable {
  let id: ID
  let count: Int64

  package init(id: ID, count: Int64) {
    self.id = id
    self.count = count
  }
}

/// The runs of gathered taps that clients have sent lately, and how far each was let through.
package final class LikeRuns<Place: Hashable & Sendable>: Sendable {
  private struct Known {
    var runs: [Place: [LikeRun]] = [:]
    /// Those that no event has named since the last turn.
    var before: [Place: [LikeRun]] = [:]
    var turnedMs: Int64 = 0
  }

  private let known = Mutex(Known())

  /// A client's run is forgotten after once or twice this.
  private static var turnMs: Int64 { 60_000 }
  /// The most runs of a client in a room that are remembered; a room remembers as many.
  private static var limit: Int { 4 }

  package init() {}

  /// - Parameter take: takes so many likes; nil if they were there, else in how many milliseconds they will be.
  /// - Returns: the same. Only likes that were there count as let through.
  package func take(_ run: LikeRun, of place: Place, nowMs: Int64, _ take: (Int64) -> Int64?) -> Int64? {
    known.withLock { known in
      if nowMs - known.turnedMs >= Self.turnMs { known = Known(before: known.runs, turnedMs: nowMs) }
      var runs = known.runs[place] ?? known.before[place] ?? []
      let index = runs.firstIndex { $0.id == run.id }
      let counted = index.map { runs.remove(at: $0).count } ?? 0
      if let waitMs = take(max(0, run.count - counted)) { return waitMs }
      runs.append(LikeRun(id: run.id, count: max(counted, run.count)))
      known.runs[place] = runs.suffix(Self.limit)
      return nil
    }
  }
}
