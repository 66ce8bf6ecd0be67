import Glibc
import RoomModel
import Simulation
import Testing

struct BacklogTests {
  @Test func roomsUsersAndGiftsHaveTheirWeights() {
    // 60 % repeat a room that was drawn shortly before, so the shares of rooms are those of the draws.
    var rooms: [String: Int] = [:]
    var users: [String: Int] = [:]
    var gifts: [String: Int] = [:]
    let count = 200_000
    var backlog = Backlog(count: count, pace: .flood)
    while let (_, event) = backlog.next() {
      guard case .gift(let gift) = event.body else {
        Issue.record("not a gift")
        return
      }
      #expect(gift.count == 1 && gift.streakId.isEmpty)
      rooms[event.roomId.description, default: 0] += 1
      users[gift.sender.userId.description, default: 0] += 1
      gifts[gift.giftId.description, default: 0] += 1
    }
    #expect(rooms.count == 200 && users.count > 4900 && gifts.count == 20)
    expectShare(rooms["room-0"]!, of: count, weights: 200, exponent: 0.9)
    expectShare(users["100000"]!, of: count, weights: 5000, exponent: 0.8)
    expectShare(gifts["gift-0"]!, of: count, weights: 20, exponent: 0.9)
  }

  @Test func sixtyPercentRepeatOneOfTheLast64() {
    var last: [String] = []
    var repeats = 0
    var backlog = Backlog(count: 50_000, pace: .evening)
    while let (_, event) = backlog.next() {
      guard case .gift(let gift) = event.body else { continue }
      let choice = "\(event.roomId) \(gift.sender.userId) \(gift.giftId)"
      if last.contains(choice) { repeats += 1 }
      last.append(choice)
      if last.count > 64 { last.removeFirst() }
    }
    // The draws themselves hit one of the last 64 by chance now and then.
    #expect(repeats > 29_500 && repeats < 31_500, "\(repeats)")
  }

  @Test(arguments: Backlog.Pace.allCases) func timeSpansWhatThePaceSays(pace: Backlog.Pace) {
    var backlog = Backlog(count: 1000, pace: pace, startMs: 5000)
    var times: [LogTime] = []
    while let (atMs, _) = backlog.next() { times.append(atMs) }
    #expect(times.count == 1000 && times == times.sorted())
    #expect(times.first == 5000)
    #expect(times.last == 5000 + pace.spanMs * 999 / 1000)
  }

  @Test func everyEventHasAnIdOfItsOwn() {
    var ids: Set<String> = []
    var backlog = Backlog(count: 3000, pace: .flood)
    while let (_, event) = backlog.next() {
      ids.insert(event.eventId.description)
      backlog.forget()
    }
    #expect(ids.count == 3000)
  }

  private func expectShare(_ first: Int, of count: Int, weights: Int, exponent: Double) {
    let sum = (1...weights).reduce(0.0) { $0 + pow(Double($1), -exponent) }
    let share = Double(first) / Double(count)
    #expect(abs(share * sum - 1) < 0.12, "\(share) instead of \(1 / sum)")
  }
}
