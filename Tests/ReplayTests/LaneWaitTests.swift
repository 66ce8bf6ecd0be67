import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Testing

/// Explanations of what a queued gift waits for.
struct LaneWaitTests {
  private func trace(_ build: (inout RoomLog) -> Void) throws -> String {
    var log = RoomLog()
    build(&log)
    return try #require(try log.explain(.event("e1")))
  }

  @Test func whatWaitedSaysForWhat() throws {
    func queue(_ log: inout RoomLog) {
      log.settings.engine.gift.lanes = 1
      log.gift(at: 1000, "7", count: 3)
      log.gift(at: 1100, "8", "car")
      log.gift(at: 1200, "9", id: "e1")
    }
    let text = try trace(queue)
    #expect(text.contains("lane 0: 7: rose, combo im.gifts/0/0: ×0 of 3 shown"))
    #expect(text.contains("before it in the queue: 1. 8: car  (3.4 giving lanes)"))
    // The rose is drawn in two ticks, and holds; the car's hold is its own.
    #expect(
      text.contains(
        "Shown ×1, complete, 4.6 s late: 7 held lane 0 until its hold ran out (2.3 s), then 7 left lane 0 (0.3 s)"))
    #expect(text.contains("  waited ") && text.contains(" for lane 0:\n"))
    #expect(text.contains("8 went before it on lane 0 until its hold ran out [im.gifts/0/2/"))
    let first = try trace {
      $0.settings.engine.gift.lanes = 1
      $0.gift(at: 1000, "7")
      $0.gift(at: 1100, "8", id: "e1")
    }
    #expect(first.contains("nothing stands before it in the queue") && !first.contains("went before it"))
  }

  /// 4 and 6 are of lane 0, and 5 of lane 1: nobody there is in the way.
  @Test func byUserItWaitsForItsOwnLane() throws {
    let text = try trace {
      $0.settings.engine.gift.placement = .byUser
      for (index, user) in ["4", "5", "6", "7"].enumerated() { $0.gift(at: 1000 + Int64(index), user, count: 2) }
      $0.gift(at: 1100, "8", id: "e1")
    }
    #expect(text.contains("it needs lane 0, its user's (placement byUser)"))
    #expect(text.contains("lane 0: 4: rose") && !text.contains("lane 1"))
    #expect(text.contains("before it in the queue: 1. 6: rose  ("))
    #expect(text.contains("6 went before it on lane 0 until its hold ran out"))
  }

  /// Its view leaves lane 1 and it is queued again, before 3 and 4 had their turns; at that moment 1 still leaves lane 0.
  @Test func aComboThatIsQueuedAgainWaitsForThoseWhoThenHaveTheLane() throws {
    let text = try trace {
      $0.settings.engine.gift.lanes = 2
      $0.settings.engine.gift.order = .fifo
      $0.settings.engine.gift.turnMs = 1000
      $0.gift(at: 1000, "0", count: 40, id: "e1")
      for user in ["1", "2", "3", "4"] { $0.gift(at: 1005, user, count: 40) }
    }
    // It was on a lane at once, so it is not late.
    #expect(text.contains("\n  Shown ×40, complete; queued again 6 times, 14.1 s in all.\n"), "\(text)")
    let words = text.split(separator: "\n").map { line in
      (line.split(separator: " ", maxSplits: 3).last ?? "").drop { $0 == " " }
    }
    let again = words.drop { $0 != "its own view left lane 1" }.dropFirst().prefix(3)
    #expect(
      Array(again) == [
        "1 left lane 0", "3 went before it on lane 0 until its turn ended [im.gifts/0/4/17]", "3 left lane 0",
      ], "\(text)")
  }

  @Test func settingsThatChangeWhileItWaitsPartItsWait() throws {
    let text = try trace {
      $0.settings.engine.gift.lanes = 1
      $0.gift(at: 1000, "7", count: 3)
      $0.gift(at: 1100, "8", id: "e1")
      $0.event(at: 1500, "", #""roomSettings":{"set":{"gift.placement":"byUser"}}"#)
    }
    #expect(text.contains("\n    00:00:01.100    0.400 s  7 held lane 0; then the settings changed\n"), "\(text)")
    #expect(text.contains("7 held lane 0 until its hold ran out"))
  }
}
