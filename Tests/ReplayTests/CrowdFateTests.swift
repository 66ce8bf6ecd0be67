import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import TestSupport
import Testing

/// The fate of gifts that found no lane.
struct CrowdFateTests {
  /// One lane, no queue, a bar that each crowd has for three seconds.
  private func log(_ build: (inout RoomLog) -> Void) -> RoomLog {
    var log = RoomLog()
    log.settings.engine.gift.lanes = 1
    log.settings.engine.gift.queueLimit = 0
    log.settings.engine.crowd.kinds = 16
    log.gift(at: 1000, "7", count: 60)
    build(&log)
    return log
  }

  @Test func theWaitForTheBarCounts() throws {
    let log = log {
      $0.gift(at: 1100, "8")
      $0.gift(at: 1200, "9", "car", id: "e1")
    }
    let text = try #require(try log.explain(.event("e1")))
    #expect(
      text.contains(
        "\n  Found no lane, since more than queueLimit (0) combos were queued, and of those worth least this one came last;"
          + " told with crowd im.gifts/0/2, 1 gift in all, its sender named, 2.9 s late:"
          + " the crowd of rose had its turn on the bar (2.9 s).\n"), "\(text)")
    #expect(text.contains("\n  waited 2.900 s for the bar:\n"))
  }

  @Test func whatTheRoomsEndFindsUntoldIsSkipped() throws {
    let log = log {
      $0.gift(at: 1100, "8")
      $0.gift(at: 1200, "9", "car", id: "e1")
      $0.event(at: 2000, "", #""roomEnd":{}"#)
    }
    let text = try #require(try log.explain(.event("e1")))
    #expect(text.contains("\n  Skipped (ended): "), "\(text)")
    #expect(text.contains("the command skipped tells it"))
  }

  /// Of a gift that a crowd tells the parts of its waits go from its record to that command.
  @Test(arguments: UInt64(1)...20) func thePartsOfAWaitAddUp(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var log = RoomLog()
    log.settings.engine.gift.lanes = 1
    log.settings.engine.gift.queueLimit = [0, 2].randomElement(using: &random)!
    log.settings.engine.gift.maxWaitMs = [1000, 60_000].randomElement(using: &random)!
    log.settings.engine.crowd.kinds = [1, 16].randomElement(using: &random)!
    log.settings.engine.crowd.showMs = [300, 3000].randomElement(using: &random)!
    var times: [Int64: LogTime] = [:]
    var time: LogTime = 1000
    for i in 0..<60 {
      time += .random(in: 0...400, using: &random)
      times[Int64(i)] = time
      let user = "\(Int.random(in: 1...9, using: &random))"
      if i % 25 == 24 {
        log.event(at: time, "", #""roomEnd":{}"#)
      } else {
        log.gift(at: time, user, ["rose", "car"].randomElement(using: &random)!, value: 10, id: "e\(i)")
      }
    }
    var told = 0
    for user in 1...9 {
      var explainer = Explainer(.user("\(user)"), room: "r1", settings: log.settings, hashSeed: 1)
      try log.eachLine { try explainer.play($0) }
      explainer.fire(to: 100_000)
      guard let text = explainer.explain() else { continue }
      #expect(!text.contains("untold where"), "\(text)")
      let parts = Dictionary(uniqueKeysWithValues: explainer.waits.map { ($0.record, $0.parts.flatMap { $0 }) })
      for story in text.split(separator: "\n\n") {
        guard let record = story.firstMatch(of: /^im.gifts\/0\/(\d+)/).flatMap({ Int64($0.1) }),
          let lateMs = story.firstMatch(of: /\+(\d+) ms  crowdShow tells it/).flatMap({ LogTime($0.1) })
        else { continue }
        let parts = try #require(parts[record])
        #expect(parts.reduce(0) { $0 + $1.upperBound - $1.lowerBound } == lateMs, "\(story)")
        #expect(lateMs == 0 || parts.first?.lowerBound == times[record])
        told += lateMs > 0 ? 1 : 0
      }
    }
    #expect(told > 0)
  }
}
