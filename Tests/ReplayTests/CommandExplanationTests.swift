import Foundation
import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import TestSupport
import Testing

/// Each rule that sends a command is named, with what stood behind it.
struct CommandExplanationTests {
  /// The explanation of the last command that holds `words`.
  private func why(_ words: String, _ log: RoomLog) throws -> String {
    let name = try #require(try log.commands(with: words).last)
    return try #require(try log.explain(.command(name)))
  }

  private func log(_ build: (inout RoomLog) -> Void) -> RoomLog {
    var log = RoomLog()
    build(&log)
    return log
  }

  @Test func aGiftThatFindsAFreeLane() throws {
    let text = try why("giftShow", log { $0.gift(at: 1000, "7", id: "e1") })
    #expect(text.contains("STAGES.md, 3.4 giving lanes"))
    #expect(text.contains("its gift had it queued, and a lane was free"))
    #expect(text.contains("cause      event e1, record im.gifts/0/0 of 00:00:01.000: 7 gives rose ×1, 10 each"))
    #expect(text.contains("  lane 0   free\n  lane 1   free\n  queue    none is queued"))
  }

  @Test func aLaneThatBecomesFree() throws {
    let text = try why(
      "giftShow",
      log {
        $0.settings.engine.gift.lanes = 1
        $0.gift(at: 1000, "7")
        $0.gift(at: 1100, "8", id: "e2")
      })
    #expect(text.contains("a lane became free, exitMs (250) after its view was hidden: it was the longest queued"))
    #expect(text.contains("timer 'lane becomes free' (7: rose), due 00:00:03.100"))
    #expect(text.contains("00:00:01.100 im.gifts/0/1 (event e2): 8 gives rose ×1"))
    #expect(text.contains("lane 0   7: rose, combo im.gifts/0/0: leaving with ×1 of 1; lane free 00:00:03.100"))
    #expect(text.contains("1. 8: rose, combo im.gifts/0/1: ×1 to show, worth 10; wait runs out 00:01:01.100"))
  }

  @Test func aRefresh() throws {
    let text = try why(
      #""enterMs":0"#,
      log {
        $0.settings.engine.gift.refreshMs = 600
        $0.gift(at: 1000, "7", count: 9)
      })
    #expect(text.contains("refreshMs (600) ago or more, so a tick tells again what is on the lane"))
  }

  @Test func aCountThatGoesUp() throws {
    let text = try why("giftBump", log { $0.gift(at: 1000, "7", count: 40) })
    #expect(text.contains("STAGES.md, 3.5 on a lane"))
    #expect(
      text.contains(
        "found 4 of 40 not yet shown and counts up by the last step, or by 1/10 of that, rounded up, if that is more: "
          + "from 36 to 40"))
  }

  @Test func aHoldThatRunsOut() throws {
    let text = try why("giftHide", log { $0.gift(at: 1000, "7") })
    #expect(text.contains("its hold (holdMs, 1000) ran out without another gift"))
    #expect(text.contains("timer 'hold runs out' (7: rose), due 00:00:02.850"))
  }

  @Test func aTurnThatIsOver() throws {
    let log = log {
      $0.settings.engine.gift.lanes = 1
      $0.settings.engine.gift.turnMs = 900
      $0.gift(at: 1000, "7", count: 1000)
      $0.gift(at: 1100, "8")
    }
    let name = try #require(try log.commands(with: "giftHide").first)
    let text = try #require(try log.explain(.command(name)))
    #expect(text.contains("it had its turn, turnMs (900) or more since it was shown"))
    #expect(text.contains("cause      timer 'tick'"))
  }

  @Test func aWishThatStartsAtOnce() throws {
    let text = try why("wishFly", log { $0.wish(at: 1000, "7", "w1", id: "e1") })
    #expect(text.contains("STAGES.md, 4.1 banners start"))
    #expect(text.contains("no wish was queued before it"))
    #expect(text.contains("cause      event e1"))
  }

  @Test func aWishThatWaited() throws {
    let text = try why(
      "wishFly",
      log {
        $0.wish(at: 1000, "7", "w1")
        $0.wish(at: 1100, "8", "w2", id: "e2")
      })
    #expect(text.contains("it was the first in the queue, and now the time came: intervalMs (1000)"))
    #expect(text.contains("timer 'next banner starts' (8: hi), due 00:00:02.000"))
    #expect(text.contains("(event e2): 8 wishes (w2): hi"))
    #expect(text.contains("  wishes   1. 8: hi (wish w2)"))
  }

  @Test func likesAtOnceThenPacedThenAtTheLanding() throws {
    let log = log {
      $0.settings.engine.wish.durationMs = 1300
      $0.wish(at: 1000, "7", "w1")
      for time in [1600, 1700, 2200] as [LogTime] { $0.like(at: time, "\(time)", "w1", id: "l\(time)") }
    }
    let texts = try log.commands(with: "wishLikes").map { try #require(try log.explain(.command($0))) }
    try #require(texts.count == 3)
    #expect(texts.allSatisfy { $0.contains("STAGES.md, 4.3 likes") })
    #expect(texts[0].contains("it was liked, and the last total was sent its pace (likesMs, 500) ago or more"))
    #expect(texts[1].contains("likes came within the pace (likesMs, 500) of the last total; it is over now"))
    #expect(texts[1].contains("(event l1700): 1700 likes wish w1"))
    #expect(texts[2].contains("likes waited for their pace (likesMs, 500) when the banner landed"))
  }

  @Test func aQueueThatIsTooLong() throws {
    let log = log {
      $0.settings.engine.gift.lanes = 1
      $0.settings.engine.gift.queueLimit = 1
      $0.gift(at: 1000, "7")
      $0.gift(at: 1001, "8", count: 5, value: 1)
      $0.gift(at: 1002, "9", count: 5, value: 2)
      $0.gift(at: 1003, "a", count: 3, value: 0)
    }
    let texts = try log.commands(with: "overflow").map { try #require(try log.explain(.command($0))) }
    try #require(texts.count == 2)
    #expect(texts[0].contains("STAGES.md, 3.3 a gift arrives"))
    #expect(texts[0].contains("more than queueLimit (1) combos were queued"))
    #expect(texts[0].contains("behind it  00:00:01.002 8: rose, 5 gifts not shown"))
    #expect(texts[1].contains("STAGES.md, 9.1 skips"))
    #expect(texts[1].contains("timer 'gift overflow (paced skips)', due 00:00:02.002"))
    #expect(texts[1].contains("behind it  00:00:01.003 a: rose, 3 gifts not shown"))
    #expect(texts[1].contains("skips    gift overflow: 1 combo, units 3, to be told 00:00:02.002"))
  }

  @Test func waitsThatRunOut() throws {
    let log = log {
      $0.settings.engine.gift.lanes = 1
      $0.settings.engine.gift.maxWaitMs = 500
      $0.settings.engine.wish.maxWaitMs = 500
      $0.gift(at: 1000, "7")
      $0.gift(at: 1001, "8", count: 5)
      $0.wish(at: 1002, "7", "w1")
      $0.wish(at: 1003, "8", "w2")
    }
    let gift = try why(#""stage":"gift""#, log)
    #expect(gift.contains("STAGES.md, 3.7 a wait runs out"))
    #expect(gift.contains("a combo was queued for maxWaitMs (500)"))
    #expect(gift.contains("behind it  00:00:01.501 8: rose, 5 gifts not shown"))
    let wish = try why(#""stage":"wish""#, log)
    #expect(wish.contains("STAGES.md, 4.1 banners start"))
    #expect(wish.contains("behind it  00:00:01.503 8: hi"))
  }

  @Test func aWishTooMany() throws {
    let text = try why(
      "overflow",
      log {
        $0.settings.engine.wish.queueLimit = 0
        $0.wish(at: 1000, "7", "w1")
        $0.wish(at: 1001, "8", "w2")
      })
    #expect(text.contains("the wish could not start, and 0 others were queued (queueLimit, 0)"))
  }

  @Test func aCommandThatNeverWasIsNotFound() throws {
    let log = log { $0.gift(at: 1000, "7") }
    #expect(try log.explain(.command(try #require(CommandName("im.gifts/0/0/3")))) == nil)
    var explainer = Explainer(
      .command(try #require(CommandName("im.gifts/0/0/3"))), room: "r1", settings: log.settings, hashSeed: 1)
    try log.eachLine { try explainer.play($0) }
    let reason = explainer.noAnswer
    #expect(reason == "after record im.gifts/0/0 room r1 has 1 commands, 0…0; there is no 3")
    #expect(CommandName("im.gifts/0/0") == nil)
  }

  /// The same bytes as the command itself, whatever stands around it.
  @Test(arguments: ["gift-turn", "gift-overflow-by-worth", "gift-by-user", "wish-queue", "wish-likes", "late-records"])
  func everyCommandIsExplained(vector: String) throws {
    func file(_ name: String) throws -> String { try Vectors.text(vector, name) }
    var log = RoomLog()
    log.settings = try .init(file: Vectors.path(vector, "settings.json"))
    for line in try file("log.ndjson").split(separator: "\n") { log.append(String(line)) }
    let until = try #require(LogTime(try file("until").trimmingCharacters(in: .whitespacesAndNewlines)))
    for command in try file("commands.ndjson").split(separator: "\n").map(String.init).prefix(60)
    where command.contains(#""roomId":"r1""#) {
      let text = try log.explain(.command(try #require(RoomLog.name(command))), until: until)
      #expect(text?.contains(command) == true, "\(command)")
    }
  }

  @Test func aBurstAtOnceAndOnePaced() throws {
    let taps = log { log in for i in 0..<4 { log.tap(at: 1000 + Int64(i) * 50, "7", id: "t\(i)") } }
    let text = try why("likeBurst", taps)
    #expect(text.contains("likes came within the pace (paceMs, 200) of the last burst; it is over now"))
    #expect(text.contains("timer 'paced burst'"))
    #expect(text.contains("behind it  00:00:01.100 im.gifts/0/2 (event t2): 7 taps at 500, 500\n"))
    #expect(text.contains("likes    2 likes, to be told 00:00:01.250"))
    let first = try #require(try taps.commands(with: "likeBurst").first)
    #expect(
      try taps.explain(.command(first))?.contains("the tap is a like, and no earlier burst's pace (paceMs) was running")
        == true)
  }

  @Test func aCrowdThatIsToldAgainNamesWhatHasJoinedSince() throws {
    let crowd = log {
      $0.settings.engine.gift.lanes = 1
      $0.settings.engine.gift.queueLimit = 0
      $0.settings.engine.crowd.kinds = 16
      $0.gift(at: 1000, "7", count: 60)
      $0.gift(at: 1100, "8")
      $0.gift(at: 2200, "9")
    }
    let first = try #require(try crowd.commands(with: "crowdShow").first)
    let (told, again) = (try crowd.explain(.command(first)) ?? "", try why("crowdShow", crowd))
    #expect(told.contains("8: rose, 1 gift not shown") && !told.contains("9: rose"), "\(told)")
    #expect(again.contains("9: rose, 1 gift not shown") && !again.contains("8: rose"), "\(again)")
  }

  @Test func whatARainSends() throws {
    let rain = log {
      $0.rain(at: 1000, "a", id: "r")
      $0.grab(at: 2300, "7", "a", 0, id: "g1")
      $0.grab(at: 2400, "8", "a", 0, id: "g2")
    }
    let begin = "im.gifts/0/0 (event r): rain a starts"
    #expect(try why("rainCountdown", rain).contains("a rain begins with its countdown, 1 s"))
    let drop = try why("rainDrop", rain)
    #expect(drop.contains("packet 3 was due; where it drops"))
    #expect(drop.contains("timer 'drop' (rain a)"))
    #expect(drop.contains(begin))
    #expect(drop.contains("a: 3 of 4 packets dropped, 3 in the air; 2 opened, 2 won, 2 paid, 98 left; starts"))
    let tally = try why("rainTally", rain)
    #expect(tally.contains("packets were opened within tallyMs (500) of the last tally; those are over now"))
    #expect(tally.contains("(event g2): 8 opens packet 0 of rain a"))
    #expect(!tally.contains("(event g1)"))
    #expect(try why("rainEnd", rain).contains("the last packet landed graceMs ("))
  }
}
