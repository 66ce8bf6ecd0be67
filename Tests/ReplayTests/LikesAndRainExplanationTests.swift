import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Testing

/// Explanations of likes, taps, rains and grabs.
struct LikesAndRainExplanationTests {
  private func trace(_ id: String = "e1", until: LogTime? = 100_000, _ build: (inout RoomLog) -> Void) throws -> String
  {
    var log = RoomLog()
    build(&log)
    return try #require(try log.explain(.event(ID(id)), until: until))
  }

  @Test func aLikeIsToldOrIgnored() throws {
    func like(_ user: String, _ wish: String) throws -> String {
      try trace {
        $0.wish(at: 1000, "7", "w1")
        $0.like(at: 1200, "9", "w1")
        $0.like(at: 1300, user, wish, id: "e1")
      }
    }
    let told = try like("8", "w1")
    #expect(told.contains("counts: ♥2 of 7: hi"))
    #expect(told.contains("\n  Counts: ♥2 of 7: hi; told 0.2 s later.\n"))
    #expect(told.contains("00:00:01.500   +200 ms  wishLikes tells ♥2, this one among them [im.gifts/0/2/0]"))
    #expect(try like("9", "w1").contains("this user had liked the wish before: the like is ignored"))
    #expect(try like("8", "w9").contains("no wish of that id is queued or flies: the like is ignored"))
  }

  @Test func aLikeOfAQueuedWishIsToldAsThatFliesOrGoesWithIt() throws {
    func like(_ maxWaitMs: Int64) throws -> String {
      try trace {
        $0.settings.engine.wish.maxWaitMs = maxWaitMs
        $0.wish(at: 1000, "7", "w1")
        $0.wish(at: 1100, "8", "w2")
        $0.like(at: 1200, "9", "w2", id: "e1")
      }
    }
    #expect(try like(30_000).contains(": its wishFly will carry it; told 0.8 s later with the wish, as it flew.\n"))
    #expect(try like(500).contains("; the wish was skipped (expired), and its likes with it.\n"))
  }

  /// A rain of four packets: they drop from 2250 to 3000, and the first lands 7100.
  private func rain(_ more: @escaping (inout RoomLog) -> Void) -> (inout RoomLog) -> Void {
    { log in
      log.rain(at: 1000, "a", id: "r")
      more(&log)
    }
  }

  @Test func aTapThatIsALikeAndOneThatIsNone() throws {
    let text = try trace {
      $0.tap(at: 1000, "7")
      $0.tap(at: 1100, "7", id: "e1")
      $0.tap(at: 1150, "7", id: "e1 again")
    }
    #expect(text.contains("a like: it came soon enough after the user's last tap, before 00:00:01.300"))
    #expect(text.contains(", before 00:00:01.300; told at once, with 1 like in all.\n"))
    #expect(text.contains("likeBurst tells 1 like, this one among them [im.gifts/0/1/0]  (5.3 bursts)"))
    let first = try trace { $0.tap(at: 1000, "7", id: "e1") }
    #expect(first.contains("not a like: it is the user's first for a while. The next is one if it comes less than"))
    let late = try trace {
      $0.tap(at: 1000, "7")
      $0.tap(at: 1300, "7", id: "e1")
    }
    #expect(late.contains("not a like: it came too late: one before 00:00:01.300 would have been one"))
  }

  @Test func aGrabFromItsOutcomeToTheTally() throws {
    let text = try trace(
      "e1",
      rain {
        $0.grab(at: 2300, "8", "a", 0)
        $0.grab(at: 2400, "7", "a", 0, id: "e1")
      })
    #expect(
      text.contains(
        "won 1 coin: packet 0 was in the air, from 00:00:02.250 to 00:00:07.100; 98 left to pay  (6.3"))
    #expect(text.contains("+400 ms  rainTally tells 2 opened, this one among them; 2 won, 2 paid [im.gifts/0/2/2]"))
  }

  @Test func whyAGrabGaveNothing() throws {
    func outcome(_ packet: Int, at time: LogTime, rain id: String = "a") throws -> String {
      try trace("e1", rain { $0.grab(at: time, "7", id, packet, id: "e1") })
    }
    #expect(try outcome(1, at: 2600).contains("opened, and empty: packet 1 was in the air"))
    #expect(try outcome(1, at: 2600).contains("it is not one that pays"))
    #expect(try outcome(3, at: 2600).contains("missed: packet 3 drops 00:00:03.000, which is yet to come"))
    #expect(try outcome(9, at: 2600).contains("missed: the rain has 4 packets, and no packet 9"))
    #expect(try outcome(0, at: 7600).contains("missed: packet 0 landed 00:00:07.100, and could be opened before"))
    #expect(try outcome(0, at: 2600, rain: "b").contains("missed: no rain of that id runs"))
    let twice = try trace(
      "e1",
      rain {
        $0.grab(at: 2300, "7", "a", 0)
        $0.grab(at: 2400, "7", "a", 0, id: "e1")
      })
    #expect(twice.contains("again: this user had opened packet 0 before"))
    let poor = try trace("e1") {
      $0.rain(at: 1000, "a", budget: 0)
      $0.grab(at: 2300, "7", "a", 0, id: "e1")
    }
    #expect(poor.contains("nothing is left to pay"))
  }

  @Test func aRainsFirstSentenceSaysWhatWasPaid() throws {
    let untouched = try trace("r", rain { _ in })
    #expect(untouched.contains(", pays up to 100; in the end nothing paid, since nobody opened a packet.\n"))
    let opened = try trace(
      "r",
      rain {
        $0.grab(at: 2300, "8", "a", 0)
        $0.grab(at: 2400, "7", "a", 0)
        $0.grab(at: 2600, "7", "a", 1)
      })
    #expect(opened.contains(", pays up to 100; in the end 2 coins paid to 2 winners, 3 packets opened.\n"))
  }

  @Test func thePacketsInTheAirAtATimeAreListed() throws {
    var log = RoomLog()
    log.rain(at: 1000, "a")
    log.settings.engine.rain.fallSpreadMs = 10
    let some = try #require(try log.explain(.moment(2600), until: nil))
    #expect(some.contains("On the screen: 2 packets."), "\(some)")
    let rows = some.split(separator: "\n").filter { $0.contains("packet ") }
    #expect(rows.count == 2, "\(some)")
    #expect(rows[0].hasPrefix("  packets    1. packet 0: dropped 00:00:02.250, lands 00:00:0"), "\(some)")
    #expect(rows[1].hasPrefix("             2. packet 1: dropped 00:00:02."), "\(some)")
    log.event(at: 1000, "", #""rainStart":{"rainId":"b","durationMs":1000,"countdown":1,"perSecond":100}"#)
    let many = try #require(try log.explain(.moment(2600), until: nil))
    #expect(many.contains("\n             12. packet 11: ") && many.contains("\n             … and "), "\(many)")
    #expect(!many.contains(" 13. "))
  }

  @Test func aRainFromItsCountdownToItsEnd() throws {
    let text = try trace("r", rain { _ in })
    #expect(text.contains("a rain of 4 packets: starts 00:00:02.000, ends 00:00:07.620, pays up to 100"))
    #expect(text.contains("rainCountdown from 1 [im.gifts/0/0/0]"))
    #expect(text.contains("rainDrop of its first packet [im.gifts/0/0/1]"))
    #expect(text.contains("rainEnd: nothing can be opened any more [im.gifts/0/0/5]"))
    #expect(try trace("r", until: 2600, rain { _ in }).contains("log ends: the rain runs: 2 of 4 packets dropped"))
    #expect(try trace("x", rain { $0.rain(at: 2000, "a", id: "x") }).contains("a rain of that id runs already"))
    #expect(
      try trace("x", rain { $0.rain(at: 20_000, "a", id: "x") }).contains("began less than rememberMs (86400000)"))
  }
}
