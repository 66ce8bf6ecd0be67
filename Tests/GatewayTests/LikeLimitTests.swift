import Gateway
import RoomScreen
import Testing

/// Gathered taps are limited by the likes that they tell.
struct LikeLimitTests {
  @Test func `a client's likes are limited, and a new run is no way around that`() {
    let buckets = TokenBuckets<String>(perSecond: 10, burst: 100)
    let runs = LikeRuns<String>()
    func send(_ id: String, _ count: Int64, at nowMs: Int64) -> Int64? {
      runs.take(LikeRun(id: ID(id), count: count), of: "7", nowMs: nowMs) { buckets.take("7", $0, nowMs: nowMs) }
    }
    #expect(send("a", 60, at: 0) == nil)
    // Only what is new counts, and what comes again is nothing.
    #expect(send("a", 90, at: 0) == nil && send("a", 90, at: 0) == nil && send("a", 20, at: 0) == nil)
    // Ten are left: the next run tells more.
    #expect(send("b", 30, at: 0) == 2000)
    #expect(send("a", 101, at: 0) == 100 && send("a", 100, at: 0) == nil)
    #expect(send("b", 30, at: 3000) == nil)
    // A run that is not known here, as after a restart, is let through once all are there.
    #expect(send("c", 1_000_000, at: 3000) == 10_000)
    #expect(send("c", 1_000_000, at: 13_000) == nil)
    #expect(send("c", 1_000_001, at: 13_000) == 100)
  }
}
