import Replay
import RoomEngine
import RoomModel
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

  private func run(_ lines: [String], _ whatIf: LogSettings, keepsRoomSettings: Bool = false) throws -> (
    actual: ShowStatistics, alternative: ShowStatistics
  ) {
    var replay = WhatIfReplay(settings: LogSettings(), whatIf: whatIf, keepsRoomSettings: keepsRoomSettings, room: nil)
    var reader = LogLineReader()
    for line in lines {
      try Array(line.utf8).withUnsafeBytes { try replay.play(try #require(try reader.read($0))) }
    }
    replay.fire(to: 1_000_000)
    return (replay.actual, replay.alternative)
  }

  private func row(_ name: String, shown: Int64, skipped: Int64, waitMs: Milliseconds) -> ShowStatistics.Row {
    var row = ShowStatistics.Row()
    (row.name, row.shown, row.skipped, row.longestWaitMs) = (name, shown, skipped, waitMs)
    return row
  }

  @Test func theSettingsHoldWhateverTheLogSays() throws {
    var one = LogSettings()
    one.engine.gift.lanes = 1
    let lines = [
      #"{"topic":"im.gifts","partition":0,"settings":{"gift":{"lanes":4}}}"#,
      gift(0, at: 0, user: "a", gift: "rose"), gift(1, at: 10, user: "b", gift: "car"),
    ]
    let runs = try run(lines, one)
    #expect(runs.actual.gifts["car"] == row("cars", shown: 1, skipped: 0, waitMs: 0))
    // The rose enters in 250, its first tick at 550 draws it, at 850 the hold begins, which ends at 1850; 250 to leave.
    #expect(runs.alternative.gifts["car"] == row("cars", shown: 1, skipped: 0, waitMs: 2090))
    #expect(runs.alternative.gifts["rose"] == row("roses", shown: 1, skipped: 0, waitMs: 0))
  }

  @Test func whatIsSkippedIsToldByGift() throws {
    var none = LogSettings()
    none.engine.gift.lanes = 1
    none.engine.gift.queueLimit = 0
    let lines = [
      gift(0, at: 0, user: "a", gift: "rose", count: 3), gift(1, at: 10, user: "b", gift: "car", count: 7),
    ]
    let runs = try run(lines, none)
    #expect(runs.actual.gifts["car"] == row("cars", shown: 7, skipped: 0, waitMs: 0))
    #expect(runs.alternative.gifts["car"] == row("", shown: 0, skipped: 7, waitMs: 0))
    #expect(runs.alternative.gifts["rose"] == row("roses", shown: 3, skipped: 0, waitMs: 0))
  }

  @Test func aRoomsOwnSettingsBeatThemOnlyIfTheyAreToBeKept() throws {
    let own = record(0, at: 0, value: #"{"roomId":"r1","roomSettings":{"set":{"gift.lanes":1}}}"#)
    let lines = [own, gift(1, at: 0, user: "a", gift: "rose"), gift(2, at: 10, user: "b", gift: "car")]
    func wait(_ show: ShowStatistics) -> Milliseconds? { show.gifts["car"]?.longestWaitMs }
    let beaten = try run(lines, LogSettings())
    #expect(wait(beaten.actual) == 2090 && wait(beaten.alternative) == 0)
    #expect(wait(try run(lines, LogSettings(), keepsRoomSettings: true).alternative) == 2090)
  }

  @Test func whatIsShownAndSkippedIsToldByTierAndReason() throws {
    var dear = LogSettings()
    dear.engine.gift.tiers = GiftTiers(Text("10:0"))!
    let lines = [
      record(
        0, at: 0,
        value: #"{"roomId":"r1","gift":{"sender":{"userId":"a"},"giftId":"rose","count":9,"value":5}}"#),
      record(1, at: 700, value: #"{"roomId":"r1","retract":{"userId":"a"}}"#),
    ]
    let runs = try run(lines, dear)
    let retracted = try #require(ShowStatistics.reasons.first { $0.words == "gifts retracted" }?.key)
    for (run, tier) in [(runs.actual, Int64(0)), (runs.alternative, 1)] {
      #expect(run.tiers == [tier: row("", shown: 1, skipped: 8, waitMs: 0)])
      #expect(run[skips: retracted] == 8)
    }
  }

  /// Nothing is lost: what was sent was shown or skipped, under all settings.
  @Test(arguments: 1...5) func everyGiftIsShownOrSkipped(lanes: Int64) throws {
    var settings = LogSettings()
    settings.engine.gift.lanes = lanes
    settings.engine.gift.queueLimit = 3
    var sent: Int64 = 0
    let lines = (0..<200).map { i in
      sent += Int64(i % 7 + 1)
      return gift(Int64(i), at: Int64(i * 150), user: "\(i * i % 23)", gift: "g\(i % 4)", count: i % 7 + 1)
    }
    let runs = try run(lines, settings)
    for run in [runs.actual, runs.alternative] {
      #expect(run.gifts.values.reduce(0) { $0 + $1.shown + $1.skipped } == sent)
    }
  }
}
