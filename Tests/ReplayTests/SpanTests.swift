import Foundation
import Replay
import RoomModel
import Settings
import Testing

/// Spans of time that meet their end or a change of settings (STAGES.md, section 1).
struct SpanTests {
  /// User 7's gift keeps the only lane busy.
  private let busy = record(
    0, at: 0, value: #"{"roomId":"r1","gift":{"sender":{"userId":"7"},"giftId":"rose","count":1000}}"#)

  private func gift(_ offset: Int64, at time: LogTime, user: String) -> String {
    record(offset, at: time, value: #"{"roomId":"r1","gift":{"sender":{"userId":"\#(user)"},"giftId":"rose"}}"#)
  }

  private func settings(_ gift: String) -> String {
    #"{"topic":"im.gifts","partition":0,"settings":{"gift":{"catchUpTicks":0,"lanes":1,\#(gift)},"crowd":{"kinds":0}}}"#
  }

  /// The times of a kind's commands, each with the value of a field: `1000 "items":1`.
  private func sent(_ kind: String, _ field: String, in lines: [String], until: LogTime) throws -> [String] {
    try play(lines, until: until).commands.compactMap { command in
      guard let body = command.range(of: "\"\(kind)\":"), let time = command.range(of: "\"atMs\":"),
        let value = command.range(of: "\"\(field)\":", range: body.upperBound..<command.endIndex)
      else { return nil }
      return command[time.upperBound...].prefix { $0 != "," } + " " + command[value.upperBound...].prefix { $0 != "," }
    }
  }

  @Test func aRefreshComesAfterTheSpanThatBeganWithTheLastShow() throws {
    // Ticks come at 550, 850, 1150, …
    let lines = [settings(#""refreshMs":600"#), busy, settings(#""refreshMs":900"#)]
    #expect(try sent("giftShow", "from", in: lines, until: 2200) == ["0 0", "850 1", "1750 4"])
    let never = [settings(#""refreshMs":600"#), busy, settings(#""refreshMs":0"#)]
    #expect(try sent("giftShow", "from", in: never, until: 9000) == ["0 0", "850 1"])
    let late = [settings(#""refreshMs":0"#), busy, settings(#""refreshMs":600"#)]
    #expect(try sent("giftShow", "from", in: late, until: 9000) == ["0 0"])
  }

  @Test func whatHappensWhenAPaceEndsIsSentAtOnceWithAllThatWaited() throws {
    let three = [
      settings(#""maxWaitMs":1000"#), busy, gift(1, at: 0, user: "a"), gift(2, at: 500, user: "b"),
      gift(3, at: 1000, user: "c"),
    ]
    #expect(try sent("skipped", "items", in: three, until: 9000) == ["1000 1", "2000 2"])
    let four = three + [gift(4, at: 1000, user: "d")]
    // c's and d's waits run out just as the pace ends: however many do, one command tells them all.
    #expect(try sent("skipped", "items", in: four, until: 9000) == ["1000 1", "2000 3"])
  }
}
