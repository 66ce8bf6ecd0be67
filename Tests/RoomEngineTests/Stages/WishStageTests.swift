import RoomEngine
import RoomModel
import TestSupport
import Testing

/// STAGES.md, section 4.
struct WishStageTests {
  @Test func bannersStartAnIntervalApartOnTheLowestTrackThatTakesThem() {
    // 72 and 7 for each of "ann" and "hi": 107 wide, so a track takes the next after ⌈131 · 6000 / 482⌉ = 1631 ms.
    expectRoom(
      """
         0 | wish ann a | fly a track 0 width 107 likes 0
         1 | wish bob b |
         2 | wish cat c |
      1000 |            | fly b track 1 width 107 likes 0
      2000 |            | fly c track 0 width 107 likes 0
      """)
  }

  @Test func aTrackTakesABannerOnceItCanNeverReachTheOneBefore() {
    var settings = EngineSettings()
    settings.wish.tracks = 1
    settings.wish.intervalMs = 0
    // 72 + 7 + 7 = 86 and 72 + 7 + 40 · 7 = 359 wide: the tail is in after ⌈110 · 6000 / 461⌉ = 1432 ms, but the wider
    // one is faster, so it starts 6000 - ⌊351 · 6000 / 734⌋ = 3131 ms after.
    expectRoom(
      """
         0 | wish a a x | fly a track 0 width 86 likes 0
         0 | wish b b wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww |
      3131 |            | fly b track 0 width 359 likes 0
      """, settings: settings)
  }

  @Test func aWishThatIsQueuedOrFliesIsNotTakenTwice() {
    expectRoom(
      """
         0 | wish ann a | fly a track 0 width 107 likes 0
         1 | wish bob a |
         2 | wish bob b |
         3 | wish cat b |
      1000 |            | fly b track 1 width 107 likes 0
      6000 | wish cat a | fly a track 0 width 107 likes 0
      """)
  }

  @Test func whatTheQueueDoesNotTakeAndWhatWaitsTooLongIsSkipped() {
    var settings = EngineSettings()
    settings.wish.queueLimit = 1
    settings.wish.maxWaitMs = 700
    expectRoom(
      """
         0 | wish ann a | fly a track 0 width 107 likes 0
       100 | wish bob b |
       200 | wish cat c | skipped wish overflow 1 units 1
       800 |            | skipped wish expired 1 units 1
       900 | wish dan d |
      1000 |            | fly d track 1 width 107 likes 0
      """, settings: settings)
  }

  /// Equal wishes can fly and wait at one time where settings have kept them apart.
  @Test func anEqualWishIsALikeOfOneThatFliesBeforeOneThatWaitsAndOfTheOldest() {
    expectRoom(
      """
         0 | wish ann a            | fly a track 0 width 107 likes 0
       100 | wish bob b            |
       200 | set wish.mergeMs 3000 |
       300 | wish cat c            |
       500 |                       | likes a 1
      1000 |                       | fly b track 1 width 107 likes 0
      2000 | wish dan d            | likes a 2
      """)
  }

  @Test func eachUserLikesAWishOnceAndTheTotalIsPaced() {
    expectRoom(
      """
         0 | wish ann a | fly a track 0 width 107 likes 0
       100 | like u1 a  |
       100 | like u2 a  |
       200 | like u1 a  |
       500 |            | likes a 2
       600 | like u3 a  |
      1000 |            | likes a 3
      1500 | like u4 a  | likes a 4
      1600 | like u5 zz |
      """)
  }

  @Test func likesBeforeTheStartFlyAlongAndThoseStillPendingAreSentAtTheLanding() {
    var settings = EngineSettings()
    settings.wish.likesMs = 4000
    expectRoom(
      """
         0 | wish ann a | fly a track 0 width 107 likes 0
         1 | wish bob b |
         2 | like u1 b  |
      1000 |            | fly b track 1 width 107 likes 1
      4000 | like u2 a  | likes a 1
      5000 | like u3 a  |
      6000 |            | likes a 2
      """, settings: settings)
  }

  @Test(arguments: [
    ("twelve chars", "twelve chars", 12), ("thirteen char", "thirteen ch…", 12),
    ("👨‍👩‍👧👨‍👩‍👧", "👨‍👩‍👧…", 7), ("🇨🇳🇨🇳🇨🇳", "🇨🇳🇨🇳…", 5), ("x🇨🇳🇨🇳", "x…", 3), ("👍🏽👍🏽", "👍🏽…", 3),
    ("🏴\u{E0067}\u{E0062}\u{E007F}🏴🏴", "🏴\u{E0067}\u{E0062}\u{E007F}…", 5),
    ("1\u{FE0F}\u{20E3}2\u{FE0F}\u{20E3}", "1\u{FE0F}\u{20E3}…", 5),
  ])
  func longTextsAreCutWhereReadersSeeACharacterEnd(text: String, cut: String, limit: Int64) throws {
    var settings = EngineSettings()
    settings.wish.maxLength = limit
    let fly = try #require(Self.fly(text: text, settings))
    #expect(Array(fly.unicodeScalars) == Array(cut.unicodeScalars))
  }

  @Test func whereNoPlaceIsAllowedTheCutComesAfterAllThatFits() throws {
    var settings = EngineSettings()
    settings.wish.maxLength = 3
    #expect(Self.fly(text: "e\u{301}\u{301}\u{301}", settings) == "e\u{301}…")
    settings.wish.maxLength = 4
    #expect(Self.fly(text: "a\u{200D}b\u{301}cd", settings) == "a\u{200D}b…")
  }

  private static func fly(text: String, _ settings: EngineSettings) -> String? {
    var log = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    _ = log.apply(offset: 0, timestampMs: 0, event: .wish("u", "w", text), into: &batch)
    guard case .wishFly(let fly) = batch.commands.first?.body else { return nil }
    return fly.text.description
  }

  @Test func equalWishesAreOneBanner() {
    expectRoom(
      """
         0 | wish ann w1 hi    | fly w1 track 0 width 107 likes 0
       100 | wish bob w2 hi    |
       500 |                   | likes w1 1
       600 | wish cat w3 bye   |
       700 | wish dan w4 bye   |
      1000 |                   | fly w3 track 1 width 114 likes 1
      """, isPlain: false)
  }
}
