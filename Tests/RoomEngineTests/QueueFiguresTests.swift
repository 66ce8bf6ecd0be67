import RoomEngine
import RoomModel
import TestSupport
import Testing

/// The figures behind a worker's metrics: items that wait, and how long drawn items had waited.
struct QueueFiguresTests {
  private var settings: EngineSettings {
    var settings = EngineSettings().plain
    settings.gift.lanes = 1
    settings.wish.tracks = 1
    return settings
  }

  @Test func whatIsDrawnTellsHowLongItWasQueued() {
    var log = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch.ofItems
    _ = log.apply(offset: 0, timestampMs: 0, event: .gift("ann"), into: &batch)
    _ = log.apply(offset: 1, timestampMs: 100, event: .gift("bob"), into: &batch)
    _ = log.apply(offset: 2, timestampMs: 200, event: .wish("ann", "a"), into: &batch)
    _ = log.apply(offset: 3, timestampMs: 300, event: .wish("bob", "b"), into: &batch)
    _ = log.fireTimers(through: 20_000, into: &batch)
    #expect(batch.waits(.gift) == [0, batch.firstShows[1] - 100])
    #expect(batch.waits(.wish) == [0, batch.flights[1] - 300])
    #expect(batch.firstShows[1] > 1000 && batch.flights[1] > 1000)
    batch.removeAll()
    #expect(batch.decisions.isEmpty && batch.counts.waits.counts[0][0] == 1)
    #expect(batch.counts.waits.sumMs[0] > 1000 && batch.counts.waits.counts[0].reduce(0, +) == 2)
  }

  /// A dear one outwaits `gift.maxWaitMs`; how long exactly is not remembered.
  @Test func whatWaitedOnTellsAtLeastTheLongestWait() {
    var settings = settings
    settings.gift.maxWaitMs = 500
    var log = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch.ofItems
    for (offset, user) in ["ann", "bob"].enumerated() {
      _ = log.apply(
        offset: Int64(offset), timestampMs: 0, event: .gift(user, value: 1_000_000_000), into: &batch)
    }
    _ = log.fireTimers(through: 20_000, into: &batch)
    #expect(batch.firstShows.count == 2)
    #expect(batch.waits(.gift) == [0, 500])
  }

  @Test(arguments: 0..<5 as Range<UInt64>)
  func eachThatIsDrawnHasOneWaitWhateverComes(seed: UInt64) {
    var settings = settings
    settings.gift.maxWaitMs = 4000
    settings.wish.maxWaitMs = 4000
    var random = SplitMix64(seed: seed)
    var log = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch.ofItems
    var now: LogTime = 0
    for offset in 0..<2000 {
      now += random.number(0...600)
      let user = "u\(random.number(0...9))"
      let room = "r\(random.number(0...2))"
      let event: RoomEvent = random.once(in: 2) ? .gift(user, room: room) : .wish(user, "w\(offset)", room: room)
      _ = log.apply(offset: Int64(offset), timestampMs: now, event: event, into: &batch)
    }
    #expect(batch.waits(.gift).count == batch.firstShows.count)
    #expect(batch.waits(.wish).count == batch.flights.count)
    let waits = batch.waits(.gift) + batch.waits(.wish)
    #expect(waits.allSatisfy { (0...4000).contains($0) } && waits.contains { $0 > 0 })
  }

  @Test func whatIsQueuedIsCountedInAllRoomsAndInTheLongestQueue() {
    var log = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    var offset: Int64 = 0
    func apply(_ event: RoomEvent) {
      _ = log.apply(offset: offset, timestampMs: 0, event: event, into: &batch)
      offset += 1
    }
    #expect(log.queued == QueuedItems() && log.liveRoomCount == 0)
    for user in ["a", "b", "c", "d"] { apply(.gift(user, room: "r1")) }
    for user in ["a", "b"] { apply(.gift(user, room: "r2")) }
    for user in ["a", "b", "c"] { apply(.wish(user, user, room: "r2")) }
    #expect((log.queued.gifts, log.queued.mostGifts) == (4, 3))
    #expect((log.queued.wishes, log.queued.mostWishes) == (2, 2))
    #expect(log.liveRoomCount == 2)
    _ = log.fireTimers(through: 200_000, into: &batch)
    #expect(log.queued == QueuedItems() && log.liveRoomCount == 0)
  }
}

extension CommandBatch {
  /// One that listens.
  fileprivate static var ofItems: CommandBatch {
    var batch = CommandBatch()
    batch.listening = .toItems
    return batch
  }

  fileprivate func waits(_ stage: Skipped.Stage) -> [Milliseconds] {
    decisions.compactMap { if case .drawn(stage, let ms) = $0 { ms } else { nil } }
  }

  /// The times at which views came, but for those that are shown again.
  fileprivate var firstShows: [LogTime] {
    commands.compactMap { if case .giftShow(let show) = $0.body, show.enterMs > 0 { $0.atMs } else { nil } }
  }

  fileprivate var flights: [LogTime] {
    commands.compactMap { if case .wishFly = $0.body { $0.atMs } else { nil } }
  }
}
