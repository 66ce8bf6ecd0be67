import RoomEngine
import RoomModel
import Simulation
import Testing

struct AudienceTests {
  @Test func theSameSeedGivesTheSameEvents() {
    let first = script(of: Audience(rooms: 5, rate: 100, seed: 7), events: 5000)
    #expect(first == script(of: Audience(rooms: 5, rate: 100, seed: 7), events: 5000))
    #expect(first != script(of: Audience(rooms: 5, rate: 100, seed: 8), events: 5000))
  }

  @Test func eventsComeInTheOrderOfTheirTime() {
    var audience = Audience(rooms: 3, rate: 50, seed: 1)
    var last: Milliseconds = 0
    for _ in 0..<5000 {
      let next = audience.next()
      #expect(next.atMs >= last)
      last = next.atMs
    }
  }

  @Test(arguments: [5.0, 200]) func theRateIsKeptOnAverage(rate: Double) {
    var audience = Audience(rooms: 10, rate: rate, seed: 3)
    let seconds = 1800
    var count = 0
    while audience.next().atMs < Int64(seconds * 1000) { count += 1 }
    let share = Double(count) / (rate * Double(seconds))
    #expect(share > 0.85 && share < 1.15, "\(share)")
  }

  @Test func aCrowdDoesEverythingThatStagesKnow() {
    var audience = Audience(rooms: 4, rate: 100, seed: 2)
    var kinds: [String: Int] = [:]
    var ids: [String: Int] = [:]
    for _ in 0..<20_000 {
      let event = audience.next().event
      ids[event.eventId.description, default: 0] += 1
      switch event.body {
      case .gift(let gift):
        kinds[gift.streakId.isEmpty ? gift.count == 1 ? "gift" : "many at once" : "streak", default: 0] += 1
      case .wish: kinds["wish", default: 0] += 1
      case .wishLike: kinds["like", default: 0] += 1
      case .pin, .goal, .score, .taps: kinds["\(event.body.kind)", default: 0] += 1
      case .tap: kinds["tap", default: 0] += 1
      case .rainStart: kinds["rain", default: 0] += 1
      case .spot: kinds["spot", default: 0] += 1
      case .rainGrab: kinds["grab", default: 0] += 1
      case .retract, .roomSettings, .roomEnd: kinds["moderation", default: 0] += 1
      }
    }
    for kind in ["gift", "many at once", "streak", "wish", "like", "tap"] {
      #expect(kinds[kind, default: 0] > 100, "\(kind): \(kinds)")
    }
    #expect(kinds["rain", default: 0] > 2)
    #expect(kinds["spot", default: 0] > 5)
    #expect(kinds["grab", default: 0] > 500)
    for kind in ["pin", "goal", "score", "taps"] { #expect(kinds[kind, default: 0] > 1, "\(kind): \(kinds)") }
    #expect(kinds["moderation", default: 0] > 10)
    let again = ids.values.filter { $0 > 1 }.count
    #expect(again > 10 && again < 200, "some events come twice: \(again)")
  }

  @Test func grabsAreMostlyOfPacketsThatAreInTheAir() {
    var audience = Audience(rooms: 2, rate: 200, seed: 3)
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    for offset in 0..<40_000 {
      let next = audience.next()
      _ = log.apply(offset: Int64(offset), timestampMs: next.atMs, event: next.event, into: &batch)
    }
    var outcomes: [GrabResult.Outcome: Int] = [:]
    for result in batch.results { outcomes[result.outcome, default: 0] += 1 }
    for outcome in GrabResult.Outcome.allCases { #expect(outcomes[outcome, default: 0] > 10, "\(outcome)") }
    #expect(outcomes[.missed]! * 2 < batch.results.count)
  }

  @Test func roomsDifferInHeatAndNoneIsForgotten() {
    var audience = Audience(rooms: 6, rate: 100, seed: 4)
    var rooms: [String: Int] = [:]
    for _ in 0..<50_000 { rooms[audience.next().event.roomId.description, default: 0] += 1 }
    #expect(rooms.count == 6)
    #expect(rooms["room-1"]! > 3 * rooms["room-6"]!)
  }

  @Test func aRunOfItsOwnHasEventIdsOfItsOwn() {
    var audience = Audience(rooms: 1, rate: 1, seed: 1, run: "x")
    #expect(audience.next().event.eventId.description == "e1-x-1")
  }

  private func script(of audience: consuming Audience, events: Int) -> [String] {
    (0..<events).map { _ in
      let next = audience.next()
      return "\(next.atMs) \(next.event)"
    }
  }
}
