import Testing
import Worker

/// When a member counts as stuck, and when as dead.
struct MemberWatchTests {
  @Test func aMemberThatMakesTurnsIsWell() {
    let watch = MemberWatch()
    watch.began(0, nowMs: 1000)
    #expect(!watch.isStuck(nowMs: 3500))
    #expect(watch.unhealthiness(nowMs: 3500) == nil)
  }

  @Test func oneThatHangsIsStuckAndAfterAMinuteUnhealthy() {
    let watch = MemberWatch()
    watch.began(0, nowMs: 1000)
    watch.began(1, nowMs: 60_000)
    #expect(watch.isStuck(nowMs: 3501))
    #expect(watch.unhealthiness(nowMs: 60_999) == nil)
    #expect(watch.unhealthiness(nowMs: 61_000) == "member 0 has made no turn for 60 s: restart this worker")
    watch.began(0, nowMs: 61_000)
    #expect(watch.unhealthiness(nowMs: 61_000) == nil)
  }

  @Test func oneThatDoesNotComeBackFromItsCallIsLost() {
    let watch = MemberWatch()
    watch.began(0, nowMs: 1000)
    watch.began(1, nowMs: 1000)
    watch.calling(1) {
      #expect(watch.lost(nowMs: 15_999) == [])
      #expect(watch.lost(nowMs: 16_000) == [1])
      watch.setExplained(true)
      watch.ended(0)
      #expect(watch.unhealthiness(nowMs: 100_000) == nil, "it waits for a broker that is away")
      watch.setExplained(false)
      #expect(watch.unhealthiness(nowMs: 100_000) != nil)
    }
    #expect(watch.lost(nowMs: 16_000) == [])
  }

  @Test func oneThatRestsIsWell() {
    let watch = MemberWatch()
    watch.began(0, nowMs: 1000)
    watch.ended(0)
    #expect(!watch.isStuck(nowMs: 100_000))
    #expect(watch.unhealthiness(nowMs: 100_000) == nil)
  }
}
