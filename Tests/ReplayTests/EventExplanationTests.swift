import Foundation
import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Testing

/// Explanations of an event, from its record to the last thing that came of it.
struct EventExplanationTests {
  private func trace(_ id: String = "e1", until: LogTime? = 100_000, _ build: (inout RoomLog) -> Void) throws -> String
  {
    var log = RoomLog()
    build(&log)
    return try #require(try log.explain(.event(ID(id)), until: until))
  }

  @Test func aGiftFromItsRecordToItsLastCommand() throws {
    #expect(
      try trace {
        $0.gift(at: 1000, "7")
        $0.gift(at: 1700, "7", count: 3, id: "e1")
      } == """
        event e1 of room r1: 1 record

        im.gifts/0/1 of 1970-01-01 00:00:01.700 UTC: 7 gives rose ×3, 10 each
          Shown complete, as ×2 to ×4 of its combo.
          00:00:01.700     +0 ms  raised combo im.gifts/0/0 from 1 to 4, which was on lane 1 with ×1 shown  (3.3 a gift arrives)
          00:00:01.850   +150 ms  giftBump draws ×2: the first of its gifts (from ×2) [im.gifts/0/1/0]  (3.5 on a lane)
          00:00:02.450   +750 ms  giftBump draws ×4: the last of its gifts (up to ×4) [im.gifts/0/1/2]  (3.5 on a lane)
          00:00:03.750  +2050 ms  giftHide with ×4: all of it was shown; its hold ran out [im.gifts/0/1/3]  (3.5 on a lane)

        rules are those of STAGES.md; times are log times, UTC; a record's is Kafka's: appended (LogAppendTime) or sent (CreateTime)

        """)
  }

  @Test func allThatAUserDidIsToldWithWhatBecameOfEach() throws {
    var log = RoomLog()
    log.settings.engine.gift.lanes = 1
    log.settings.engine.gift.queueLimit = 0
    log.gift(at: 1000, "8", "car")
    log.gift(at: 1010, "7", "rocket", id: "e1")
    log.gift(at: 1020, "7", "rocket", id: "e1")
    log.wish(at: 1030, "7", "w1")
    log.like(at: 1040, "7", "w1", id: "e2")
    log.event(at: 1050, "e3", #""gift":{"sender":{"userId":7},"giftId":"rose","count":-1}"#)
    log.event(at: 1060, "e4", #""gift":{"sender":{"userId":"77"},"giftId":"rose","count":-1}"#)
    let text = try #require(try log.explain(.user("7")))
    let heads = text.split(separator: "\n").filter { $0.hasPrefix("im.gifts/0/") }
    #expect(text.hasPrefix("what user 7 did in room r1: 5 records\n"))
    #expect(
      heads.map { $0.split(separator: ": ").last! } == [
        "7 gives rocket ×1, 10 each", "7 gives rocket ×1, 10 each", "hi", "7 likes wish w1",
        "a record that can't be understood",
      ])
    #expect(text.contains("skipped"))
    #expect(text.components(separatedBy: "duplicate of im.gifts/0/1, which came 10 ms before").count == 2)
    #expect(try log.explain(.user("70")) == nil)
  }

  @Test func aDuplicateNamesTheOneBefore() throws {
    let text = try trace {
      for time in [1000, 1400, 90_000] as [LogTime] { $0.gift(at: time, "7", id: "e1") }
    }
    #expect(text.hasPrefix("event e1 of room r1: 3 records\n"))
    #expect(text.contains("duplicate of im.gifts/0/0, which came 400 ms before: less than dedupe.windowMs (60000)"))
    #expect(text.components(separatedBy: "duplicate of").count == 2)
  }

  @Test func `of a duplicate that differs the first sentence says that it is ignored`() throws {
    let text = try trace {
      $0.gift(at: 1000, "7", id: "e1")
      $0.event(at: 1400, "e1", #""gift":{"sender":{"userId":"7"},"giftId":"rocket","count":9}"#)
    }
    #expect(
      text.contains("\n  Duplicate, ignored, though it differs: im.gifts/0/0 counts, which was: 7 gives "),
      "\(text)")
  }

  @Test func aDeadLetterSaysWhy() throws {
    let text = try trace { $0.event(at: 1000, "e1", #""gift":{"sender":{"userId":"7"},"giftId":"rose","count":-1}"#) }
    #expect(text.contains("dead letter, to im.gifts.dlq: gift.count: -1 is not in 0…1000000"))
  }

  @Test func `a message of a platform's own is shown as it came and as it was read`() throws {
    var log = RoomLog()
    let gift = #"{"sender":{"userId":"u"},"giftId":"g","count":"n"}"#
    log.line(#""settings":{},"mapping":{"shapes":[{"roomId":"@key","eventId":"id","gift":\#(gift)}]}"#)
    for (offset, value) in [
      #"{"id":"e1","u":7,"g":"rose", "n":2}"#, #"{"id":"e1","u":7,"g":"","n":2}"#,
      #"{"id":"e1","u":7,"n":[1]}"#, #"{"id":"e2","u":7,"g":"rose","n":1}"#,
    ].enumerated() {
      log.line(#""offset":\#(offset),"timestampMs":\#(1000 + offset),"key":"r1","value":\#(value)"#)
    }
    let text = try #require(try log.explain(.event("e1")))
    #expect(text.hasPrefix("event e1 of room r1: 3 records\n"), "\(text)")
    for part in [
      """
        came as {"id":"e1","u":7,"g":"rose","n":2}
        read as {"eventId":"e1","roomId":"r1","gift":{"sender":{"userId":"7"},"giftId":"rose","count":2}}

      """,
      """
        came as {"id":"e1","u":7,"g":"","n":2}
        read as {"eventId":"e1","roomId":"r1","gift":{"sender":{"userId":"7"},"count":2}}

      """,
      "gift.count (n) is no integer.\n  came as {\"id\":\"e1\",\"u\":7,\"n\":[1]}\n",
    ] {
      #expect(text.contains(part), "\(text)")
    }
  }

  @Test func oneThatWasBrokenAlreadyInItsJSON() throws {
    let text = try trace {
      $0.line(#""offset":0,"timestampMs":1000,"key":"r1","valueText":"{\"eventId\":\"e1\",""#)
    }
    #expect(text.contains("dead letter, to im.gifts.dlq: "))
  }

  @Test func aLateOneSaysHowLate() throws {
    let text = try trace {
      $0.gift(at: 2000, "8")
      $0.gift(at: 1000, "7", id: "e1")
    }
    #expect(text.contains("the log had come this far already: the record is 1000 ms late"))
  }

  @Test func skippedForAFullQueueAtOnceOrLater() throws {
    func log(_ log: inout RoomLog) {
      log.settings.engine.gift.lanes = 1
      log.settings.engine.gift.queueLimit = 1
      log.gift(at: 1000, "7")
      log.gift(at: 1001, "8", count: 5, value: 1, id: "e1")
      log.gift(at: 1002, "9", count: 5, value: 2)
      log.gift(at: 1003, "a", count: 3, value: 0, id: "e2")
    }
    let later = try trace("e1", log)
    #expect(later.contains("queued, worth 5, 0 other combos in the queue; wait runs out 00:01:01.001"))
    #expect(
      later.contains(
        "00:00:01.002     +1 ms  skipped (overflow): more than queueLimit (1) combos were queued, and of those worth "
          + "least this one came last, and the room had 0 crowds (crowd.kinds, 0); 5 gifts of the combo not shown"))
    #expect(later.contains("the command skipped tells it, with 1 of that kind (units 5) in all [im.gifts/0/2/0]"))
    let atOnce = try trace("e2", log)
    #expect(atOnce.contains("00:00:01.003     +0 ms  skipped (overflow)"))
    #expect(atOnce.contains("3 gifts of it not shown"))
    #expect(atOnce.contains("[im.gifts/0/3/1]"))
  }

  @Test func skippedWithOthersWhereTheLimitWasGreaterBefore() throws {
    func log(_ log: inout RoomLog) {
      for (user, at) in zip(["1", "2", "3", "4", "5"], LogTime(1000)...) {
        log.gift(at: at, user, count: 2, id: "e\(user)")
      }
      log.line(#""settings":{"gift":{"queueLimit":1,"lanes":1},"crowd":{"kinds":0}}"#)
      log.gift(at: 1010, "9", count: 7, value: 1, id: "e9")
    }
    for id in ["e4", "e5"] { #expect(try trace(id, log).contains("skipped (overflow)")) }
    #expect(try trace("e9", log).contains("+0 ms  skipped (overflow)"))
    #expect(try trace("e9", log).contains("7 gifts of it not shown"))
    #expect(try trace("e3", log).contains("giftHide with ×2: all of it was shown"))
  }

  @Test func skippedForWaitingTooLong() throws {
    let text = try trace {
      $0.settings.engine.gift.lanes = 1
      $0.settings.engine.gift.maxWaitMs = 500
      $0.gift(at: 1000, "7")
      $0.gift(at: 1001, "8", id: "e1")
    }
    #expect(text.contains("00:00:01.501   +500 ms  skipped (expired): it was queued for maxWaitMs (500)"))
    #expect(text.contains("the command skipped tells it"))
  }

  @Test func queuedAgainWhenItsTurnWasOver() throws {
    let text = try trace {
      $0.settings.engine.gift.lanes = 1
      $0.settings.engine.gift.turnMs = 900
      $0.gift(at: 1000, "7", count: 50, id: "e1")
      $0.gift(at: 1100, "8")
    }
    #expect(text.contains("not shown, so it is queued again, as the last"))
    #expect(text.components(separatedBy: "giftShow on lane 0").count == 3)
    #expect(text.contains("giftHide with ×50: all of it was shown"))
  }

  @Test func aRestingComboGoesOn() throws {
    let text = try trace {
      $0.gift(at: 1000, "7")
      $0.gift(at: 4000, "7", id: "e1")
    }
    #expect(text.contains("raised combo im.gifts/0/0 from 1 to 2, which was resting, so it is queued again"))
    #expect(text.contains("giftShow on lane 1, from ×1, ×2 in all"))
  }

  @Test func aGiftEndsAHold() throws {
    let text = try trace {
      $0.gift(at: 1000, "7")
      $0.gift(at: 2000, "7", id: "e1")
    }
    #expect(text.contains("its hold ends, the ticks go on"))
  }

  @Test func aStreakThatBroughtItBefore() throws {
    let text = try trace {
      $0.gift(at: 1000, "7", count: 5, streak: "s")
      $0.gift(at: 1100, "7", count: 4, streak: "s", id: "e1")
    }
    #expect(text.contains("its streak had brought that many before: nothing arrived"))
  }

  @Test func stillWaitingWhereTheLogEnds() throws {
    func queue(_ log: inout RoomLog) {
      log.settings.engine.gift.lanes = 1
      log.gift(at: 1000, "7")
      log.gift(at: 1001, "8")
      log.gift(at: 1002, "9", id: "e1")
    }
    #expect(
      try trace(until: nil, queue).contains(
        "  where this piece of the log ends: queued, place 2 of 2: combo im.gifts/0/2: ×1 to show, worth 10"
      ))
    let shown = try trace(until: nil) { $0.gift(at: 1000, "7", id: "e1") }
    #expect(shown.contains("  where this piece of the log ends: on a lane: combo im.gifts/0/0: ×0 of 1 shown; next"))
  }

  @Test func aMuteTellsWhatItKeptAwayUpToItsEnd() throws {
    func answer(_ more: (inout RoomLog) -> Void) throws -> String {
      try trace(until: nil) {
        $0.event(at: 1000, "e1", #""retract":{"userId":"7","muteMs":5000}"#)
        more(&$0)
      }
    }
    let running = try answer { _ in }
    #expect(running.contains("  kept nothing away so far, and goes on until 00:00:06.000  "))
    let kept = try answer { $0.tap(at: 2000, "7") }
    #expect(kept.contains("; kept away 1 tap so far.\n"))
    #expect(kept.contains("  kept away so far, and goes on until 00:00:06.000: 1 tap: "))
    let over = try answer {
      $0.tap(at: 2000, "7")
      $0.tap(at: 9000, "8")
    }
    #expect(over.contains("; kept away 1 tap.\n") && over.contains("  kept away until 00:00:06.000: 1 tap: "))
    let replaced = try answer { $0.event(at: 3000, "", #""retract":{"userId":"7","muteMs":9000}"#) }
    #expect(replaced.contains("  kept nothing away until 00:00:03.000  "))
    #expect(replaced.contains("  another takes its place: "))
  }

  @Test func aNameListsWhoHasItAndAsks() throws {
    var log = RoomLog()
    log.tap(at: 900, "7")
    for (user, id) in [("7", "e1"), ("9", "e2"), ("7", "e3")] {
      log.event(at: 1000, id, #""gift":{"sender":{"userId":"\#(user)","name":"阿花"},"giftId":"rose"}"#)
    }
    var explainer = Explainer(.user("阿花"), room: "r1", settings: log.settings, hashSeed: 1)
    try log.eachLine { try explainer.play($0) }
    // Those are found, so no other partition is looked through.
    #expect(!explainer.hasNoResult && explainer.explain() == nil)
    #expect(
      explainer.noAnswer
        == "no user of room r1 has the id 阿花 in what was read: im.gifts/0 from 0 to 3; give one of the ids that go by that"
        + " name: 7 (2 events), 9 (1 event)")
    #expect(try log.explain(.user("7"))?.hasPrefix("what user 7 did in room r1: 3 records\n") == true)
  }

  @Test func anIdThatCameWithSomethingElseNamesBoth() throws {
    let text = try trace {
      $0.tap(at: 1000, "9", id: "e1")
      $0.gift(at: 1400, "7", count: 3, id: "e1")
      $0.gift(at: 1500, "7", count: 5, id: "e1")
    }
    #expect(text.contains("so it is no duplicate: im.gifts/0/0 was: 9 taps at 500, 500"))
    #expect(
      text.contains(
        "duplicate, ignored, though it differs: im.gifts/0/1 counts, which was: 7 gives rose ×3, 10 each"))
    #expect(text.contains("duplicate of im.gifts/0/1, which came 100 ms before"))
    let same = try trace {
      $0.gift(at: 1000, "7", id: "e1")
      $0.gift(at: 1400, "7", id: "e1")
    }
    #expect(!same.contains("differs"))
  }

  @Test func aRainThatComesWhereAsManyRunAsMay() throws {
    func log(_ log: inout RoomLog) {
      log.settings.engine.rain.limit = 1
      log.rain(at: 1000, "a", id: "e1")
      log.rain(at: 1100, "b", id: "e2")
      log.rain(at: 90_000, "a", id: "e3")
      log.rain(at: 90_100, "c", id: "e4")
      log.rain(at: 90_200, "a", id: "e5")
    }
    #expect(try trace("e2", log).contains("as many rains run as may (limit, 1): this one is ignored"))
    #expect(try trace("e3", log).contains("less than rememberMs"))
    #expect(try trace("e5", log).contains("less than rememberMs"), "so it is, whether or not others run")
  }

  @Test func aWishFliesAndLands() throws {
    let text = try trace {
      $0.wish(at: 1000, "7", "w1")
      $0.wish(at: 1100, "8", "w2", id: "e1")
    }
    #expect(text.contains("wish w2 is queued; its wait runs out 00:00:31.100"))
    #expect(text.contains("00:00:02.000   +900 ms  wishFly on track 1, lands 00:00:08.000 [im.gifts/0/1/0]"))
    #expect(text.contains("00:00:08.000  +6900 ms  the banner lands: all of it was shown"))
  }

  @Test func aWishIsIgnoredSkippedOrExpires() throws {
    #expect(
      try trace {
        $0.wish(at: 1000, "7", "w1")
        $0.wish(at: 1100, "8", "w1", id: "e1")
      }.contains("wish w1 is flying already: this one is ignored"))
    #expect(
      try trace {
        $0.settings.engine.wish.queueLimit = 0
        $0.wish(at: 1000, "7", "w1")
        $0.wish(at: 1100, "8", "w2", id: "e1")
      }.contains("skipped (overflow): it could not start, and 0 others were queued (queueLimit, 0)"))
    #expect(
      try trace {
        $0.settings.engine.wish.maxWaitMs = 500
        $0.wish(at: 1000, "7", "w1")
        $0.wish(at: 1100, "8", "w2", id: "e1")
      }.contains("00:00:01.600   +500 ms  skipped (expired): it was queued for maxWaitMs (500)"))
  }

  @Test func aLogThatBeginsInTheMiddleSaysWhatItDoesNotKnow() throws {
    var whole = RoomLog()
    whole.gift(at: 1000, "7", count: 4, id: "e1")
    whole.gift(at: 1900, "7", id: "e1")
    whole.gift(at: 2000, "7", id: "e2")
    let log = try whole.goingOn(from: 1)
    let twice = try #require(try log.explain(.event("e1")))
    #expect(twice.contains("duplicate of one before this piece of the log"))
    let added = try #require(try log.explain(.event("e2")))
    #expect(try added == whole.explain(.event("e2")))
    let bump = try #require(try whole.commands(with: "giftBump").last)
    let why = try #require(try log.explain(.command(bump)))
    #expect(why.contains("behind it  combo im.gifts/0/0, which was there when this piece of the log began"))
  }

  @Test func anEventThatNeverCameHasNoAnswer() throws {
    var log = RoomLog()
    log.gift(at: 1000, "7", id: "e1")
    #expect(try log.explain(.event("e2")) == nil)
  }

  /// A dead letter of another room, or one that holds the id elsewhere, is not meant.
  @Test func onlyThisRoomsEventsCount() throws {
    var log = RoomLog()
    log.line(
      #""offset":0,"timestampMs":1,"key":"r2","value":{"eventId":"e1","roomId":"r2","gift":{"sender":{"userId":"7"}}}"#)
    log.line(#""offset":1,"timestampMs":1,"key":"r1","value":{"eventId":"x","roomId":"r1","e1":1}"#)
    #expect(try log.explain(.event("e1")) == nil)
  }

  @Test func controlCharactersDoNotReachTheTerminal() throws {
    let text = try trace { $0.gift(at: 1000, #"7\u001b[2J"#, id: "e1") }
    #expect(!text.unicodeScalars.contains("\u{1b}"))
    #expect(text.contains(#"7\u{1B}[2J"#))
    let turned = try trace { $0.gift(at: 1000, #"7\u202e\u0085"#, id: "e1") }
    #expect(turned.contains(#"7\u{202E}\u{85}"#) && !turned.unicodeScalars.contains("\u{202E}"))
  }
}
