import Replay
import RoomModel
import RoomScreen
import Settings
import Testing

/// Rooms with settings of their own are explained with those.
struct OwnSettingsExplanationTests {
  private func log(_ set: String, _ build: (inout RoomLog) -> Void) -> RoomLog {
    var log = RoomLog()
    log.event(at: 500, "s1", #""roomSettings":{"set":{\#(set)}}"#)
    build(&log)
    return log
  }

  @Test func aWaitThatRanOutNamesTheRoomsOwn() throws {
    let log = log(#""gift.lanes":1,"gift.maxWaitMs":700,"wish.maxWaitMs":800,"wish.intervalMs":5000"#) {
      $0.gift(at: 1000, "7", count: 9)
      $0.gift(at: 1001, "8", id: "e1")
      $0.wish(at: 1002, "7", "w1")
      $0.wish(at: 1003, "8", "w2", id: "e2")
    }
    #expect(try log.explain(.event("e1"))?.contains("it was queued for maxWaitMs (700)") == true)
    #expect(try log.explain(.event("e2"))?.contains("it was queued for maxWaitMs (800)") == true)
  }

  @Test func tapsGoByTheRoomsOwn() throws {
    let log = log(#""like.doubleTapMs":40"#) {
      $0.tap(at: 1000, "7")
      $0.tap(at: 1100, "7", id: "e1")
    }
    let text = try #require(try log.explain(.event("e1")))
    #expect(text.contains("not a like: ") && text.contains("less than doubleTapMs (40) later"))
  }

  @Test func lanesByUserAreTheRoomsOwn() throws {
    let log = log(#""gift.placement":"byUser","gift.lanes":3"#) {
      $0.gift(at: 1000, "4", count: 3)
      $0.gift(at: 1001, "7", id: "e1")
    }
    #expect(try log.explain(.event("e1"))?.contains("it needs lane 1, its user's (placement byUser)") == true)
  }

  /// It waits for its user's lane as long as it needs that one; then another is free sooner.
  @Test func aWaitWhoseLanesChangeIsToldByThoseOfEachTime() throws {
    var log = RoomLog()
    log.event(at: 500, "", #""roomSettings":{"set":{"gift.placement":"byUser","gift.lanes":"2"},"forMs":2500}"#)
    log.gift(at: 1000, "4", count: 60)
    log.gift(at: 1001, "5", count: 16)
    log.gift(at: 1100, "6", id: "e1")
    let text = try #require(try log.explain(.event("e1")))
    #expect(text.contains("it needs lane 0, its user's (placement byUser)"), "\(text)")
    #expect(text.contains(" for a lane:\n"), "\(text)")
    #expect(
      text.contains("00:00:03.000  +1900 ms  from here on it needs no lane of its own (placement bottomFirst)"),
      "\(text)")
    #expect(text.contains("1.900 s  4 held lane 0; then the settings changed\n"), "\(text)")
    #expect(text.contains(" s  5 held lane 1 until its hold ran out"), "\(text)")
  }
}
