import RoomEngine
import RoomModel
import TestSupport
import Testing

/// STAGES.md, section 7.
struct SpotStageTests {
  @Test func theDearestWaitsLeastAndTheGapIsKept() {
    expectRoom(
      """
         0 | spot ann s1 value 5 | spot s1 ann total 0 tier 0
       100 | spot bob s2 value 7 |
       200 | spot cat s3 value 9 for 1000 |
       300 | retract spot s1     | retracted s1
       300 |                     | spot gone s1
       600 |                     | spot s3 cat total 0 tier 0
      1900 |                     | spot s2 bob total 0 tier 0
      """, isPlain: false)
  }

  @Test func aGiftComesToTheSpotWithItsTier() {
    expectRoom(
      """
         0 | gift ann rocket 1 value 5000 | show ann rocket lane 1 from 0 total 1 tier 2
         0 |                              | spot in/0/0~2 ann total 1 tier 2
       550 |                              | bump lane 1 count 1
      4850 |                              | hide lane 1 count 1
      """, isPlain: false)
  }

  @Test func aFullQueueSkipsTheLeastWorth() {
    var settings = EngineSettings()
    settings.spot.queueLimit = 1
    expectRoom(
      """
         0 | spot ann s1 value 5 | spot s1 ann total 0 tier 0
       100 | spot bob s2 value 7 |
       200 | spot cat s3 value 6 | skipped spot overflow 1 units 1
       300 | spot dan s2 value 9 |
      4300 |                     | spot s2 bob total 0 tier 0
      """, settings: settings, isPlain: false)
  }
}
