import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Testing

/// The first sentence about what was on the screen in part, or not to its end.
struct CutShortTests {
  private func trace(_ build: (inout RoomLog) -> Void) throws -> String {
    var log = RoomLog()
    build(&log)
    return try #require(try log.explain(.event("e1")))
  }

  @Test func settingsOfARoomsOwnTellTheDayOnWhichTheyEnd() throws {
    let text = try trace { $0.event(at: 1000, "e1", #""roomSettings":{"set":{"gift.lanes":1}}"#) }
    #expect(text.contains("\n  In force until 1970-01-02 00:00:01.000 UTC: gift.lanes 1.\n"))
  }

  @Test func whatWasOnTheScreenWhenItWasTakenBackWasShownUntilThen() throws {
    let gift = try trace {
      $0.gift(at: 1000, "7", count: 3, id: "e1")
      $0.event(at: 1700, "", #""retract":{"userId":"7"}"#)
    }
    #expect(gift.contains("\n  Shown up to ×1 of ×3; taken back.\n"))
    let later = try trace {
      $0.gift(at: 1000, "7", count: 1, id: "e1")
      $0.gift(at: 1600, "7", count: 5)
      $0.event(at: 1700, "", #""retract":{"userId":"7"}"#)
    }
    #expect(later.contains("\n  Shown ×1, complete.\n"))
    let unseen = try trace {
      $0.gift(at: 1000, "7", count: 3, id: "e1")
      $0.event(at: 1100, "", #""retract":{"userId":"7"}"#)
    }
    #expect(unseen.contains("\n  Skipped (retracted): all of 7 is taken back (im.gifts/0/1).\n"))
    let muted = try trace {
      $0.event(at: 500, "", #""retract":{"userId":"7","muteMs":5000}"#)
      $0.gift(at: 1000, "7", count: 3, id: "e1")
    }
    #expect(muted.contains("\n  Skipped (retracted): its user is muted by im.gifts/0/0 until 00:00:05.500.\n"))
    let wish = try trace {
      $0.wish(at: 1000, "7", "w1", id: "e1")
      $0.event(at: 1600, "", #""retract":{"wishId":"w1"}"#)
    }
    #expect(wish.contains("\n  Flew on track 0; taken back after 0.6 s.\n"))
    let ended = try trace {
      $0.wish(at: 1000, "7", "w1", id: "e1")
      $0.event(at: 1600, "", #""roomEnd":{}"#)
    }
    #expect(ended.contains("\n  Flew on track 0; the room ended after 0.6 s.\n"))
    let end = try trace {
      $0.wish(at: 1000, "7", "w1")
      $0.gift(at: 1100, "7", count: 3)
      $0.event(at: 1200, "e1", #""roomEnd":{}"#)
    }
    #expect(end.contains("\n  Ended 1 combo (3 gifts not shown), 1 wish.\n"))
  }

  @Test func whatIsOnTheScreenWhereTheLogEndsIsNotOver() throws {
    func trace(until: LogTime, _ build: (inout RoomLog) -> Void) throws -> String {
      var log = RoomLog()
      build(&log)
      return try #require(try log.explain(.event("e1"), until: until))
    }
    func wish(_ log: inout RoomLog) {
      log.settings.engine.wish.tracks = 1
      log.wish(at: 1000, "8", "w0")
      log.wish(at: 1100, "7", "w1", id: "e1")
    }
    let flies = try trace(until: 5000, wish)
    #expect(
      flies.contains("\n  Flies on track 0, until 00:00:08.432; it started 1.3 s late: 8's banner "), "\(flies)")
    #expect(flies.contains("where this piece of the log ends: on track 0; lands 00:00:08.432  (1.1"))
    #expect(try trace(until: 9000, wish).contains("\n  Flew on track 0, 1.3 s late: 8's banner "))
    let first = try trace(until: 2000) { $0.wish(at: 1000, "7", "w1", id: "e1") }
    #expect(first.contains("\n  Flies on track 0, until 00:00:07.000.\n"), "\(first)")
    let gift = try trace(until: 1600) { $0.gift(at: 1000, "7", count: 9, id: "e1") }
    #expect(gift.contains("\n  Not over where this piece of the log ends: on a lane: "), "\(gift)")
  }
}
