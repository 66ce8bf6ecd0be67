import RoomEngine
import TestSupport
import Testing

/// Pins (STAGES.md, section 12).
struct PinStageTests {
  @Test func `of too many pins the least goes, and that may be the new one`() {
    var settings = EngineSettings()
    settings.pin.limit = 2
    expectRoom(
      """
         0 | pin ann a value 5 for 9000   | pin a ann until 9000
       100 | pin bob b first 1 for 9000   | pin b bob until 9100
       200 | pin cat c value 4 for 9000   | skipped pin overflow 1 units 1
       300 | pin dan d value 6 for 9000   | pin gone a limit
       300 |                              | pin d dan until 9300
       400 | retract pin d                | retracted d
       400 |                              | pin gone d retracted
       500 | pin dan d value 6 for 3000   | pin d dan until 3500
       600 | end                          | pin gone b ended
       600 |                              | pin gone d ended
       600 |                              | ended
      """, settings: settings)
  }

  @Test func `a pin that was taken back before it came is skipped`() {
    expectRoom(
      """
         0 | retract pin a | retracted a
       100 | pin ann a     | skipped pin retracted 1 units 1
      """)
  }
}
