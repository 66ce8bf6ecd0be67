import FlyscreenClient
import Testing

struct LogClockTests {
  private let time = ManualTime()

  @Test func timePassesFromWhatTheSnapshotSaid() {
    var clock = LogClock(time: time.timekeeper)
    #expect(clock.currentMs == nil && clock.nowMs == 0)
    clock.anchor(1_700_000_000_000)
    time.advance(by: .milliseconds(1234))
    #expect(clock.nowMs == 1_700_000_001_234)
  }

  @Test func itNeverRunsBehindACommandThatHasCome() {
    var clock = LogClock(time: time.timekeeper)
    clock.anchor(1000)
    time.advance(by: .milliseconds(500))
    clock.observe(1400)
    #expect(clock.nowMs == 1500, "a command that took its time says nothing new")
    clock.observe(1800)
    #expect(clock.nowMs == 1800, "the snapshot had taken its time")
    time.advance(by: .milliseconds(100))
    #expect(clock.nowMs == 1900)
  }

  @Test func clocksThatDriftApartAreFollowed() {
    var clock = LogClock(time: time.timekeeper)
    clock.anchor(0)
    // Ours is fast by a hundredth.
    for second in 1...300 as ClosedRange<Int64> {
      time.advance(by: .milliseconds(1010))
      clock.observe(second * 1000)
    }
    #expect((300_000...300_700).contains(clock.nowMs), "by at most what a minute of drift makes")
  }

  @Test func aSlowSpellIsNoReasonToFallBehind() {
    var clock = LogClock(time: time.timekeeper)
    clock.anchor(0)
    time.advance(by: .seconds(31))
    clock.observe(30_500)
    #expect(clock.nowMs == 31_000, "the fastest command of half a minute ago still counts")
  }

  @Test(arguments: [Int64.min, .max]) func noTimeBreaksAClock(atMs: Int64) {
    time.advance(by: .milliseconds(500))
    var clock = LogClock(time: time.timekeeper)
    clock.observe(atMs)
    clock.anchor(atMs)
    time.advance(by: .milliseconds(700))
    #expect(clock.nowMs == atMs.plus(700) || atMs == .min)
  }

  @Test func aClockGoesOnFromAScreenThatCame() {
    #expect(LogClock(nowMs: 5000).nowMs >= 5000)
  }
}
