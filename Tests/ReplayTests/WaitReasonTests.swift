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

  /// Its time is over, and the spot is not free again: nothing tells that but the item itself.
  @Test(arguments: [#""retract":{"spotId":"s1"}"#, #""retract":{"userId":"7"}"#, #""roomEnd":{}"#])
  func whatIsOverIsNotTakenBack(body: String) throws {
    func sentence(at time: LogTime) throws -> String {
      try trace {
        $0.settings.engine.spot.gapMs = 5000
        $0.event(
          at: 1000, "", #""spot":{"sender":{"userId":"7"},"kind":"entrance","spotId":"s1","durationMs":3000}"#)
        $0.event(at: time, "e1", body)
      }
    }
    #expect(try sentence(at: 3999).contains(" 1 item") && !sentence(at: 4000).contains(" 1 item"))
  }

  /// The gift's item of tier 1 is queued at 1100; one of tier 2 takes its place when the combo comes to that.
  @Test func anItemThatTakesItsCombosPlaceHasWaitedAsLong() throws {
    let text = try trace {
      $0.settings.engine.gift.tiers = GiftTiers(Text("100:2000,1000:4000"))!
      $0.settings.engine.spot.tier = 1
      $0.event(
        at: 1000, "", #""spot":{"sender":{"userId":"9"},"kind":"entrance","spotId":"s1","durationMs":4000}"#)
      $0.gift(at: 1100, "7", "rocket", value: 100, id: "e1")
      $0.gift(at: 1200, "7", "rocket", count: 10, value: 100)
    }
    #expect(text.contains("with tier 2 it takes the place of its item in the queue of the spot"), "\(text)")
    #expect(
      text.contains("spotShow of its tier 2, for 4000 ms, 4.2 s after it was queued: 9's item held the spot"), "\(text)"
    )
  }

  /// By the name, whether it stood there before or came to the spot later, and whether steps were looked at then or not.
  @Test func whoHeldTheSpotIsCalledByName() throws {
    func item(_ user: String) -> String {
      #""spot":{"sender":{"userId":"\#(user)","name":"N\#(user)"},"kind":"entrance","spotId":"s\#(user)","durationMs":3000}"#
    }
    let text = try trace {
      $0.event(at: 1000, "", item("7"))
      $0.event(at: 1100, "", item("8"))
      $0.event(at: 1200, "e1", item("9"))
    }
    #expect(text.contains("N7's item held the spot (2.8 s)"), "\(text)")
    #expect(text.contains("N8's item was shown on the spot before it (3.0 s)"), "\(text)")
    #expect(text.contains("  the spot shows N7 (7): entrance (s7); ends "), "\(text)")
  }

  @Test func aBannerThatWasTakenBackKeepsItsTrack() throws {
    let text = try trace {
      $0.settings.engine.wish.tracks = 1
      $0.settings.engine.wish.intervalMs = 0
      $0.wish(at: 1000, "7", "w1", text: "hello there, this is long enough")
      $0.wish(at: 1300, "8", "w2", id: "e1")
      $0.event(at: 1500, "", #""retract":{"wishId":"w1"}"#)
    }
    #expect(
      text.contains(
        "late: 7's banner was on track 0 (0.2 s), then 7's banner was taken back, and its track 0 stays taken until it"
          + " would have landed ("), "\(text)")
  }

  @Test func `a wish that expired behind a busy track names who held it, for the whole wait`() throws {
    let text = try trace {
      $0.settings.engine.wish.tracks = 2
      $0.settings.engine.wish.intervalMs = 500
      $0.settings.engine.wish.durationMs = 90_000
      $0.settings.engine.wish.maxWaitMs = 4000
      $0.wish(at: 0, "5", "w0", text: "hello there, this is long enough")
      $0.wish(at: 1000, "7", "w1", text: "hello there, this is long enough, too")
      $0.wish(at: 1300, "8", "w2", id: "e1")
    }
    #expect(
      text.contains(
        "it had waited 4.0 s: 7's banner had started less than intervalMs (500) before (0.2 s), then 5's banner was"
          + " on track 0, as others were on the rest (3.8 s)."), "\(text)")
  }

  /// A dear gift on its lane, and its item behind another's on the spot, which it waits for in vain.
  @Test(arguments: [
    ("expired", "it was queued for maxWaitMs (3000), after 3.0 s: 9's item held the spot (3.0 s)"),
    ("retracted", "all of 7 is taken back (im.gifts/0/2), after 1.9 s: 9's item held the spot (1.9 s)"),
    ("ended", "the room ends (im.gifts/0/2), after 1.9 s: 9's item held the spot (1.9 s)"),
  ]) func ofAGiftWhoseItemNeverCameTheFirstSentenceSaysSo(word: String, why: String) throws {
    let text = try trace {
      $0.settings.engine.gift.tiers = GiftTiers(Text("500:2000,5000:4000"))!
      $0.settings.engine.spot.tier = 2
      $0.settings.engine.spot.maxWaitMs = 3000
      $0.event(
        at: 1000, "", #""spot":{"sender":{"userId":"9"},"kind":"entrance","spotId":"s1","durationMs":60000}"#)
      $0.gift(at: 1100, "7", "rocket", value: 5000, id: "e1")
      if word == "retracted" { $0.event(at: 3000, "", #""retract":{"userId":"7"}"#) }
      if word == "ended" { $0.event(at: 3000, "", #""roomEnd":{}"#) }
    }
    #expect(text.contains("; its item of the spot was skipped (\(word)): \(why).\n"), "\(text)")
    #expect(text.contains(" for the spot:\n    00:00:01.100 "))
  }

  @Test func theRoomAtATimeNamesWhoIsOnTheSpotAndAllThatIsQueued() throws {
    var log = RoomLog()
    log.settings.engine.gift.lanes = 1
    log.settings.engine.gift.tiers = GiftTiers(Text("5000:4000"))!
    log.settings.engine.spot.tier = 1
    log.gift(at: 1000, "7", "rocket", value: 5000)
    for user in 20..<40 { log.gift(at: 1100, "\(user)") }
    let text = try #require(try log.explain(.moment(1200)))
    #expect(text.contains("\n  spot       7: rocket (im.gifts/0/0~1); ends 00:00:0"), "\(text)")
    #expect(text.contains(" 20. 39: rose, combo im.gifts/0/20: ") && !text.contains(" more\n"))
  }

  @Test func aComboWithATierWaitsOn() throws {
    let text = try trace {
      $0.settings.engine.gift.lanes = 1
      $0.settings.engine.gift.tiers = GiftTiers(Text("500:2000"))!
      $0.gift(at: 1000, "7", count: 9)
      $0.gift(at: 1100, "8", value: 600, id: "e1")
    }
    #expect(text.contains("in the queue; waits on, since it has a tier  (") && !text.contains("wait runs out"))
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
    #expect(try log.explain(.command(name))?.contains("its hold (that of tier 1, 2000) ran out") == true)
  }
}
