import Foundation
import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import TestSupport
import Testing

/// The parts of a wait add up to it, to the millisecond.
struct WaitLawTests {
  private func log(_ seed: UInt64) -> RoomLog {
    var random = SplitMix64(seed: seed)
    var log = RoomLog()
    log.settings.engine.gift.lanes = .random(in: 1...3, using: &random)
    log.settings.engine.gift.placement = Bool.random(using: &random) ? .bottomFirst : .byUser
    log.settings.engine.gift.order = GiftSettings.Order.allCases.randomElement(using: &random)!
    log.settings.engine.gift.turnMs = [0, 900, 5000].randomElement(using: &random)!
    log.settings.engine.gift.queueLimit = [3, 60].randomElement(using: &random)!
    log.settings.engine.gift.maxWaitMs = [2000, 60_000].randomElement(using: &random)!
    log.settings.engine.wish.tracks = .random(in: 1...2, using: &random)
    log.settings.engine.wish.maxWaitMs = [4000, 30_000].randomElement(using: &random)!
    var time: LogTime = 1000
    for i in 0..<60 {
      time += .random(in: 0...900, using: &random)
      let user = "\(Int.random(in: 1...5, using: &random))"
      switch Int.random(in: 0..<20, using: &random) {
      case 0: log.event(at: time, "", #""retract":{"userId":"\#(user)"}"#)
      case 1 where i % 2 == 0:
        log.event(at: time, "", #""roomSettings":{"set":{"wish.intervalMs":2500},"forMs":3000}"#)
      case 1: log.event(at: time, "", #""roomSettings":{"set":{"gift.lanes":2},"forMs":3000}"#)
      case 2 where i > 40: log.event(at: time, "", #""roomEnd":{}"#)
      case 3...8: log.wish(at: time, user, "w\(i)", id: "e\(i)")
      default:
        log.gift(
          at: time, user, ["rose", "car"].randomElement(using: &random)!, count: .random(in: 1...40, using: &random),
          value: [1, 10, 200].randomElement(using: &random)!, id: "e\(i)")
      }
    }
    return log
  }

  @Test(arguments: UInt64(1)...40) func thePartsOfAWaitAddUp(seed: UInt64) throws {
    let log = log(seed)
    var times: [Int64: LogTime] = [:]
    var shownAt: [Int64: LogTime] = [:]
    var flownAt: [String: LogTime] = [:]
    try log.eachLine { line in
      guard case .record(let record) = line.content else { return }
      times[record.offset] = record.timestampMs
    }
    for command in try play(log.lines, settings: log.settings, until: 200_000).commands {
      guard let atMs = command.firstMatch(of: /"atMs":(\d+)/).flatMap({ LogTime($0.1) }) else { continue }
      if let combo = command.firstMatch(of: /"giftShow":{"comboId":"im.gifts\/0\/(\d+)"/).flatMap({ Int64($0.1) }) {
        if shownAt[combo] == nil { shownAt[combo] = atMs }
      } else if let wish = command.firstMatch(of: /"wishFly":{"wishId":"(w\d+)"/) {
        flownAt[String(wish.1)] = atMs
      }
    }
    var (waited, left) = (0, 0)
    for user in 1...5 {
      var explainer = Explainer(.user("\(user)"), room: "r1", settings: log.settings, hashSeed: 1)
      try log.eachLine { try explainer.play($0) }
      explainer.fire(to: 200_000)
      guard let answer = explainer.answer() else { continue }
      let told = try JSONDecoder().decode(Told.self, from: JSONEncoder().encode(answer))
      for part in told.events.flatMap(\.waits).flatMap(\.parts) where part.words.contains("left lane") {
        #expect(part.untilMs - part.fromMs <= log.settings.engine.gift.exitMs, "\(part)")
        left += 1
      }
      for (record, waits) in explainer.waits {
        for parts in waits {
          for (part, next) in zip(parts, parts.dropFirst()) { #expect(part.upperBound == next.lowerBound) }
        }
        // A combo's first gift and a wish wait until they are first seen.
        guard let began = times[record], let seen = shownAt[record] ?? flownAt["w\(record)"] else { continue }
        let first = waits.first.map { $0.reduce(0) { $0 + $1.upperBound - $1.lowerBound } } ?? 0
        let isFirst = waits.first?.first?.lowerBound == began
        #expect((isFirst ? first : 0) == seen - began, "record \(record): \(waits)")
        waited += seen > began ? 1 : 0
      }
    }
    #expect(waited > 0 && left > 0)
  }

  private struct Told: Decodable {
    struct Event: Decodable { let waits: [Wait] }
    struct Wait: Decodable { let parts: [Part] }
    struct Part: Decodable { let fromMs: LogTime, untilMs: LogTime, words: String }
    let events: [Event]
  }
}
