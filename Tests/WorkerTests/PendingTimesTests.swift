import RoomModel
import Testing
import Worker

struct PendingTimesTests {
  private func taken(_ times: inout PendingTimes) -> [(timeMs: Int64, count: Int64)] {
    var all: [(Int64, Int64)] = []
    times.take { all.append(($0, $1)) }
    return all.sorted { $0.0 < $1.0 }
  }

  @Test func recordsOfOneMomentAreTakenTogether() {
    var times = PendingTimes()
    for timeMs: Int64 in [1000, 1003, 1007, 1008, 900] { times.add(timeMs) }
    let all = taken(&times)
    #expect(all.map(\.timeMs) == [896, 1000, 1008])
    #expect(all.map(\.count) == [1, 3, 1])
    #expect(taken(&times).isEmpty)
  }

  @Test func whatHasNoTimeIsLeftOut() {
    var times = PendingTimes()
    times.add(-1)
    #expect(taken(&times).isEmpty)
  }

  /// A backlog of hours in one transaction, in order or not.
  @Test(arguments: [1, 997, 7_919])
  func howeverManyThereAreTheyTakeNoMoreRoomAndErrByLittle(step: Int64) {
    var times = PendingTimes()
    let span: Int64 = 6 * 3_600_000
    let begin: Int64 = 1_700_000_000_000
    var sum: Int64 = 0
    let count: Int64 = 20_000
    for n in 0..<count {
      let timeMs = begin + n * step * 1080 % span
      times.add(timeMs)
      sum += timeMs - begin
    }
    let all = taken(&times)
    #expect(all.count <= 600)
    #expect(all.reduce(0) { $0 + $1.count } == count)
    let told = all.reduce(0) { $0 + ($1.timeMs - begin) * $1.count }
    #expect(abs(told - sum) / count <= span / 128)
    #expect(all.allSatisfy { $0.timeMs <= begin + span && $0.timeMs >= begin - span / 64 })
  }

  @Test func afterALongSpanShortOnesAreExactAgain() {
    var times = PendingTimes()
    for n: Int64 in 0..<2000 { times.add(n * 60_000) }
    _ = taken(&times)
    times.add(1000)
    times.add(1008)
    #expect(taken(&times).map(\.timeMs) == [1000, 1008])
  }
}
