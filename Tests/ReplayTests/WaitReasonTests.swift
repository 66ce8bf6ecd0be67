import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Testing

/// Explanations of what a wish or an item of the spot waited for, and how long.
struct WaitReasonTests {
  private func trace(_ build: (inout RoomLog) -> Void) throws -> String {
    var log = RoomLog()
    build(&log)
    return try #require(try log.explain(.event("e1")))
  }

  private func spot(_ user: String, _ id: String) -> String {
    #""spot":{"sender":{"userId":"\#(user)"},"kind":"entrance","spotId":"\#(id)"}"#
  }

  @Test func aWishWaitsForTheInterval() throws {
    let text = try trace {
      $0.wish(at: 1000, "7", "w1")
      $0.wish(at: 1200, "8", "w2", id: "e1")
    }
    #expect(text.contains("7's banner had started less than intervalMs (1000) before (0.8 s)"))
  }

  @Test(arguments: ["", #","forMs":3000"#]) func theIntervalThatChangesWhileItWaitsIsThatOfEachTime(forMs: String)
    throws
  {
    let text = try trace {
      $0.wish(at: 1000, "7", "w1")
      $0.wish(at: 1500, "8", "w2", id: "e1")
      $0.event(at: 1600, "", #""roomSettings":{"set":{"wish.intervalMs":10000}\#(forMs)}"#)
    }
    #expect(text.contains("from here on intervalMs is 10000"))
    if forMs.isEmpty {
      #expect(
        text.contains(
          "9.5 s late: 7's banner had started less than intervalMs (1000) before (0.1 s), then 7's banner had started less"
            + " than intervalMs (10000) before (9.4 s)"))
    } else {
      #expect(text.contains("7's banner had started less than intervalMs (10000) before (3.0 s)"))
      #expect(text.contains("from here on intervalMs is 1000 "))
    }
  }

  /// It changed after the last start, and before this one came.
  @Test func theIntervalIsTheOneInForceNotTheOneOfTheLastStart() throws {
    let text = try trace {
      $0.wish(at: 1000, "7", "w1")
      $0.event(at: 1200, "", #""roomSettings":{"set":{"wish.intervalMs":4000}}"#)
      $0.wish(at: 1500, "8", "w2", id: "e1")
    }
    #expect(text.contains("7's banner had started less than intervalMs (4000) before (3.5 s)"))
  }

  @Test func anItemThatIsTakenBackHoldsTheSpotNoLonger() throws {
    let text = try trace {
      $0.event(at: 1000, "", spot("7", "s1"))
      $0.event(at: 1100, "e1", spot("8", "s2"))
      $0.event(at: 2000, "", #""retract":{"spotId":"s1"}"#)
    }
    #expect(text.contains("7's item held the spot (0.9 s)"))
  }

  @Test func eachItemBeforeItHasItsPartOfTheWait() throws {
    let text = try trace {
      $0.event(at: 1000, "", spot("7", "s1"))
      $0.event(at: 1100, "", spot("8", "s2"))
      $0.event(at: 1200, "e1", spot("9", "s3"))
    }
    #expect(text.contains("7's item held the spot (3.8 s)"))
    #expect(text.contains("8's item was shown on the spot before it (4.0 s)"))
  }

  /// It refreshes while the other waits.
  @Test func aViewThatIsToldAgainIsNoOtherThatWentBefore() throws {
    let text = try trace {
      $0.settings.engine.gift.lanes = 1
      $0.settings.engine.gift.refreshMs = 400
      $0.gift(at: 1000, "7", count: 40)
      $0.gift(at: 1100, "8", id: "e1")
    }
    #expect(text.contains("7 held lane 0 until its hold ran out") && !text.contains("went before it"))
  }

  @Test func aHoldOfATierIsToldAsThat() throws {
    var log = RoomLog()
    log.settings.engine.gift.tiers = GiftTiers(Text("500:2000,5000:4000"))!
    log.gift(at: 1000, "7", value: 1000)
    let name = try #require(try log.commands(with: "giftHide").last)
    #expect(try log.explain(.command(name))?.contains("its hold (that of tier 1) ran out") == true)
  }
}
