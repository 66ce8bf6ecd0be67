import RoomEngine
import RoomModel
import TestSupport
import Testing

/// Laws of gathered taps.
struct TapLaws {
  /// The clients' runs, told in steps; some of what they tell is lost, comes twice, or late. The last of each comes.
  @Test(arguments: 0..<80 as Range<UInt64>)
  func `the likes of runs are what each told last, in whatever order they come`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var events: [RoomEvent] = []
    var expected: Int64 = 0
    for user in 0..<5 {
      for run in 0..<Int(random.number(1...4)) {
        var told: [RoomEvent] = []
        var count: Int64 = 0
        for _ in 0..<random.number(1...8) {
          count += random.number(1...10)
          told.append(.taps("u\(user)", "run\(run)", count))
        }
        expected += count
        let last = told.removeLast()
        events += told.filter { _ in !random.once(in: 3) }.flatMap { random.once(in: 4) ? [$0, $0] : [$0] } + [last]
      }
    }
    for place in events.indices.reversed() { events.swapAt(place, Int(random.number(0...Int64(place)))) }
    var settings = EngineSettings()
    settings.like.most = 1000
    var log = PartitionLog(settings: settings, hashSeed: seed, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    for (offset, event) in events.enumerated() {
      _ = log.apply(offset: Int64(offset), timestampMs: Int64(offset) * 50, event: event, into: &batch)
    }
    _ = log.fireTimers(through: 1 << 50, into: &batch)
    var likes: Int64 = 0
    for command in batch.commands { if case .likeBurst(let burst) = command.body { likes += burst.count } }
    #expect(likes == expected)
  }

  @Test func `of a user four runs are known, and the one whose last event is the oldest goes first`() {
    expectRoom(
      """
         0 | taps ann a 10 | burst 10
      1000 | taps ann b 10 | burst 10
      2000 | taps ann c 10 | burst 10
      3000 | taps ann d 10 | burst 10
      4000 | taps ann a 12 | burst 2
      5000 | taps ann e 10 | burst 10
      6000 | taps ann b 11 | burst 11
      7000 | taps ann a 13 | burst 1
      """)
  }
}
