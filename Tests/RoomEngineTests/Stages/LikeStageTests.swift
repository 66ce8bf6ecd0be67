import RoomEngine
import TestSupport
import Testing

/// STAGES.md, section 5.
struct LikeStageTests {
  @Test func aSecondTapWithin300MsIsALikeAndThenEachWithinASecond() {
    expectRoom(
      """
         0 | tap ann 1 1 |
       300 | tap ann 2 2 |
       599 | tap ann 3 3 | burst 1 3,3
      1598 | tap ann 4 4 | burst 1 4,4
      2598 | tap ann 5 5 |
      2897 | tap ann 6 6 | burst 1 6,6
      """)
  }

  @Test func tapsOfDifferentUsersAreNotLikes() {
    expectRoom(
      """
         0 | tap ann 1 1 |
       100 | tap bob 2 2 |
       200 | tap ann 3 3 | burst 1 3,3
      """)
  }

  @Test func burstsArePacedForTheRoomAndCarryTheFirstPoints() {
    var settings = EngineSettings()
    settings.like.maxPoints = 2
    expectRoom(
      """
         0 | tap ann 1 1 |
         0 | tap bob 1 1 |
       100 | tap ann 2 2 | burst 1 2,2
       110 | tap bob 3 3 |
       120 | tap ann 4 4 |
       130 | tap ann 5 5 |
       300 |             | burst 3 3,3 4,4
       450 | tap ann 6 6 |
       500 |             | burst 1 6,6
       900 | tap ann 7 7 | burst 1 7,7
      """, settings: settings)
  }

  /// Or a room that is tapped hard could make a command that no topic takes.
  @Test func noBurstCarriesMoreThan50000Points() {
    var settings = EngineSettings()
    settings.like.maxPoints = 1_000_000_000
    let taps = Array(repeating: "     1 | tap ann 2 2 |", count: 50_001).joined(separator: "\n")
    expectRoom(
      """
         0 | tap ann 1 1 |
         0 | tap ann 1 1 | burst 1 1,1
      \(taps)
       200 |             | burst 50001\(String(repeating: " 2,2", count: 50_000))
      """, settings: settings)
  }

  @Test func aSpanThatHasBegunKeepsItsLengthWhenSettingsChange() {
    expectRoom(
      """
         0 | tap ann 1 1            |
       100 | set like.doubleTapMs 0 |
       200 | tap ann 2 2            | burst 1 2,2
       300 | set like.paceMs 5000   |
       350 | tap ann 3 3            |
       400 |                        | burst 1 3,3
       450 | tap ann 4 4            |
      5400 |                        | burst 1 4,4
      6000 | tap ann 5 5            |
      6001 | tap ann 6 6            |
      """)
  }
}
