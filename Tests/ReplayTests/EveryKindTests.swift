import Foundation
import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import TestSupport
import Testing

/// A kind of event or command that `explain` or the timeline doesn't tell fails here.
struct EveryKindTests {
  private static func example(_ kind: EventKind) throws -> [String: Any] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Schemas/examples").appending(path: "event-\(kind.rawValue).json")
    return try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
  }

  /// The example of a kind, as the first record.
  private static func log(_ kind: EventKind) throws -> RoomLog {
    let body = try JSONSerialization.data(withJSONObject: try #require(try example(kind)[kind.rawValue]))
    var log = RoomLog()
    log.event(at: 1000, "the-event", #""\#(kind.rawValue)":\#(String(decoding: body, as: UTF8.self))"#)
    return log
  }

  @Test(arguments: EventKind.allCases) func anEventOfEachKindIsExplained(kind: EventKind) throws {
    let text = try #require(try Self.log(kind).explain(.event("the-event")))
    let lines = text.split(separator: "\n")
    #expect(lines.first == "event the-event of room r1: 1 record")
    // Its effect at once has a sentence that names its rule.
    #expect(lines.contains { $0.hasPrefix("  00:00:01.000 ") && $0.contains(#/\(\d+\.\d /#) }, "\(text)")
  }

  @Test(arguments: EventKind.allCases) func anEventOfEachKindIsOnTheTimeline(kind: EventKind) throws {
    let page = try Self.log(kind).timeline()
    #expect(page.contains(#/\{"k":"e",[^}]*"id":"the-event"[^}]*"what":"[a-z ]+"/#))
  }

  /// A log of which commands of every kind come.
  private static var logOfAll: RoomLog {
    var log = RoomLog()
    log.settings.engine.gift.lanes = 1
    log.settings.engine.gift.queueLimit = 0
    log.settings.engine.crowd.kinds = 1
    log.settings.engine.wish.tracks = 1
    log.settings.engine.wish.queueLimit = 0
    log.gift(at: 1000, "1", count: 3)
    log.gift(at: 1010, "2")
    log.wish(at: 1020, "3", "w1")
    log.wish(at: 1030, "4", "w2")
    log.like(at: 1040, "5", "w1")
    log.tap(at: 1050, "6")
    log.tap(at: 1060, "6")
    log.rain(at: 1070, "a")
    log.grab(at: 2500, "7", "a", 0)
    log.event(at: 2600, "", #""spot":{"sender":{"userId":"8"},"kind":"entrance","spotId":"s1"}"#)
    log.event(at: 2700, "", #""retract":{"spotId":"s1"}"#)
    log.event(at: 2800, "", #""retract":{"wishId":"w1"}"#)
    log.settings.engine.pin.limit = 1
    log.event(at: 2900, "", #""pin":{"sender":{"userId":"9"},"pinId":"p1","text":"hi"}"#)
    log.event(at: 3000, "", #""pin":{"sender":{"userId":"9"},"pinId":"p2","text":"hi","value":5}"#)
    log.event(at: 3100, "", #""goal":{"goalId":"g1","text":"ten","target":10,"durationMs":1000}"#)
    log.gift(at: 3200, "1", count: 3)
    log.event(at: 60_000, "", #""roomEnd":{}"#)
    return log
  }

  @Test(arguments: RoomCommand.Body.Kind.allCases)
  func aCommandOfEachKindIsExplained(kind: RoomCommand.Body.Kind) throws {
    let log = Self.logOfAll
    let name = try #require(try log.commands(with: #""\#(kind)":"#).first, "the log leads to no such command")
    let text = try #require(try log.explain(.command(name)))
    #expect(text.contains(#/\nwhy +[^ ]/#) && text.contains(#/\nrule +STAGES.md, \d+\.\d [a-z]/#), "\(text)")
  }

  @Test(arguments: RoomCommand.Body.Kind.allCases)
  func theTimelineShowsEachKind(kind: RoomCommand.Body.Kind) throws {
    let log = Self.logOfAll
    let name = try #require(try log.commands(with: #""\#(kind)":"#).first, "the log leads to no such command")
    #expect(try log.timeline().contains(#""id":"\#(name)""#) == kind.isTimelineItem)
  }
}
