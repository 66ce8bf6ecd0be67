import RoomEngine
import RoomModel
import TestSupport
import Testing

/// STAGES.md, section 8.
struct CrowdStageTests {
  private var oneLane: EngineSettings {
    var settings = EngineSettings()
    settings.gift.lanes = 1
    settings.gift.queueLimit = 0
    return settings
  }

  @Test func whatFindsNoLaneIsToldByABarAtItsPace() {
    expectRoom(
      """
         0 | gift ann rose 1 | show ann rose lane 0 from 0 total 1
       100 | gift bob rose 5 | crowd rose items 1 units 5 bob
       200 | gift cat rose 2 |
       550 |                 | bump lane 0 count 1
      1100 |                 | crowd rose items 2 units 7 bob cat
      1850 |                 | hide lane 0 count 1
      3100 |                 | crowd hide
      """, settings: oneLane, isPlain: false)
  }

  @Test func theDearerHasTheNextTurn() {
    expectRoom(
      """
         0 | gift ann rose 1          | show ann rose lane 0 from 0 total 1
       100 | gift bob rose 1          | crowd rose items 1 units 1 bob
       200 | gift cat lily 1          |
       300 | gift dan car 1 value 100 |
       550 |                          | bump lane 0 count 1
      1850 |                          | hide lane 0 count 1
      3100 |                          | crowd car items 1 units 1 dan
      6100 |                          | crowd lily items 1 units 1 cat
      9100 |                          | crowd hide
      """, settings: oneLane, isPlain: false)
  }

  @Test func aRoomWithAllItsCrowdsSkips() {
    var settings = oneLane
    settings.crowd.kinds = 1
    expectRoom(
      """
         0 | gift ann rose 1 | show ann rose lane 0 from 0 total 1
       100 | gift bob rose 1 | crowd rose items 1 units 1 bob
       200 | gift cat lily 3 | skipped gift overflow 1 units 3
       550 |                 | bump lane 0 count 1
      1850 |                 | hide lane 0 count 1
      3100 |                 | crowd hide
      """, settings: settings, isPlain: false)
  }

  @Test func whoIsTakenBackIsNamedNoMore() {
    expectRoom(
      """
         0 | gift ann rose 1  | show ann rose lane 0 from 0 total 1
       100 | gift bob rose 5  | crowd rose items 1 units 5 bob
       200 | gift cat rose 2  |
       300 | retract user bob | retracted bob
       300 |                  | crowd rose items 2 units 7 cat
       550 |                  | bump lane 0 count 1
      1850 |                  | hide lane 0 count 1
      3100 |                  | crowd hide
      """, settings: oneLane, isPlain: false)
  }

  @Test func aRoomsEndTellsWhatCrowdsHadNot() {
    expectRoom(
      """
         0 | gift ann rose 1 | show ann rose lane 0 from 0 total 1
       100 | gift bob rose 5 | crowd rose items 1 units 5 bob
       200 | gift cat rose 2 |
       300 | end             | hide lane 0 count 0
       300 |                 | crowd hide
       300 |                 | skipped gift ended 2 units 3
       300 |                 | ended
      """, settings: oneLane, isPlain: false)
  }
}
