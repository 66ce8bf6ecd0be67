import RoomEngine
import TestSupport
import Testing

/// STAGES.md, section 6. Packets 0, 1 and 2 of the rain `a` fall for 4850, 4620 and 3990 ms.
struct RainStageTests {
  @Test func itCountsDownDropsAndEndsAGraceAfterTheLastLanding() {
    expectRoom(
      """
         0 | rain a 600 countdown 2 | countdown a 2 start 2000 duration 600
      1000 |                        | countdown a 1 start 2000 duration 600
      2250 |                        | drop a 0 falls 4850
      2500 |                        | drop a 1 falls 4620
      7620 |                        | end a
      """)
  }

  @Test func aRainWithoutPacketsEndsAGraceAfterItsDuration() {
    expectRoom(
      """
        0 | rain a 100 | countdown a 0 start 0 duration 100
      600 |            | end a
      """)
  }

  @Test func everyUserOpensAPacketOnceWhileItIsInTheAir() {
    var settings = EngineSettings()
    settings.rain.fallMinMs = 0
    settings.rain.fallSpreadMs = 10
    expectRoom(
      """
         0 | rain a 500 | countdown a 0 start 0 duration 500
       100 | grab ann a 0 | ann a 0 missed
       250 |              | drop a 0 falls 0
       260 | grab ann a 0 | tally a opened 1 winners 1 coins 1
       260 |              | ann a 0 won 1
       270 | grab ann a 0 | ann a 0 again 1
       280 | grab bob a 0 | bob a 0 won 1
       290 | grab bob a 1 | bob a 1 missed
       300 | grab bob b 0 | bob b 0 missed
       500 |              | drop a 1 falls 0
       510 | grab bob a 1 | bob a 1 empty
       749 | grab cat a 0 | cat a 0 won 1
       750 | grab dan a 0 | dan a 0 missed
       755 | grab ann a 0 | ann a 0 again 1
       760 |              | tally a opened 4 winners 3 coins 3
       761 | grab dan a 1 | dan a 1 empty
      1000 |              | tally a opened 5 winners 3 coins 3
      1000 |              | end a
      1001 | grab eve a 1 | eve a 1 missed
      """, settings: settings)
  }

  @Test func itPaysWhatTheListSaysAndNeverMoreThanTheBudget() {
    var settings = EngineSettings()
    settings.rain.fallMinMs = 0
    settings.rain.fallSpreadMs = 10
    settings.rain.tallyMs = 10_000
    expectRoom(
      """
         0 | rain a 1000 budget 100 prizes 0,70,70 | countdown a 0 start 0 duration 1000
       250 |              | drop a 0 falls 0
       300 | grab ann a 0 | tally a opened 1 winners 0 coins 0
       300 |              | ann a 0 empty
       500 |              | drop a 1 falls 0
       510 | grab ann a 1 | ann a 1 won 70
       520 | grab bob a 1 | bob a 1 won 30
       530 | grab cat a 1 | cat a 1 empty
       750 |              | drop a 2 falls 0
       760 | grab ann a 2 | ann a 2 empty
      1000 |              | drop a 3 falls 0
      1010 | grab ann a 3 | ann a 3 empty
      1500 |              | tally a opened 6 winners 2 coins 100
      1500 |              | end a
      """, settings: settings)
  }

  @Test func anIdComesAgainOnlyAfterItWasForgotten() {
    var settings = EngineSettings()
    settings.rain.rememberMs = 2000
    expectRoom(
      """
         0 | rain a 0    | countdown a 0 start 0 duration 0
       100 | rain a 9000 |
       500 |             | end a
       600 | rain a 9000 |
      2000 | rain a 0    | countdown a 0 start 2000 duration 0
      2500 |             | end a
      """, settings: settings)
  }

  @Test func anIdStaysTakenWhileItsRainRuns() {
    var settings = EngineSettings()
    settings.rain.rememberMs = 0
    expectRoom(
      """
         0 | rain a 0    | countdown a 0 start 0 duration 0
       499 | rain a 9000 |
       500 |             | end a
       500 | rain a 0    | countdown a 0 start 500 duration 0
      1000 |             | end a
      """, settings: settings)
  }

  @Test func severalRunAndTheOlderComesFirst() {
    var settings = EngineSettings()
    settings.rain.fallMinMs = 0
    settings.rain.fallSpreadMs = 10
    expectRoom(
      """
        0 | rain b 250 | countdown b 0 start 0 duration 250
        0 | rain a 250 | countdown a 0 start 0 duration 250
      250 |            | drop b 0 falls 0
      250 |            | drop a 0 falls 0
      260 | grab ann a 0 | tally a opened 1 winners 1 coins 1
      260 |              | ann a 0 won 1
      270 | grab ann b 0 | tally b opened 1 winners 1 coins 1
      270 |              | ann b 0 won 1
      750 |              | end b
      750 |              | end a
      """, settings: settings)
  }

  @Test func aRainKeepsTheSettingsThatItStartedWith() {
    expectRoom(
      """
        0 | rain a 250 | countdown a 0 start 0 duration 250
      100 | set rain.graceMs 9000 |
      101 | set rain.fallMinMs 0 |
      102 | set rain.tallyMs 0 |
      250 |              | drop a 0 falls 4850
      300 | grab ann a 0 | tally a opened 1 winners 1 coins 1
      300 |              | ann a 0 won 1
      310 | grab bob a 0 | bob a 0 won 1
      800 |              | tally a opened 2 winners 2 coins 2
      5600 |             | end a
      """)
  }

  @Test func whoeverGrabsAgainIsAnsweredAgain() {
    expectRoom(
      """
        0 | grab ann a 0 id e | ann a 0 missed
        1 | grab ann a 0 id e | ann a 0 missed
        2 | wish ann w id e   | fly w track 0 width 107 likes 0
      """)
  }
}
