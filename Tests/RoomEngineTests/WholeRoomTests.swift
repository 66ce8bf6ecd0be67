import RoomEngine
import RoomModel
import TestSupport
import Testing

/// STAGES.md, section 9.
struct WholeRoomTests {
  @Test func skipsAreTalliedForASecondForEachReason() {
    var settings = EngineSettings()
    settings.gift.lanes = 1
    settings.gift.queueLimit = 0
    expectRoom(
      """
         0 | gift ann rose 1 | show ann rose lane 0 from 0 total 1
       100 | gift bob rose 1 | skipped gift overflow 1 units 1
       200 | gift cat rose 2 |
       300 | gift dan rose 3 |
       550 |                 | bump lane 0 count 1
      1100 |                 | skipped gift overflow 2 units 5
      1850 |                 | hide lane 0 count 1
      2100 | gift eve rose 1 | show eve rose lane 0 from 0 total 1
      2101 | gift bob rose 1 | skipped gift overflow 1 units 1
      2650 |                 | bump lane 0 count 1
      3950 |                 | hide lane 0 count 1
      """, settings: settings)
  }

  @Test func whatIsSkippedAsThePaceEndsGoesOutAtOnceWithAllThatWaited() {
    var settings = EngineSettings()
    settings.gift.lanes = 1
    settings.gift.maxWaitMs = 500
    settings.gift.holdMs = 5000
    expectRoom(
      """
         0 | gift ann rose 1 | show ann rose lane 0 from 0 total 1
        10 | gift bob rose 1 |
       510 |                 | skipped gift expired 1 units 1
       550 |                 | bump lane 0 count 1
       600 | gift cat rose 1 |
      1010 | gift dan rose 2 |
      1010 | gift eve rose 3 |
      1510 |                 | skipped gift expired 3 units 6
      5850 |                 | hide lane 0 count 1
      """, settings: settings)
  }

  @Test func aMuteThatARoomForgetsBeforeItsEndIsCounted() {
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    var forgotten: [Int64] = []
    for number in 0..<1003 {
      let mute = RoomEvent.takeBack(user: "\(number)", muteMs: 60_000)
      _ = log.apply(offset: Int64(number), timestampMs: 1000, event: mute, into: &batch)
      forgotten.append(batch.counts.forgottenRetracts)
      batch.removeAll()
    }
    #expect(forgotten == [Int64](repeating: 0, count: 1000) + [1, 2, 3])
    // Those that are over make room.
    _ = log.apply(
      offset: 1003, timestampMs: 61_000, event: RoomEvent.takeBack(user: "1003", muteMs: 60_000), into: &batch)
    #expect(batch.counts.forgottenRetracts == 3)
  }

  @Test func `a gift that adds nothing to its streak is counted as swallowed`() {
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    // A constant streakId, as of a producer that has none.
    for number in 0..<3 {
      let gift = RoomEvent.gift("ann", streak: "0")
      _ = log.apply(offset: Int64(number), timestampMs: 1000 + Int64(number), event: gift, into: &batch)
    }
    #expect(batch.counts.swallowedGifts == 2)
  }

  @Test func aComboThatIsTakenBackHidesAndItsRestIsOneSkip() {
    expectRoom(
      """
         0 | gift ann rose 3 | show ann rose lane 1 from 0 total 3
       550 |                 | bump lane 1 count 1
       600 | retract combo 0 | retracted in/0/0
       600 |                 | hide lane 1 count 1
       600 |                 | skipped gift retracted 1 units 2
       700 | gift ann rose 1 | show ann rose lane 0 from 0 total 1
      1250 |                 | bump lane 0 count 1
      2550 |                 | hide lane 0 count 1
      """)
  }

  @Test func aWishThatIsTakenBackIsGoneItsTrackStaysTakenAndItIsSkippedIfItComesAgain() {
    expectRoom(
      """
         0 | wish ann a     | fly a track 0 width 107 likes 0
       100 | like u1 a      |
       400 | retract wish a | retracted a
       400 |                | gone a
      1000 | wish bob b     | fly b track 1 width 107 likes 0
      2000 | wish ann a     | skipped wish retracted 1 units 1
      2100 | wish ann c     | fly c track 0 width 107 likes 0
      """)
  }

  @Test func whatAUserSentIsTakenBackLanesFirstAndAMutedUserIsNotHeard() {
    var settings = EngineSettings()
    settings.gift.lanes = 1
    expectRoom(
      """
         0 | gift ann rose 1           | show ann rose lane 0 from 0 total 1
        10 | gift ann cake 2           |
        20 | wish ann a                | fly a track 0 width 107 likes 0
        30 | wish ann b                |
       100 | retract user ann mute 900 | retracted ann
       100 |                           | hide lane 0 count 0
       100 |                           | gone a
       100 |                           | skipped gift retracted 2 units 3
       100 |                           | skipped wish retracted 1 units 1
       200 | gift ann rose 4           |
       300 | tap ann 1 1               |
       350 | tap ann 1 1               |
       400 | gift bob rose 1           | show bob rose lane 0 from 0 total 1
       950 |                           | bump lane 0 count 1
      1020 | wish ann c                | fly c track 1 width 107 likes 0
      1100 |                           | skipped gift retracted 1 units 4
      2250 |                           | hide lane 0 count 1
      """, settings: settings)
  }

  @Test func anEndTellsAllThatIsLeftInItsOrderAndTheRoomBeginsAnew() {
    var settings = EngineSettings()
    settings.gift.lanes = 1
    expectRoom(
      """
         0 | gift ann rose 2  | show ann rose lane 0 from 0 total 2
        10 | gift bob rose 3  |
        20 | wish ann a       | fly a track 0 width 107 likes 0
        30 | wish bob b       |
        40 | tap u1 1 1       |
        90 | tap u1 1 1       | burst 1 1,1
       100 | tap u1 2 2       |
       150 | tap u1 2 2       |
       200 | end              | hide lane 0 count 0
       200 |                  | gone a
       200 |                  | burst 2 2,2 2,2
       200 |                  | skipped gift ended 2 units 5
       200 |                  | skipped wish ended 1 units 1
       200 |                  | ended
       201 | gift ann rose 1  | show ann rose lane 0 from 0 total 1
       202 | gift bob rose 1  |
       751 |                  | bump lane 0 count 1
      2051 |                  | hide lane 0 count 1
      2301 |                  | show bob rose lane 0 from 0 total 1
      2851 |                  | bump lane 0 count 1
      4151 |                  | hide lane 0 count 1
      """, settings: settings)
  }

  @Test func settingsOfARoomsOwnHoldForTheirTimeWhateverTheWorkersAre() {
    expectRoom(
      """
         0 | own gift.tickMs 100 for 1000 |
         1 | set gift.tickMs 200          |
         2 | gift ann rose 2              | show ann rose lane 1 from 0 total 2
       352 |                              | bump lane 1 count 1
       452 |                              | bump lane 1 count 2
       999 | gift bob rose 2              | show bob rose lane 0 from 0 total 2
      1349 |                              | bump lane 0 count 1
      1549 |                              | bump lane 0 count 2
      1552 |                              | hide lane 1 count 2
      2749 |                              | hide lane 0 count 2
      """)
  }

  @Test func settingsOfARoomsOwnTakeThePlaceOfThoseBefore() {
    expectRoom(
      """
         0 | own gift.tickMs 100 |
         1 | own gift.holdMs 500 |
         2 | gift ann rose 2     | show ann rose lane 1 from 0 total 2
       552 |                     | bump lane 1 count 1
       852 |                     | bump lane 1 count 2
      1400 | own                 |
      1652 |                     | hide lane 1 count 2
      1700 | gift bob rose 1     | show bob rose lane 0 from 0 total 1
      2250 |                     | bump lane 0 count 1
      3550 |                     | hide lane 0 count 1
      """)
  }
}
