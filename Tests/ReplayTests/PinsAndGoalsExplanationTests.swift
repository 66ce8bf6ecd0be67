import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import TestSupport
import Testing

/// Explanations of pins, goals, scores, gathered taps, and what a retract takes of them.
struct PinsAndGoalsExplanationTests {
  private func trace(
    _ id: String = "e1", until: LogTime? = 100_000, _ build: (inout RoomLog) -> Void
  ) throws -> String {
    var log = RoomLog()
    build(&log)
    return try #require(try log.explain(.event(ID(id)), until: until))
  }

  private func pin(
    at time: LogTime, _ user: String, _ pinId: String, _ more: String = "", id: String = ""
  ) -> (inout RoomLog) -> Void {
    { $0.event(at: time, id, #""pin":{"sender":{"userId":"\#(user)"},"pinId":"\#(pinId)","text":"hi"\#(more)}"#) }
  }

  private func reason(of words: String, in build: (inout RoomLog) -> Void) throws -> String {
    var log = RoomLog()
    build(&log)
    let name = try #require(try log.commands(with: words).last, "no command \(words)")
    return try #require(try log.explain(.command(name)))
  }

  // MARK: Pins

  @Test func `a pin says why it went`() throws {
    let over = try trace(until: 70_000) { pin(at: 1000, "9", "p1", id: "e1")(&$0) }
    #expect(over.contains("\n  Shown for 60.0 s, to its end.\n"), "\(over)")
    #expect(over.contains("pinShow: shown until 00:01:01.000 (durationMs, 60000)"), "\(over)")
    #expect(over.contains("its time is over"), "\(over)")

    let pushed = try trace {
      $0.settings.engine.pin.limit = 1
      pin(at: 1000, "9", "p1", id: "e1")(&$0)
      pin(at: 4000, "8", "p2", #","value":50"#)(&$0)
    }
    #expect(pushed.contains("\n  Shown for 3.0 s; pushed out by 8: hi (p2), value 50.\n"), "\(pushed)")
    #expect(
      pushed.contains("pinGone (limit): limit (1) pins or more were shown, and 8: hi (p2), value 50, came"), "\(pushed)"
    )

    let taken = try trace {
      pin(at: 1000, "9", "p1", id: "e1")(&$0)
      $0.event(at: 4000, "", #""retract":{"userId":"9"}"#)
    }
    #expect(taken.contains("\n  Shown for 3.0 s; taken back.\n"), "\(taken)")
    #expect(taken.contains("all of 9 is taken back (im.gifts/0/1)"), "\(taken)")

    let ended = try trace {
      pin(at: 1000, "9", "p1", id: "e1")(&$0)
      $0.event(at: 4000, "", #""roomEnd":{}"#)
    }
    #expect(ended.contains("\n  Shown for 3.0 s; the room ended.\n"), "\(ended)")

    let shown = try trace(until: 5000) {
      pin(at: 1000, "9", "p1", #","durationMs":9000"#, id: "e1")(&$0)
    }
    #expect(shown.contains("Not over where this piece of the log ends: shown until 00:00:10.000"), "\(shown)")
    #expect(shown.contains("(its own, 9000)"), "\(shown)")
  }

  @Test func `a pin says why it was not shown`() throws {
    let overflow = try trace {
      $0.settings.engine.pin.limit = 2
      pin(at: 1000, "9", "p1", #","value":50"#)(&$0)
      pin(at: 2000, "8", "p2", #","value":20"#)(&$0)
      pin(at: 3000, "7", "p3", #","value":5"#, id: "e1")(&$0)
    }
    #expect(
      overflow.contains(
        "Skipped (overflow): limit (2) pins or more were shown, and the least of them, 8: hi (p2), value 20, goes before it"
      ),
      "\(overflow)")
    let none = try trace {
      $0.settings.engine.pin.limit = 0
      pin(at: 3000, "7", "p3", id: "e1")(&$0)
    }
    #expect(none.contains("Skipped (overflow): limit is 0"), "\(none)")
    let twice = try trace {
      pin(at: 1000, "9", "p1")(&$0)
      pin(at: 2000, "8", "p1", id: "e1")(&$0)
    }
    #expect(twice.contains("pin p1 is shown already: this one is ignored"), "\(twice)")
    let kept = try trace {
      $0.event(at: 900, "r1", #""retract":{"pinId":"p1"}"#)
      pin(at: 1000, "9", "p1", id: "e1")(&$0)
    }
    #expect(kept.contains("Skipped (retracted): it was taken back before it came, by im.gifts/0/0"), "\(kept)")
  }

  @Test func `a pin's commands name the setting of then, and who pushed it out`() throws {
    let again = try reason(of: "pinShow") {
      $0.settings.engine.pin.refreshMs = 7000
      $0.settings.engine.pin.durationMs = 10_000
      pin(at: 1000, "9", "p1")(&$0)
      $0.line(#""settings":{"pin":{"refreshMs":50000,"durationMs":10000}}"#)
    }
    #expect(again.contains("its last pinShow was refreshMs (7000) ago"), "\(again)")
    let gone = try reason(of: "pinGone") {
      $0.settings.engine.pin.limit = 1
      pin(at: 1000, "9", "p1")(&$0)
      pin(at: 4000, "8", "p2", #","value":50"#)(&$0)
    }
    #expect(
      gone.contains(
        "limit (1) pins or more were shown, and 8: hi (p2), value 50, came: of all of them this one was the least"),
      "\(gone)")
    #expect(gone.contains("behind it  00:00:01.000 im.gifts/0/0: 9 pins (p1): hi"), "\(gone)")
  }

  @Test func `the moment and the room before a command have pins and goals`() throws {
    var log = RoomLog()
    pin(at: 1000, "9", "p1")(&log)
    log.event(at: 1500, "", #""goal":{"goalId":"g1","text":"roses","target":100}"#)
    log.gift(at: 1600, "4", count: 3)
    let text = try #require(try log.explain(.moment(2000)))
    #expect(text.contains("1 pin, 1 goal"), "\(text)")
    #expect(text.contains("pin        9: hi (p1); ends 00:01:01.000"), "\(text)")
    #expect(text.contains("goal       roses (g1): 30 of 100; ends 01:00:01.500"), "\(text)")
  }

  // MARK: Goals

  private func goal(_ more: String, id: String = "e1") -> (inout RoomLog) -> Void {
    { $0.event(at: 1000, id, #""goal":{"goalId":"g1"\#(more)}"#) }
  }

  private func gift(
    at time: LogTime, _ user: String, _ gift: String = "rose", to receiver: String = "", id: String = ""
  ) -> (inout RoomLog) -> Void {
    {
      $0.event(
        at: time, id,
        #""gift":{"sender":{"userId":"\#(user)"},"giftId":"\#(gift)","count":2,"value":10,"receiverId":"\#(receiver)"}"#
      )
    }
  }

  @Test func `a goal says what it counted and what it did not`() throws {
    let text = try trace {
      gift(at: 500, "1")(&$0)
      $0.event(at: 600, "", #""retract":{"userId":"6","muteMs":100000}"#)
      goal(#","giftId":"rose","receiverId":"h","target":30,"durationMs":5000"#)(&$0)
      gift(at: 1100, "1", to: "h")(&$0)
      gift(at: 1200, "2", "car", to: "h")(&$0)
      gift(at: 1300, "3", to: "x")(&$0)
      gift(at: 1400, "6", to: "h")(&$0)
      $0.event(at: 1450, "", #""score":{"goalId":"g1","total":7}"#)
      $0.event(at: 1460, "", #""score":{"goalId":"g1","total":6}"#)
      gift(at: 1500, "4", to: "h")(&$0)
      gift(at: 7000, "5", to: "h")(&$0)
    }
    #expect(
      text.contains(
        "\n  Reached: 47 of 30, from 2 gifts (40), 1 score (7); did not count 1 gift (another gift), 1 gift (for another"
          + " receiver), 1 gift (of a muted user), 1 score (no more than told before); its time was over.\n"), "\(text)"
    )
    #expect(text.contains("goal g1 begins: value of gifts rose for h, until 00:00:06.000; nothing before it counts"))
    #expect(text.contains("goalEnd (over) with 47 of 30"), "\(text)")
  }

  @Test func `a battle's sides, and what comes in its grace`() throws {
    let text = try trace {
      $0.settings.engine.goal.graceMs = 3000
      goal(#","sides":["a","b"],"durationMs":2000"#)(&$0)
      gift(at: 1100, "1", to: "a")(&$0)
      gift(at: 1200, "2", to: "z")(&$0)
      $0.event(at: 1300, "", #""score":{"goalId":"g1","side":"b","total":50}"#)
      gift(at: 1400, "3", to: "b")(&$0)
      gift(at: 3500, "4", to: "a")(&$0)
    }
    #expect(
      text.contains(
        "Ended with 70, from 1 gift (20), 1 score (50); did not count 1 gift (for none of its sides),"
          + " 1 gift (its side's score is more), 1 gift (after its end); its time was over."), "\(text)")
    let end = try reason(of: "goalEnd") {
      $0.settings.engine.goal.graceMs = 3000
      goal(#","sides":["a","b"],"durationMs":2000"#)(&$0)
    }
    #expect(end.contains("its time was over graceMs (3000) ago"), "\(end)")
  }

  @Test func `a goal says how it ended, and a change that it is one`() throws {
    func end(_ body: String) throws -> String {
      try trace {
        goal(#","target":100"#)(&$0)
        gift(at: 1100, "1")(&$0)
        $0.event(at: 1200, "", body)
      }
    }
    #expect(try end(#""retract":{"goalId":"g1"}"#).contains("Not reached: 20 of 100, from 1 gift (20); taken back."))
    #expect(try end(#""roomEnd":{}"#).contains("Not reached: 20 of 100, from 1 gift (20); the room ended."))
    let open = try trace(until: 3000) { goal(#","by":"likes","target":9"#)(&$0) }
    #expect(open.contains("Not over where this piece of the log ends: 0 of 9"), "\(open)")
    let change = try trace("e2") {
      goal("")(&$0)
      $0.event(at: 1500, "e2", #""goal":{"goalId":"g1","text":"more","durationMs":4000}"#)
    }
    #expect(change.contains("goal g1 runs already, and this changes it: it runs until 00:00:05.500"), "\(change)")
    let refused = try trace {
      $0.settings.engine.goal.limit = 0
      goal("")(&$0)
    }
    #expect(refused.contains("limit (0) goals or more run: this one is ignored"), "\(refused)")
  }

  @Test func `a gift, a like and a score say which goal counted them`() throws {
    let text = try trace("e2") {
      goal(#","target":100"#)(&$0)
      $0.event(at: 1010, "", #""goal":{"goalId":"g2","giftId":"car"}"#)
      $0.event(at: 1020, "", #""goal":{"goalId":"g3","by":"likes"}"#)
      $0.event(at: 1030, "", #""goal":{"goalId":"g4","sides":["a","b"],"home":"b","by":"units"}"#)
      gift(at: 1100, "1", id: "e2")(&$0)
    }
    #expect(text.contains("goal g1 counts it: +20, 20 of 100"), "\(text)")
    #expect(text.contains("goal g2 does not count it: another gift"), "\(text)")
    #expect(text.contains("goal g3 does not count it: it counts likes"), "\(text)")
    #expect(text.contains("goal g4 counts it for side b: +2, 2"), "\(text)")
    let tap = try trace("e2") {
      $0.event(at: 1020, "", #""goal":{"goalId":"g3","by":"likes"}"#)
      $0.tap(at: 1100, "7")
      $0.tap(at: 1200, "7", id: "e2")
    }
    #expect(tap.contains("goal g3 counts it: +1, 1"), "\(tap)")
    let score = try trace("e2") {
      goal(#","target":100"#)(&$0)
      $0.event(at: 1100, "e2", #""score":{"goalId":"g1","total":40}"#)
    }
    #expect(score.contains("goal g1 counts it: +40, 40 of 100"), "\(score)")
    func ignored(_ body: String) throws -> String {
      try trace("e2") {
        goal(#","sides":["a","b"]"#)(&$0)
        $0.event(at: 1100, "e2", body)
      }
    }
    #expect(try ignored(#""score":{"goalId":"gX","total":40}"#).contains("no goal gX runs: the score is ignored"))
    #expect(
      try ignored(#""score":{"goalId":"g1","side":"c","total":4}"#).contains(
        "goal g1 does not count it: it has no side c"))
  }

  @Test func `a goal's commands say what changed it`() throws {
    func commands(_ log: inout RoomLog) {
      goal(#","target":100"#)(&log)
      gift(at: 3000, "1", id: "e2")(&log)
      gift(at: 3100, "2")(&log)
      log.line(#""settings":{"goal":{"paceMs":9000}}"#)
      log.tap(at: 4000, "9")
    }
    let paced = try reason(of: "goalCount", in: commands)
    #expect(paced.contains("it was counted within paceMs (500) of the last goalShow or goalCount; those are over now"))
    #expect(paced.contains("behind it  00:00:03.100 im.gifts/0/2: 2 gives rose ×2, 10 each"), "\(paced)")
    let reached = try reason(of: "goalCount") {
      goal(#","target":20"#)(&$0)
      gift(at: 1100, "1")(&$0)
    }
    #expect(reached.contains("its target is reached, which is told at once"), "\(reached)")
  }

  @Test(arguments: UInt64(1)...20) func `what a goal counted adds up to its progress`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var log = RoomLog()
    var goals: [String] = []
    var time: LogTime = 1000
    for i in 0..<80 {
      time += .random(in: 0...400, using: &random)
      let user = "\(Int.random(in: 1...4, using: &random))"
      let goal = "g\(Int.random(in: 0...2, using: &random))"
      let side = ["", "a", "b"].randomElement(using: &random)!
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        let kinds = [#""by":"units""#, #""by":"likes""#, #""giftId":"rose""#, #""sides":["a","b"],"home":"a""#]
        let (kind, ms) = (kinds.randomElement(using: &random)!, Int.random(in: 1000...9000, using: &random))
        log.event(at: time, "e\(i)", #""goal":{"goalId":"\#(goal)",\#(kind),"target":90,"durationMs":\#(ms)}"#)
        goals.append("e\(i)")
      case 1:
        let total = Int.random(in: 0...200, using: &random)
        log.event(at: time, "", #""score":{"goalId":"\#(goal)","side":"\#(side)","total":\#(total)}"#)
      case 2: taps(at: time, i, run: user)(&log)
      case 3: log.event(at: time, "", #""retract":{"userId":"\#(user)","muteMs":900}"#)
      default: gift(at: time, user, ["rose", "car"].randomElement(using: &random)!, to: side)(&log)
      }
    }
    var counted = 0
    for id in goals {
      let text = try #require(try log.explain(.event(ID(id))))
      guard let end = text.firstMatch(of: /(?:eached: |Ended with )(\d+)[^,]*, from ([^;]*);/) else { continue }
      let sums = end.2.matches(of: /\((\d+)\)|(\d+) likes?/).map { Int64($0.1 ?? $0.2 ?? "")! }
      #expect(sums.reduce(0, +) == Int64(end.1), "\(text)")
      counted += sums.isEmpty ? 0 : 1
    }
    #expect(counted > 0)
  }

  // MARK: Gathered taps

  private func taps(at time: LogTime, _ count: Int, id: String = "", run: String = "r") -> (inout RoomLog) -> Void {
    { $0.event(at: time, id, #""taps":{"userId":"7","runId":"\#(run)","count":\#(count)}"#) }
  }

  @Test func `gathered taps say what of the run counts`() throws {
    func build(_ log: inout RoomLog) {
      log.settings.engine.like.most = 5
      taps(at: 1000, 3)(&log)
      taps(at: 2000, 12, id: "e1")(&log)
      taps(at: 3000, 12, id: "e2")(&log)
    }
    let text = try trace("e1", build)
    #expect(
      text.contains("9 of these 12 are new, since 3 of run r came before; like.most (5) of them count, 4 are lost"),
      "\(text)")
    #expect(text.contains("likeBurst tells 5 likes, these among them"), "\(text)")
    #expect(try trace("e2", build).contains("none of these 12 is new: 12 of run r came before"))
    let muted = try trace {
      $0.event(at: 900, "r1", #""retract":{"userId":"7","muteMs":100000}"#)
      taps(at: 1000, 3, id: "e1")(&$0)
    }
    #expect(muted.contains("its user is muted by im.gifts/0/0 until 00:01:40.900: it is ignored"), "\(muted)")
    let burst = try reason(of: "likeBurst", in: build)
    #expect(burst.contains("5 of the likes that the run told count, and no earlier burst's pace"), "\(burst)")
    #expect(!burst.contains("the tap is a like"), "\(burst)")
  }

  // MARK: Retracts

  @Test func `a retract names the pins, goals and names that it took`() throws {
    let user = try trace("r1") {
      $0.settings.engine.gift.lanes = 1
      $0.settings.engine.gift.queueLimit = 0
      $0.settings.engine.crowd.kinds = 4
      $0.gift(at: 900, "1", count: 50)
      $0.gift(at: 950, "9", "car")
      pin(at: 1000, "9", "p1")(&$0)
      $0.event(at: 2000, "r1", #""retract":{"userId":"9"}"#)
    }
    #expect(user.contains("takes back pin p1, 9: hi"), "\(user)")
    #expect(user.contains("takes the name out of crowd im.gifts/0/1"), "\(user)")
    #expect(user.contains("Took back 1 pin, 1 name in a crowd"), "\(user)")
    let taken = try trace("r1") {
      goal(#","text":"roses","target":100"#)(&$0)
      gift(at: 1100, "1")(&$0)
      $0.event(at: 2000, "r1", #""retract":{"goalId":"g1"}"#)
    }
    #expect(taken.contains("takes back goal g1, roses: 20 of 100"), "\(taken)")
    let later = try trace("r1") {
      $0.event(at: 900, "r1", #""retract":{"pinId":"p1"}"#)
      pin(at: 1000, "9", "p1", id: "e1")(&$0)
      $0.tap(at: 70_000, "8")
    }
    #expect(later.contains("kept away until 00:01:00.900: 1 pin"), "\(later)")
  }
}
