import RoomEngine
import TestSupport
import Testing

/// Goals and battles (STAGES.md, section 13).
struct GoalStageTests {
  @Test func `a goal counts gifts at its pace, and is reached at once`() {
    expectRoom(
      """
         0 | goal g by units target 5 for 9000 | goal g 0 of 5 until 9000
         0 | gift ann rose 1                   | show ann rose lane 1 from 0 total 1
       500 |                                   | goal g count 1 reached 0
       550 |                                   | bump lane 1 count 1
       600 | gift bob rose 4                   | show bob rose lane 0 from 0 total 4
       600 |                                   | goal g count 5 reached 1
       700 | end                               | hide lane 0 count 0
       700 |                                   | hide lane 1 count 1
       700 |                                   | goal g end 5 ended
       700 |                                   | skipped gift ended 1 units 4
       700 |                                   | ended
      """)
  }

  @Test func `a battle takes scores for a while after its end, and gifts for nobody count for its home`() {
    var settings = EngineSettings()
    settings.goal.graceMs = 2000
    expectRoom(
      """
         0 | goal g by value sides a,b home a for 1000 | goal g 0 a 0 b 0 of 0 until 1000
         0 | taps ann r 1                              | burst 1
       500 | score g 70 side b                         | goal g count 70 a 0 b 70 reached 0
       999 | score g 60 side b                         |
      2999 | score g 80 side b                         | goal g count 80 a 0 b 80 reached 0
      3000 |                                           | goal g end 80 a 0 b 80 over
      """, settings: settings)
  }
}
