import Foundation
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import TestSupport
import Testing
import Wire

@testable import Replay

/// A reason names the values that the engine used, whatever has become of the settings since.
struct SettingsOfThenTests {
  @Test func `a hold that ran out names the hold that it began with`() throws {
    var log = RoomLog()
    log.gift(at: 0, "1", id: "e0")
    log.event(at: 860, "", #""roomSettings":{"set":{"gift.holdMs":60000}}"#)
    log.tap(at: 9000, "9")
    let text = try #require(try Self.reason(ofFirst: "giftHide", in: log))
    #expect(text.contains("its hold (holdMs, 1000) ran out"), "\(text)")
  }

  @Test func `a wait that ran out names the wait that it began with`() throws {
    var log = RoomLog()
    log.settings.engine.gift.lanes = 1
    log.settings.engine.gift.maxWaitMs = 500
    log.settings.engine.gift.tiers = GiftTiers()
    log.settings.engine.wish.tracks = 1
    log.settings.engine.wish.maxWaitMs = 700
    log.gift(at: 0, "1", count: 1000)
    log.gift(at: 10, "2", id: "e1")
    log.wish(at: 20, "1", "w1")
    log.wish(at: 21, "2", "w2", id: "e2")
    log.event(at: 30, "", #""roomSettings":{"set":{"gift.maxWaitMs":600000,"wish.maxWaitMs":600000}}"#)
    #expect(try log.explain(.event("e1"))?.contains("it was queued for maxWaitMs (500)") == true)
    #expect(try log.explain(.event("e2"))?.contains("it was queued for maxWaitMs (700)") == true)
  }

  @Test func `a paced burst names the pace that it waited for`() throws {
    var log = RoomLog()
    for at in [0, 100, 150] { log.tap(at: LogTime(at), "1") }
    log.event(at: 160, "", #""roomSettings":{"set":{"like.paceMs":60000}}"#)
    log.tap(at: 9000, "9")
    let texts = try Self.reasons(in: log).filter { $0.kind == "likeBurst" }.map(\.words)
    #expect(texts.count == 2 && texts[0].contains("no earlier burst's pace (paceMs) was running"), "\(texts)")
    #expect(texts.last?.contains("within the pace (paceMs, 200) of the last burst") == true, "\(texts)")
  }

  @Test func `the first banner has none before it`() throws {
    var log = RoomLog()
    log.wish(at: 0, "1", "w1")
    log.wish(at: 5000, "2", "w2")
    let texts = try Self.reasons(in: log).filter { $0.kind == "wishFly" }.map(\.words)
    #expect(texts.first?.contains("no banner before it held it up") == true, "\(texts)")
    #expect(texts.last?.contains("the last banner had started 5000 ms ago (intervalMs, 1000)") == true, "\(texts)")
  }

  @Test func `a rain that is too short for a packet lets none land`() throws {
    var log = RoomLog()
    log.event(at: 0, "", #""rainStart":{"rainId":"x","durationMs":100,"countdown":0,"perSecond":4,"budget":1}"#)
    let text = try #require(try Self.reason(ofFirst: "rainEnd", in: log))
    #expect(text.contains("it was too short for a packet") && !text.contains("landed"), "\(text)")
  }

  @Test func `a combo is first of those for its lane where lanes are by user`() throws {
    var log = RoomLog()
    log.settings.engine.gift.placement = .byUser
    log.gift(at: 0, "2")
    log.gift(at: 10, "3")
    log.gift(at: 20, "4", value: 5000)
    log.gift(at: 30, "5")
    let texts = try Self.reasons(in: log).filter { $0.kind == "giftShow" && $0.words.contains("became free") }
    #expect(texts.count == 2, "\(texts)")
    #expect(texts.contains { $0.words.contains("of those queued for lane 1 it was the longest queued") }, "\(texts)")
  }

  @Test(arguments: [true, false]) func `a view makes room for one that waits for its lane`(isDearer: Bool) throws {
    var log = RoomLog()
    log.settings.engine.gift.placement = .byUser
    log.settings.engine.gift.leastMs = isDearer ? 2000 : 0
    log.settings.engine.gift.turnMs = isDearer ? 0 : 2000
    log.gift(at: 0, "2", count: 90)
    // Of tier 0, below the one that waits for its lane.
    log.gift(at: 10, "3", count: 40)
    log.gift(at: 20, "4", value: 50_000, id: "dearest")
    log.gift(at: 30, "5", value: 600)
    let texts = try Self.reasons(in: log).filter { $0.kind == "giftHide" && !$0.words.contains("hold") }
    // With turns the first two wait again, and get their lanes back.
    let waiting = isDearer ? ["4", "5"] : ["4", "5", "2", "3"]
    #expect(texts.count == waiting.count, "\(texts)")
    for (text, user) in zip(texts, waiting) { #expect(text.words.contains("(\(user): rose"), "\(texts)") }
    let story = try #require(try log.explain(.user("3")))
    #expect(story.contains("(5: rose"), "\(story)")
  }

  @Test func `a limit that fell is told with the number that was there`() throws {
    var log = RoomLog()
    log.line(
      #""settings":{"gift":{"queueLimit":0,"lanes":1},"crowd":{"kinds":2},"wish":{"tracks":1,"mergeMs":0},"spot":{"tier":0}}"#
    )
    log.gift(at: 0, "1", count: 90)
    for (at, gift) in [(10, "a"), (20, "b")] { log.gift(at: LogTime(at), "2", gift) }
    for i in 0..<4 { log.wish(at: 30, "1", "w\(i)") }
    log.line(
      #""settings":{"gift":{"queueLimit":0,"lanes":1},"crowd":{"kinds":1},"wish":{"tracks":1,"mergeMs":0,"queueLimit":2}}"#
    )
    log.gift(at: 40, "2", "c", id: "e1")
    log.wish(at: 50, "1", "w9", id: "e2")
    let (gift, wish) = (try log.explain(.event("e1")), try log.explain(.event("e2")))
    #expect(gift?.contains("the room had 2 crowds (crowd.kinds, 1)") == true, "\(gift ?? "")")
    #expect(wish?.contains("3 others were queued (queueLimit, 2)") == true, "\(wish ?? "")")
  }

  /// The one before came with a window that is over.
  @Test func `a duplicate is one of an event whose window still runs`() throws {
    var log = RoomLog()
    log.tap(at: 0, "1", id: "e1")
    log.line(#""settings":{"dedupe":{"windowMs":1000}}"#)
    log.tap(at: 100, "1", id: "e1")
    log.tap(at: 30_000, "1", id: "e1")
    let text = try #require(try log.explain(.event("e1")))
    #expect(
      text.contains("duplicate of im.gifts/0/0, which came 30000 ms before: less than dedupe.windowMs (60000)"),
      "\(text)")
  }

  @Test func `a rain names the lengths that it began with`() throws {
    var log = RoomLog()
    log.settings.engine.rain.graceMs = 700
    log.settings.engine.rain.tallyMs = 400
    log.rain(at: 1000, "a")
    log.event(at: 1100, "", #""roomSettings":{"set":{"rain.graceMs":9000,"rain.tallyMs":5000}}"#)
    for (at, user) in [(2300, "1"), (2400, "2"), (3000, "3")] { log.grab(at: LogTime(at), user, "a", 0) }
    let texts = try Self.reasons(in: log)
    #expect(texts.contains { $0.words.contains("the last packet landed graceMs (700) ago") }, "\(texts)")
    #expect(texts.contains { $0.words.contains("within tallyMs (400) of the last tally") }, "\(texts)")
  }

  /// A combo whose view leaves since one retract took it back is there for no other.
  @Test func `a retract takes a combo back once`() throws {
    var log = RoomLog()
    log.gift(at: 0, "2", count: 5, value: 2, id: "g0")
    log.event(at: 100, "r1", #""retract":{"comboId":"im.gifts/0/0"}"#)
    log.event(at: 200, "r2", #""retract":{"userId":"2"}"#)
    log.event(at: 300, "e3", #""roomEnd":{}"#)
    #expect(try log.explain(.event("r1"))?.contains("Took back 1 combo (5 gifts not shown)") == true)
    let (second, end) = (try log.explain(.event("r2")), try log.explain(.event("e3")))
    #expect(second?.contains("Took back nothing, since nothing of that was there") == true, "\(second ?? "")")
    #expect(end?.contains("Ended nothing, since nothing was there") == true, "\(end ?? "")")
    let moment = try log.explain(.moment(250))
    #expect(moment?.contains("taken back, leaving; lane free 00:00:00.350") == true, "\(moment ?? "")")
  }

  private static let seeds = Seeds(count: 200)

  /// The time from when a deadline appeared to the deadline is the number that its reason names.
  @Test(arguments: seeds.stretches) func `every number is the one that the engine used`(seeds: Range<UInt64>) throws {
    var told = 0
    for seed in seeds {
      let log = Self.randomLog(seed)
      for reason in try Self.reasons(in: log) {
        for (name, number) in reason.numbers {
          guard let expected = reason.expected[name] else { continue }
          told += 1
          #expect(expected.contains(number), "seed \(seed): \(reason.kind): \(reason.words); \(expected)")
        }
        #expect(!reason.words.contains(/its hold ran|queued for maxWaitMs$/), "seed \(seed): \(reason.words)")
      }
    }
    #expect(told > 20 * seeds.count)
  }

  private static func randomLog(_ seed: UInt64) -> RoomLog {
    var random = SplitMix64(seed: seed)
    var log = RoomLog()
    log.settings.engine.gift.placement = Bool.random(using: &random) ? .bottomFirst : .byUser
    log.settings.engine.gift.turnMs = [0, 900, 3000].randomElement(using: &random)!
    log.settings.engine.crowd.kinds = [0, 3].randomElement(using: &random)!
    log.settings.engine.gift.queueLimit = [1, 60].randomElement(using: &random)!
    var time: LogTime = 1000
    for i in 0..<60 {
      time += .random(in: 0...700, using: &random)
      let user = "\(Int.random(in: 1...5, using: &random))"
      switch Int.random(in: 0..<20, using: &random) {
      case 0...2:
        let values: [(String, [Int])] = [
          ("gift.holdMs", [300, 4000]), ("gift.exitMs", [0, 900]), ("gift.tickMs", [100, 500]),
          ("gift.turnMs", [0, 800, 5000]), ("gift.leastMs", [0, 300, 2000]), ("gift.refreshMs", [0, 1000, 4000]),
          ("gift.maxWaitMs", [500, 3000]), ("wish.maxWaitMs", [500, 3000]), ("wish.likesMs", [100, 900]),
          ("like.paceMs", [100, 900]), ("crowd.showMs", [500, 3000]), ("crowd.paceMs", [100, 900]),
          ("spot.maxWaitMs", [500, 3000]), ("rain.graceMs", [100, 900]), ("rain.tallyMs", [100, 900]),
          ("pin.refreshMs", [5000, 7000]), ("goal.refreshMs", [5000, 9000]), ("goal.paceMs", [100, 900]),
        ]
        let some = values.shuffled(using: &random).prefix(4)
        let set = some.map { #""\#($0.0)":\#($0.1.randomElement(using: &random)!)"# }.joined(separator: ",")
        let forMs = Int.random(in: 500...4000, using: &random)
        log.event(at: time, "", #""roomSettings":{"set":{\#(set)},"forMs":\#(forMs)}"#)
      case 3: log.wish(at: time, user, "w\(i)")
      case 4: log.like(at: time, user, "w\(i - Int.random(in: 1...3, using: &random))")
      case 5...7: log.tap(at: time, "7")
      case 9: log.event(at: time, "", #""spot":{"sender":{"userId":"\#(user)"},"kind":"entrance","spotId":"s\#(i)"}"#)
      case 10: log.rain(at: time, "a\(i)")
      case 11:
        log.grab(at: time, user, "a\(i - Int.random(in: 1...9, using: &random))", .random(in: 0...3, using: &random))
      case 12 where i % 2 == 0:
        log.event(at: time, "", #""pin":{"sender":{"userId":"\#(user)"},"pinId":"p\#(i)","text":"hi"}"#)
      case 12: log.event(at: time, "", #""goal":{"goalId":"g\#(i)","target":50}"#)
      case 8 where i > 30: log.event(at: time, "", #""retract":{"userId":"\#(user)"}"#)
      default:
        log.gift(
          at: time, user, ["rose", "car"].randomElement(using: &random)!, count: .random(in: 1...12, using: &random),
          value: [1, 200].randomElement(using: &random)!)
      }
    }
    return log
  }

  // MARK: Reasons of all commands

  private struct Told {
    let kind: String
    let words: String
    /// What each setting was when the times began that the step's deadlines end.
    let expected: [String: Set<Int64>]

    /// The numbers in the words, by the setting.
    var numbers: [(String, Int64)] {
      words.matches(of: /(\w+Ms)(?:, | \()(\d+)\)/).map { (String($0.1), Int64($0.2)!) }
    }
  }

  private static func reason(ofFirst kind: String, in log: RoomLog) throws -> String? {
    try reasons(in: log).first { $0.kind == kind }?.words
  }

  private static func reasons(in log: RoomLog) throws -> [Told] {
    var watch = RoomWatch(room: "r1", settings: log.settings, hashSeed: 7, observer: Reasons())
    try log.eachLine { try watch.play($0) }
    watch.fire(to: 100_000)
    return watch.observer.all
  }

  /// Sees deadlines come in pictures of the room, and so knows their lengths without being told.
  private struct Reasons: RoomObserver {
    var all: [Told] = []
    private var lengths: [String: [LogTime: Set<Int64>]] = [:]
    private var previous = RoomPicture()
    /// The times of the last commands of each kind.
    private var lastAt: [String: LogTime] = [:]

    func wantsPicture(at offset: Int64, in partition: PartitionReplay) -> Bool { true }
    mutating func observeDeadLetter(_ record: LogRecord, _ reason: NotUnderstood, in partition: PartitionReplay) {}

    mutating func observe(_ step: RoomStep, in partition: PartitionReplay) {
      let settings = partition.settings(of: "r1")
      for command in step.commands {
        let reason = Reason(of: command, in: step, settings)
        var expected: [String: Set<Int64>] = [:]
        let kind = "\(command.body.kind)"
        if case .timer(let timer) = step.cause {
          if timer.kind == .pacedBurst || timer.kind == .pacedCrowdShow {
            expected["paceMs"] = lastAt[kind].map { [command.atMs - $0] }
          }
          for (name, ends) in lengths { expected[name] = ends[timer.deadline] }
          if command.body.kind == .giftHide, case .onLane(_, _, _, let turn, let least, _)? = timer.combo?.place {
            expected["turnMs"] = turn.flatMap { lengths["turnMs"]?[$0] }
            expected["leastMs"] = least.flatMap { lengths["leastMs"]?[$0] }
          }
        }
        expected.merge(lengths(of: command, step)) { $1 }
        note(command, settings)
        lastAt[kind] = command.atMs
        all.append(Told(kind: kind, words: reason.words, expected: expected))
      }
      learn(partition.engine.picture(of: Text("r1")), at: step.at)
    }

    /// Lengths that no picture has, by what they began with: the value that was in force then.
    private var begun: [String: Int64] = [:]

    private func lengths(of command: RoomCommand, _ step: RoomStep) -> [String: Set<Int64>] {
      let begun: [(String, String)]
      switch command.body {
      case .giftShow(let show): begun = [("refreshMs", "combo \(show.comboOffset)")]
      case .wishLikes(let likes): begun = [("likesMs", "wish \(likes.wishId)")]
      case .rainTally(let tally): begun = [("tallyMs", "tally \(tally.rainId)")]
      case .rainEnd(let end): begun = [("graceMs", "grace \(end.rainId)")]
      case .pinShow(let show): begun = [("refreshMs", "pin \(show.pinId)")]
      case .goalShow(let show): begun = [("refreshMs", "goal \(show.goalId)")]
      case .goalCount(let count): begun = [("paceMs", "pace \(count.goalId)")]
      default: begun = []
      }
      return Dictionary(uniqueKeysWithValues: begun.map { name, key in (name, Set([self.begun[key] ?? -1])) })
    }

    private mutating func note(_ command: RoomCommand, _ settings: EngineSettings) {
      switch command.body {
      case .giftShow(let show): begun["combo \(show.comboOffset)"] = settings.gift.refreshMs
      case .wishFly(let fly): begun["wish \(fly.wishId)"] = settings.wish.likesMs
      case .wishLikes(let likes): begun["wish \(likes.wishId)"] = settings.wish.likesMs
      case .rainCountdown(let countdown) where begun["grace \(countdown.rainId)"] == nil:
        begun["grace \(countdown.rainId)"] = settings.rain.graceMs
        begun["tally \(countdown.rainId)"] = settings.rain.tallyMs
      case .pinShow(let show): begun["pin \(show.pinId)"] = settings.pin.refreshMs
      case .goalShow(let show):
        begun["goal \(show.goalId)"] = settings.goal.refreshMs
        begun["pace \(show.goalId)"] = settings.goal.paceMs
      case .goalCount(let count): begun["pace \(count.goalId)"] = settings.goal.paceMs
      default: break
      }
    }

    private mutating func learn(_ picture: RoomPicture, at now: LogTime) {
      func ends(_ picture: RoomPicture) -> [(name: String, key: String, until: LogTime)] {
        var ends: [(String, String, LogTime)] = []
        for case let combo? in picture.lanes {
          switch combo.place {
          case .onLane(_, let tick, let hold, let turn, let least, _):
            ends.append(("tickMs", "\(combo.offset)", tick))
            if let hold, combo.tier == 0 { ends.append(("holdMs", "\(combo.offset)", hold)) }
            if let turn { ends.append(("turnMs", "\(combo.offset)", turn)) }
            if let least { ends.append(("leastMs", "\(combo.offset)", least)) }
          case .leaving(_, let freeAt, _): ends.append(("exitMs", "\(combo.offset)", freeAt))
          case .queued, .resting: break
          }
        }
        for combo in picture.queue {
          if case .queued(let end?) = combo.place { ends.append(("maxWaitMs", "\(combo.offset)", end)) }
        }
        for wish in picture.wishQueue {
          if case .queued(let end) = wish.place { ends.append(("maxWaitMs", wish.wishId, end)) }
        }
        for item in picture.spotQueue {
          if case .queued(let end) = item.place { ends.append(("maxWaitMs", item.spotId, end)) }
        }
        if let end = picture.crowdTurnEndsAt { ends.append(("showMs", "bar", end)) }
        return ends
      }
      let old = Set(ends(previous).map { "\($0.name) \($0.key) \($0.until)" })
      let isNew = Set(ends(previous).map { "\($0.name) \($0.key)" })
      for (name, key, until) in ends(picture) where !old.contains("\(name) \(key) \(until)") {
        var ms = until - now
        // The first tick comes after the view's entry.
        if name == "tickMs", !isNew.contains("tickMs \(key)") { ms -= 250 }
        lengths[name, default: [:]][until, default: []].insert(ms)
      }
      previous = picture
    }
  }
}
