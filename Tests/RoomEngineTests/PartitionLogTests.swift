import RoomEngine
import RoomModel
import TestSupport
import Testing

/// STAGES.md, sections 1, 2, 9 and 10.
struct PartitionLogTests {
  @Test func aLateRecordHappensAtTheClock() {
    expectRoom(
      """
      1000 | gift ann rose 1 | show ann rose lane 1 from 0 total 1
       200 | gift bob rose 1 |
      1000 |                 | show bob rose lane 0 from 0 total 1
      1550 |                 | bump lane 0 count 1
           |                 | bump lane 1 count 1
      2850 |                 | hide lane 0 count 1
           |                 | hide lane 1 count 1
      """)
  }

  @Test func whatIsDueFiresBeforeARecordAlsoOneThatIsNotUnderstood() {
    expectRoom(
      """
         0 | gift ann rose 1 | show ann rose lane 1 from 0 total 1
       550 | broken          | bump lane 1 count 1
       551 | gift ann rose 1 |
       850 |                 | bump lane 1 count 2
      2150 |                 | hide lane 1 count 2
      """)
  }

  @Test func anIdleLogMovesTheClockToTheLastTimerAndNoFurther() {
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    _ = log.apply(offset: 0, timestampMs: 0, event: .gift("ann"), into: &batch)
    #expect(log.fireTimers(through: 549, into: &batch) == nil)
    #expect(log.clock == 0)
    #expect(log.nextDeadline == 550)
    #expect(log.fireTimers(through: 849, into: &batch) == 550)
    #expect(log.clock == 550)
    #expect(log.fireTimers(through: 9000, into: &batch) == 5100)
    #expect(log.clock == 5100)
    #expect(log.nextDeadline == .max)
  }

  @Test func commandsAreNumberedSinceTheLastRecordWhateverItsRoom() {
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    _ = log.apply(offset: 3, timestampMs: 0, event: .gift("ann"), into: &batch)
    _ = log.apply(offset: 5, timestampMs: 10, event: .gift("bob", room: "r2"), into: &batch)
    _ = log.apply(offset: 9, timestampMs: 600, event: nil, into: &batch)
    _ = log.fireTimers(through: 2000, into: &batch)
    let ids = batch.commands.map { "\($0.roomId) \($0.recordOffset)/\($0.place) at \($0.atMs)" }
    #expect(ids.filter { $0.hasPrefix("r1") } == ["r1 3/0 at 0", "r1 5/0 at 550", "r1 9/0 at 1850"])
    #expect(ids.filter { $0.hasPrefix("r2") } == ["r2 5/0 at 10", "r2 5/1 at 560", "r2 9/0 at 1860"])
  }

  @Test func anEventThatComesAgainIsADuplicateForAWindowFromEachComing() {
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    var offset: Int64 = 0
    func apply(_ at: LogTime, _ id: String, room: String = "r1") -> PartitionLog.Applied {
      defer { offset += 1 }
      return log.apply(offset: offset, timestampMs: at, event: .gift("ann", id: id, room: room), into: &batch)
    }
    #expect(apply(0, "a") == .applied)
    #expect(apply(59_999, "a") == .duplicate)
    #expect(apply(100_000, "a") == .duplicate)
    #expect(apply(100_000, "a", room: "r2") == .applied)
    #expect(apply(160_000, "a") == .applied)
    #expect(apply(160_000, "") == .applied)
    #expect(apply(160_000, "") == .applied)
    var settings = log.settings
    settings.dedupe.windowMs = 0
    log.change(to: settings)
    #expect(apply(161_000, "b") == .applied)
    #expect(apply(161_000, "b") == .applied)
    // A window that has begun keeps its length.
    #expect(apply(219_999, "a") == .duplicate)
    #expect(apply(220_000, "a") == .applied)
  }

  @Test func ifSettingsChangeWhatIsSetStaysAndWhatIsLaterFollowsThem() {
    expectRoom(
      """
         0 | gift ann rose 2     | show ann rose lane 1 from 0 total 2
         1 | gift bob rose 1     | show bob rose lane 0 from 0 total 1
         2 | gift cat rose 1     |
         3 | set gift.lanes 1    |
         4 | set gift.tickMs 100 |
       550 |                     | bump lane 1 count 1
       551 |                     | bump lane 0 count 1
       650 |                     | bump lane 1 count 2
      1651 |                     | hide lane 0 count 1
      1750 |                     | hide lane 1 count 2
      1901 |                     | show cat rose lane 0 from 0 total 1
      2251 |                     | bump lane 0 count 1
      3351 |                     | hide lane 0 count 1
      """)
  }

  @Test func afterAChangeOfTheWishStageATrackWaitsUntilAllHaveLanded() {
    expectRoom(
      """
         0 | set wish.tracks 1        |
         0 | wish ann a               | fly a track 0 width 107 likes 0
         1 | set wish.intervalMs 100  |
         2 | wish bob b               |
      6000 |                          | fly b track 0 width 107 likes 0
      6001 | wish cat c               |
      7631 |                          | fly c track 0 width 107 likes 0
      """)
  }

  @Test func settingsThatAreWhatTheyWereChangeNothing() {
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
    log.change(to: EngineSettings())
    #expect(log.settingsEpoch == 0)
    var settings = EngineSettings()
    settings.rain.graceMs = 7
    log.change(to: settings)
    log.change(to: settings)
    #expect(log.settingsEpoch == 1)
  }

  @Test func aScriptThatFailsShowsWhatWasWantedAndWhatWasDrawn() {
    let script = RoomScript(
      """
         0 | gift ann rose 1 | show ann rose lane 1 from 0 total 1
       550 |                 | bump lane 1 count 2
      1850 |                 | hide lane 1 count 1
      1900 |                 | hide lane 1 count 1
      """)
    #expect(
      script.difference() == """
          0 | show ann rose lane 1 from 0 total 1
        - 550 | bump lane 1 count 2
        + 550 | bump lane 1 count 1
          1850 | hide lane 1 count 1
        - 1900 | hide lane 1 count 1

        """)
  }
}
