import RoomEngine
import RoomModel
import TestSupport
import Testing

/// STAGES.md, section 3.
struct GiftStageTests {
  @Test func aSingleGiftEntersCountsAndLeaves() {
    expectRoom(
      """
         0 | gift ann rose 1 | show ann rose lane 1 from 0 total 1
       550 |                 | bump lane 1 count 1
      1850 |                 | hide lane 1 count 1
      """)
  }

  @Test func aGiftDuringTheHoldEndsItAndTheTicksGoOnAsTheyWere() {
    expectRoom(
      """
         0 | gift ann rose 1 | show ann rose lane 1 from 0 total 1
       550 |                 | bump lane 1 count 1
      1000 | gift ann rose 2 |
      1150 |                 | bump lane 1 count 2
      1450 |                 | bump lane 1 count 3
      2750 |                 | hide lane 1 count 3
      """)
  }

  @Test func aGapIsCountedInEvenStepsWithinCatchUpTicks() {
    var settings = EngineSettings()
    settings.gift.tiers = GiftTiers()
    expectRoom(
      """
         0 | gift ann rose 95 | show ann rose lane 1 from 0 total 95
       550 |                  | bump lane 1 count 10
       850 |                  | bump lane 1 count 20
      1150 |                  | bump lane 1 count 30
      1450 |                  | bump lane 1 count 40
      1750 |                  | bump lane 1 count 50
      2050 |                  | bump lane 1 count 60
      2350 |                  | bump lane 1 count 70
      2650 |                  | bump lane 1 count 80
      2950 |                  | bump lane 1 count 90
      3250 |                  | bump lane 1 count 95
      4550 |                  | hide lane 1 count 95
      """, settings: settings)
  }

  @Test func aRestingComboGoesOnFromWhereItWas() {
    expectRoom(
      """
         0 | gift ann rose 1 | show ann rose lane 1 from 0 total 1
       550 |                 | bump lane 1 count 1
      1850 |                 | hide lane 1 count 1
      5099 | gift ann rose 1 | show ann rose lane 1 from 1 total 2
      5649 |                 | bump lane 1 count 2
      6949 |                 | hide lane 1 count 2
      """)
  }

  @Test func aRestThatRanOutIsForgotten() {
    expectRoom(
      """
         0 | gift ann rose 1 | show ann rose lane 1 from 0 total 1
       550 |                 | bump lane 1 count 1
      1850 |                 | hide lane 1 count 1
      5100 | gift ann rose 1 | show ann rose lane 1 from 0 total 1
      5650 |                 | bump lane 1 count 1
      6950 |                 | hide lane 1 count 1
      """)
  }

  @Test func aGiftWhileItsViewLeavesQueuesItsComboAgain() {
    expectRoom(
      """
         0 | gift ann rose 1 | show ann rose lane 1 from 0 total 1
       550 |                 | bump lane 1 count 1
      1850 |                 | hide lane 1 count 1
      1851 | gift ann rose 1 |
      2100 |                 | show ann rose lane 1 from 1 total 2
      2650 |                 | bump lane 1 count 2
      3950 |                 | hide lane 1 count 2
      """)
  }

  @Test func combosAreToldApartByReceiver() {
    expectRoom(
      """
         0 | gift ann rose 1        | show ann rose lane 1 from 0 total 1
         0 | gift ann rose 1 to bob | show ann rose lane 0 from 0 total 1
       550 |                        | bump lane 0 count 1
           |                        | bump lane 1 count 1
      1850 |                        | hide lane 0 count 1
           |                        | hide lane 1 count 1
      """)
  }

  @Test func inAQueueByValueTheGreatestWorthComesFirstAndTheLeastIsSkipped() {
    var settings = EngineSettings()
    settings.gift.lanes = 1
    settings.gift.order = .value
    settings.gift.queueLimit = 2
    expectRoom(
      """
         0 | gift ann rose 1 value 1 | show ann rose lane 0 from 0 total 1
         1 | gift bob rose 1 value 5 |
         2 | gift cat rose 1 value 9 |
         3 | gift dan rose 1 value 5 | skipped gift overflow 1 units 1
         4 | gift eve rose 7 value 1 |
       550 |                         | bump lane 0 count 1
      1003 |                         | skipped gift overflow 1 units 1
      1850 |                         | hide lane 0 count 1
      2100 |                         | show cat rose lane 0 from 0 total 1
      2650 |                         | bump lane 0 count 1
      3950 |                         | hide lane 0 count 1
      4200 |                         | show eve rose lane 0 from 0 total 7
      4750 |                         | bump lane 0 count 1
      5050 |                         | bump lane 0 count 2
      5350 |                         | bump lane 0 count 3
      5650 |                         | bump lane 0 count 4
      5950 |                         | bump lane 0 count 5
      6250 |                         | bump lane 0 count 6
      6550 |                         | bump lane 0 count 7
      7850 |                         | hide lane 0 count 7
      """, settings: settings)
  }

  @Test func byUserEveryoneHasALaneOfTheirOwn() {
    var settings = EngineSettings()
    settings.gift.placement = .byUser
    settings.gift.lanes = 4
    // Digits below 2^64 are a number, whatever zeros are before it; anything else goes by FNV-1a.
    expectRoom(
      """
         0 | gift 7 rose 1                    | show 7 rose lane 3 from 0 total 1
           | gift 0003 rose 1                 |
           | gift 18446744073709551614 rose 1 | show 18446744073709551614 rose lane 2 from 0 total 1
           | gift 18446744073709551616 rose 1 | show 18446744073709551616 rose lane 1 from 0 total 1
           | gift bob rose 1                  | show bob rose lane 0 from 0 total 1
       550 |                                  | bump lane 0 count 1
           |                                  | bump lane 1 count 1
           |                                  | bump lane 2 count 1
           |                                  | bump lane 3 count 1
      1850 |                                  | hide lane 0 count 1
           |                                  | hide lane 1 count 1
           |                                  | hide lane 2 count 1
           |                                  | hide lane 3 count 1
      2100 |                                  | show 0003 rose lane 3 from 0 total 1
      2650 |                                  | bump lane 3 count 1
      3950 |                                  | hide lane 3 count 1
      """, settings: settings)
  }

  @Test func whoHasHadATurnMakesWayForOthers() {
    var settings = EngineSettings()
    settings.gift.lanes = 1
    settings.gift.turnMs = 1000
    settings.gift.catchUpTicks = 0
    expectRoom(
      """
         0 | gift ann rose 4 | show ann rose lane 0 from 0 total 4
       550 |                 | bump lane 0 count 1
       600 | gift bob rose 1 |
       850 |                 | bump lane 0 count 2
      1150 |                 | bump lane 0 count 3
           |                 | hide lane 0 count 3
      1400 |                 | show bob rose lane 0 from 0 total 1
      1950 |                 | bump lane 0 count 1
      2550 |                 | hide lane 0 count 1
      2800 |                 | show ann rose lane 0 from 3 total 4
      3350 |                 | bump lane 0 count 4
      4650 |                 | hide lane 0 count 4
      """, settings: settings)
  }

  @Test func aComboQueuedTooLongIsSkippedWithItsGifts() {
    var settings = EngineSettings()
    settings.gift.lanes = 1
    settings.gift.maxWaitMs = 500
    expectRoom(
      """
         0 | gift ann rose 1 | show ann rose lane 0 from 0 total 1
        10 | gift bob rose 4 |
        20 | gift cat rose 1 |
       100 | gift bob rose 1 |
       510 |                 | skipped gift expired 1 units 5
       550 |                 | bump lane 0 count 1
      1510 |                 | skipped gift expired 1 units 1
      1850 |                 | hide lane 0 count 1
      """, settings: settings)
  }

  @Test func aStreakCountsWhatIsNewUntilItIsForgotten() {
    var settings = EngineSettings()
    settings.gift.streakMs = 1000
    settings.gift.comboWindowMs = 0
    expectRoom(
      """
         0 | gift ann rose 2 streak s | show ann rose lane 1 from 0 total 2
       100 | gift ann rose 1 streak s |
       550 |                          | bump lane 1 count 1
       600 | gift ann rose 3 streak s |
       850 |                          | bump lane 1 count 2
      1150 |                          | bump lane 1 count 3
      2450 |                          | hide lane 1 count 3
      3000 | gift ann rose 3 streak s | show ann rose lane 1 from 0 total 3
      3550 |                          | bump lane 1 count 1
      3850 |                          | bump lane 1 count 2
      3999 | gift ann rose 3 streak s |
      4150 |                          | bump lane 1 count 3
      5450 |                          | hide lane 1 count 3
      """, settings: settings)
  }

  @Test func aViewThatStaysLongIsShownAgain() {
    var settings = EngineSettings()
    settings.gift.refreshMs = 600
    expectRoom(
      """
         0 | gift ann rose 2 | show ann rose lane 1 from 0 total 2
       550 |                 | bump lane 1 count 1
       850 |                 | show ann rose lane 1 from 1 total 2 again
           |                 | bump lane 1 count 2
      1450 |                 | show ann rose lane 1 from 2 total 2 again
      2050 |                 | show ann rose lane 1 from 2 total 2 again
      2150 |                 | hide lane 1 count 2
      """, settings: settings)
  }

  @Test func nothingIsTooMuchToCount() {
    var log = PartitionLog(settings: EngineSettings().plain, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    for offset in 0..<200 {
      let gift = RoomEvent.gift("ann", count: .max / 100, value: 1_000_000_000)
      _ = log.apply(offset: Int64(offset), timestampMs: .max - 5, event: gift, into: &batch)
    }
    _ = log.apply(offset: 200, timestampMs: .min, event: .gift("bob"), into: &batch)
    #expect(batch.commands.count == 2)
  }
}
