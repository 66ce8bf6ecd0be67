import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Testing

struct WhatIfTests {
  private func gift(_ offset: Int64, at time: LogTime, user: String, gift: String, count: Int = 1) -> String {
    record(
      offset, at: time,
      value:
        #"{"roomId":"r1","gift":{"sender":{"userId":"\#(user)"},"giftId":"\#(gift)","giftName":"\#(gift)s","count":\#(count)}}"#
    )
  }

  private func replay(
    _ lines: [String], _ overlays: [[(name: String, value: String)]], room: ID? = nil, until: LogTime? = 1_000_000
  ) throws -> (runs: [ShowRun], differing: [(name: String, values: [[String]])]) {
    let replay = try WhatIfReplay(
      settings: LogSettings(), overlays: overlays.map { try SettingsOverlay(named: $0, place: "here") },
      room: room)
    var reader = LogLineReader()
    for line in lines {
      try Array(line.utf8).withUnsafeBytes { try replay.play(try #require(try reader.read($0))) }
    }
    if let until { replay.fire(to: until) }
    replay.end()
    let names = replay.runs[0].settings.map(\.name)
    let values = names.indices.map { index in replay.runs.map { $0.settings[index].values } }
    return (replay.runs, zip(names, values).filter { _, values in values.contains { $0 != values[0] } })
  }

  private func run(
    _ lines: [String], _ overlay: [(name: String, value: String)]
  ) throws -> (actual: ShowStatistics, alternative: ShowStatistics) {
    let runs = try replay(lines, [overlay]).runs
    return (runs[0].show, runs[1].show)
  }

  /// - Parameter waitMs: nil: nothing was drawn.
  private func row(_ name: String, shown: Int64, skipped: Int64, waitMs: Milliseconds?) -> ShowStatistics.Row {
    var row = ShowStatistics.Row()
    (row.name, row.shown, row.skipped) = (name, shown, skipped)
    if let waitMs { row.waits.add(waitMs) }
    return row
  }

  @Test func whatTheyNameHoldsWhateverTheLogSays() throws {
    let lines = [
      #"{"topic":"im.gifts","partition":0,"settings":{"gift":{"lanes":4}}}"#,
      gift(0, at: 0, user: "a", gift: "rose"), gift(1, at: 10, user: "b", gift: "car"),
    ]
    let runs = try run(lines, [("gift.lanes", "1")])
    #expect(runs.actual.gifts["car"] == row("cars", shown: 1, skipped: 0, waitMs: 0))
    // The rose enters in 250, its first tick at 550 draws it, at 850 the hold begins, which ends at 1850; 250 to leave.
    #expect(runs.alternative.gifts["car"] == row("cars", shown: 1, skipped: 0, waitMs: 2090))
    #expect(runs.alternative.gifts["rose"] == row("roses", shown: 1, skipped: 0, waitMs: 0))
  }

  @Test func whatIsSkippedIsToldByGift() throws {
    let lines = [
      gift(0, at: 0, user: "a", gift: "rose", count: 3), gift(1, at: 10, user: "b", gift: "car", count: 7),
    ]
    let runs = try run(lines, [("gift.lanes", "1"), ("gift.queueLimit", "0"), ("crowd.kinds", "0")])
    #expect(runs.actual.gifts["car"] == row("cars", shown: 7, skipped: 0, waitMs: 0))
    #expect(runs.alternative.gifts["car"] == row("", shown: 0, skipped: 7, waitMs: nil))
    #expect(runs.alternative.gifts["rose"] == row("roses", shown: 3, skipped: 0, waitMs: 0))
  }

  @Test func whatJoinsACrowdIsNotSkipped() throws {
    let lines = [
      gift(0, at: 0, user: "a", gift: "rose", count: 3), gift(1, at: 10, user: "b", gift: "car", count: 7),
    ]
    let show = try run(lines, [("gift.lanes", "1"), ("gift.queueLimit", "0")]).alternative
    let car = try #require(show.gifts["car"])
    #expect(car.joined == 7 && car.shown == 0 && car.skipped == 0)
    #expect(show.toldUnits == 7 && show.crowdShows == 1)
  }

  /// The second waits until the first is gone (3000 ms, and the gap of 500); a third, of another room, for nothing.
  @Test func itemsOfTheSpotTellTheirWaits() throws {
    var log = RoomLog()
    func item(_ id: String, room: String = "r1") -> String {
      #"{"roomId":"\#(room)","spot":{"sender":{"userId":"7"},"kind":"entrance","spotId":"\#(id)","durationMs":3000}}"#
    }
    log.append(record(0, at: 1000, value: item("s1")))
    log.append(record(1, at: 1100, value: item("s2")))
    log.append(record(2, at: 1200, room: "r2", value: item("s3", room: "r2")))
    let overlay = [(name: "spot.gapMs", value: "500")]
    let all = try run(log.lines, overlay).alternative.spots
    #expect(all.shown == 3 && all.waits.count == 3 && all.waits.longestMs == 3400, "\(all)")
    #expect(all.waits.percentileMs(50) == 0)
    let one = try replay(log.lines, [overlay], room: "r2").runs[1].show.spots
    #expect(one.shown == 1 && one.waits.count == 1 && one.waits.longestMs == 0, "\(one)")
  }

  @Test func whatIsLeftToShowWhereTheLogEndsIsTold() throws {
    let lines = [
      gift(0, at: 0, user: "a", gift: "rose", count: 300), gift(1, at: 900, user: "c", gift: "tulip", count: 2),
    ]
    let show = try replay(lines, [[("gift.lanes", "1"), ("gift.turnMs", "0")]], until: 1500).runs[1].show
    let shown = show.gifts["rose"]?.shown ?? 0
    #expect(show.leftGifts == 302 - shown && shown > 0 && shown < 300)
    var log = RoomLog()
    for number in 0..<3 { log.wish(at: 0, "\(number)", "w\(number)", text: "hello \(number)") }
    let overlay = [(name: "wish.tracks", value: "1")]
    #expect(try replay(log.lines, [overlay], until: 1500).runs[1].show.leftWishes == 2)
    #expect(try replay(log.lines, [overlay]).runs[1].show.leftWishes == 0)
  }

  /// Each command of a crowd tells all that it has so far.
  @Test func whatACrowdTellsTwiceCountsOnce() throws {
    let lines = [
      gift(0, at: 0, user: "a", gift: "rose", count: 3), gift(1, at: 10, user: "b", gift: "car", count: 7),
      gift(2, at: 500, user: "c", gift: "car", count: 5),
    ]
    let show = try run(lines, [("gift.lanes", "1"), ("gift.queueLimit", "0")]).alternative
    #expect(show.toldUnits == 12 && show.crowdShows == 2)
  }

  @Test func aLogThatGoesOnFromAStateHasWhatTheyName() throws {
    var log = RoomLog()
    log.wish(at: 0, "1", "w0")
    log.gift(at: 1000, "a", "rose")
    log.gift(at: 1010, "b", "car")
    let runs = try run(log.goingOn(from: 1).lines, [("gift.lanes", "1")])
    #expect(runs.actual.gifts["car"]?.waits.longestMs == 0)
    #expect(runs.alternative.gifts["car"]?.waits.longestMs == 2090)
  }

  @Test func theWaitOfAWishThatIsQueuedWhereTheLogBeginsIsNotKnown() throws {
    var log = RoomLog()
    log.wish(at: 0, "1", "w0")
    log.wish(at: 1, "2", "w1", text: "another")
    log.gift(at: 10_000, "a", "rose")
    let whole = try run(log.lines, []).actual.wishes
    #expect(whole.shown == 2 && whole.waits.longestMs > 0)
    let part = try run(log.goingOn(from: 2).lines, []).actual.wishes
    #expect(part.shown == 1 && part.waits.percentileMs(50) == nil)
  }

  @Test func whatTheyNameBeatsARoomsOwn() throws {
    let own = record(0, at: 0, value: #"{"roomId":"r1","roomSettings":{"set":{"gift.lanes":1,"gift.exitMs":750}}}"#)
    let lines = [own, gift(1, at: 0, user: "a", gift: "rose"), gift(2, at: 10, user: "b", gift: "car")]
    func wait(_ show: ShowStatistics) -> Milliseconds? { show.gifts["car"]?.waits.longestMs }
    let beaten = try run(lines, [("gift.lanes", "2")])
    #expect(wait(beaten.actual) == 2590 && wait(beaten.alternative) == 0)
    // A setting that the file doesn't name is still the room's own.
    #expect(wait(try run(lines, [("gift.holdMs", "2000")]).alternative) == 3590)
  }

  /// A file may say what the worker has, and overrule a room all the same.
  @Test func aRoomsOwnThatIsOverruledDiffers() throws {
    let own = record(0, at: 0, value: #"{"roomId":"r1","roomSettings":{"set":{"gift.lanes":1}}}"#)
    let lines = [own, gift(1, at: 10, user: "a", gift: "rose")]
    let overruled = try replay(lines, [[("gift.lanes", "2")]]).differing
    #expect(overruled.map(\.name) == ["gift.lanes"])
    #expect(overruled.map(\.values) == [[["2", "1 (a room's own)"], ["2"]]])
    var log = RoomLog()
    log.event(at: 0, "", #""roomSettings":{"set":{"gift.lanes":1}}"#)
    for i in 1...3 { log.gift(at: Int64(i), "7") }
    let differing = try replay(log.goingOn(from: 2).lines, [[("gift.lanes", "2")]]).differing
    #expect(differing.map(\.values) == [[["2", "1 (a room's own)"], ["2"]]])
  }

  /// The log's settings are not the defaults, and change; rooms have their own; it goes on from a state.
  @Test func aFileThatChangesNothingGivesEqualColumns() throws {
    func log(changes: Bool) -> RoomLog {
      var log = RoomLog()
      log.settings.engine.gift.lanes = 1
      if changes { log.line(#""settings":{"gift":{"lanes":1,"maxWaitMs":5000}},"rules":\#(LogRules.current)"#) }
      for i in 0..<60 {
        log.gift(at: Int64(i * 100), "\(i % 7)", "g\(i % 3)", count: Int64(i % 4 + 1))
        if i % 3 == 0 { log.wish(at: Int64(i * 100 + 1), "\(i % 7)", "w\(i)") }
        if i == 20 { log.event(at: 2050, "", #""roomSettings":{"set":{"gift.lanes":2},"forMs":1500}"#) }
        if changes, i == 40 {
          log.line(#""settings":{"gift":{"lanes":3},"wish":{"tracks":1}},"rules":\#(LogRules.current)"#)
        }
      }
      return log
    }
    for lines in [log(changes: true).lines, Array(try log(changes: false).goingOn(from: 30).lines)] {
      let (runs, differing) = try replay(lines, [[], [("wish.intervalMs", "1000")], [("gift.exitMs", "250")]])
      #expect(differing.isEmpty)
      for run in runs.dropFirst() {
        #expect(run.show.gifts == runs[0].show.gifts && run.show.tiers == runs[0].show.tiers)
        #expect(run.show.wishes == runs[0].show.wishes && run.commands == runs[0].commands)
        #expect(ShowStatistics.reasons.allSatisfy { run.show[skips: $0.key] == runs[0].show[skips: $0.key] })
      }
      #expect(runs[0].show.allGifts.shown > 20)
    }
  }

  @Test func settingsThatDifferAreTold() throws {
    let lines = [
      #"{"topic":"im.gifts","partition":0,"settings":{"gift":{"lanes":4}}}"#, gift(0, at: 0, user: "a", gift: "rose"),
      #"{"topic":"im.gifts","partition":0,"settings":{"gift":{"lanes":5}}}"#,
    ]
    let (_, differing) = try replay(lines, [[("gift.lanes", "1"), ("gift.exitMs", "250")], [("gift.exitMs", "9")]])
    #expect(differing.map(\.name) == ["gift.lanes", "gift.exitMs"])
    #expect(differing.map(\.values) == [[["4", "5"], ["1"], ["4", "5"]], [["250"], ["250"], ["9"]]])
  }

  /// A gift with a tier waits on past maxWaitMs, and its whole wait counts.
  @Test func theLongestWaitIsTold() throws {
    var log = RoomLog()
    log.line(
      #""settings":{"gift":{"lanes":1,"maxWaitMs":1000,"turnMs":0,"tiers":"100:5000"}},"rules":\#(LogRules.current)"#)
    log.gift(at: 0, "a", "rose", count: 900, value: 100)
    log.gift(at: 10, "b", "car", value: 100)
    // Ticks until all is shown, the first gets more all the time.
    for i in 1...40 { log.gift(at: Int64(i) * 1000, "a", "rose", count: 1, value: 100) }
    let runs = try replay(log.lines, [[]]).runs
    let car = try #require(runs[0].show.gifts["car"])
    #expect(car.shown == 1 && car.waits.longestMs > 40_000)
    #expect(runs[0].show.tiers[1]?.waits.longestMs == car.waits.longestMs)
  }

  @Test func percentilesAreTheLeastThatEnoughDoNotExceed() {
    var waits = WaitTimes()
    #expect(waits.percentileMs(50) == nil)
    for ms in Int64(1)...100 { waits.add(ms * 100 + 9) }
    #expect(waits.percentileMs(50) == 5000 && waits.percentileMs(95) == 9500 && waits.longestMs == 10_009)
  }

  @Test func oneRoomCanBeAskedFor() throws {
    let lines = [
      gift(0, at: 0, user: "a", gift: "rose"),
      record(1, at: 1, room: "r2", value: #"{"roomId":"r2","gift":{"sender":{"userId":"7"},"giftId":"car"}}"#),
    ]
    let runs = try replay(lines, [[("gift.lanes", "1")]], room: "r1").runs
    #expect(runs.allSatisfy { $0.show.allGifts.shown == 1 && $0.show.gifts["car"] == nil })
  }

  @Test func whatIsShownAndSkippedIsToldByTierAndReason() throws {
    let lines = [
      record(
        0, at: 0,
        value: #"{"roomId":"r1","gift":{"sender":{"userId":"a"},"giftId":"rose","count":9,"value":5}}"#),
      record(1, at: 700, value: #"{"roomId":"r1","retract":{"userId":"a"}}"#),
    ]
    let runs = try run(lines, [("gift.tiers", "10:0")])
    let retracted = try #require(ShowStatistics.reasons.first { $0.words == "gifts retracted" }?.key)
    for (run, tier) in [(runs.actual, Int64(0)), (runs.alternative, 1)] {
      #expect(run.tiers == [tier: row("", shown: 1, skipped: 8, waitMs: 0)])
      #expect(run[skips: retracted] == 8)
    }
  }

  /// Nothing is lost: what was sent was shown, joined a crowd or was skipped, under all settings.
  @Test(arguments: 1...5) func everyGiftIsShownInACrowdOrSkipped(lanes: Int64) throws {
    var sent: Int64 = 0
    let lines = (0..<200).map { i in
      sent += Int64(i % 7 + 1)
      return gift(Int64(i), at: Int64(i * 150), user: "\(i * i % 23)", gift: "g\(i % 4)", count: i % 7 + 1)
    }
    let runs = try run(lines, [("gift.lanes", "\(lanes)"), ("gift.queueLimit", "3")])
    for run in [runs.actual, runs.alternative] {
      #expect(run.gifts.values.reduce(0) { $0 + $1.shown + $1.joined + $1.skipped } == sent)
    }
  }
}
