import RoomEngine
import RoomModel
import TestSupport
import Testing

/// Laws of every log, checked on what is drawn, by other means than those of the engine.
struct ScreenLaws {
  private struct ComboKey: Hashable {
    var room: String
    var offset: Int64
  }

  private func play(_ log: RandomLog, _ body: (borrowing CommandBatch) throws -> Void) rethrows {
    var partition = PartitionLog(settings: log.settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    for input in log.inputs { partition.take(input, into: &batch) }
    try body(batch)
  }

  /// Gifts are neither duplicates nor parts of streaks, so that it is plain how many were sent.
  private func plainGifts(in log: RandomLog) -> [LogInput] {
    log.inputs.map {
      guard case .record(let offset, let timestampMs, var event?) = $0, case .gift(let sent) = event.body else {
        return $0
      }
      var gift = sent.whole
      gift.streakId = .empty
      event.eventId = .empty
      event.body = .gift(Lent(forever: gift))
      return .record(offset: offset, timestampMs: timestampMs, event: event)
    }
  }

  /// At every moment the gifts of a room that were drawn, told with a crowd or told as skipped, and those that wait for
  /// one of these, are the gifts that were sent. In the end none waits.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func everyGiftIsDrawnToldOrSkipped(seed: UInt64) {
    let log = RandomLog(seed: seed, count: 300, floods: seed % 2 == 1)
    var partition = PartitionLog(settings: log.settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    var sent: [String: Int64] = [:]
    var drawn: [ComboKey: Int64] = [:]
    var told: [ComboKey: Int64] = [:]
    var known: [String: Int64] = [:]
    for input in plainGifts(in: log) {
      if case .record(_, _, let event?) = input, case .gift(let gift) = event.body {
        sent[event.roomId.description, default: 0] += gift.count
      }
      partition.take(input, into: &batch)
      for command in batch.commands {
        let room = command.roomId.description
        switch command.body {
        case .giftBump(let bump):
          let before = drawn.updateValue(bump.count, forKey: ComboKey(room: room, offset: bump.comboOffset)) ?? 0
          known[room, default: 0] += bump.count - before
        case .crowdShow(let show):
          let before = told.updateValue(show.units, forKey: ComboKey(room: room, offset: show.crowdOffset)) ?? 0
          known[room, default: 0] += show.units - before
        case .skipped(let skip) where skip.stage == .gift: known[room, default: 0] += skip.units
        default: break
        }
      }
      batch.removeAll()
      for (room, count) in sent {
        #expect(known[room, default: 0] + waitingGifts(in: partition.picture(of: Text(room))) == count)
      }
    }
    #expect(sent.allSatisfy { known[$0.key] == $0.value })
  }

  private func waitingGifts(in picture: RoomPicture) -> Int64 {
    let combos = picture.lanes.compactMap { $0 } + picture.queue
    let skips = picture.untoldSkips.filter { $0.stage == .gift }
    return combos.reduce(0) { $0 + $1.gap } + picture.crowds.reduce(0) { $0 + $1.untoldUnits }
      + skips.reduce(0) { $0 + $1.units }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func everyWishFliesOrIsSkipped(seed: UInt64) {
    let log = RandomLog(seed: seed, count: 300)
    var partition = PartitionLog(settings: log.settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    var sent: [String: Int64] = [:]
    for input in log.inputs {
      guard case .record(let offset, let timestampMs, var event?) = input, case .wish(let arrived) = event.body else {
        partition.take(input, into: &batch)
        continue
      }
      // So that none is ignored, or a like of another.
      var wish = arrived.whole
      wish.wishId = Text("w\(offset)")
      wish.style = wish.wishId
      event.eventId = .empty
      event.body = .wish(Lent(forever: wish))
      sent[event.roomId.description, default: 0] += 1
      partition.take(.record(offset: offset, timestampMs: timestampMs, event: event), into: &batch)
    }
    for command in batch.commands {
      switch command.body {
      case .wishFly: sent[command.roomId.description]! -= 1
      case .skipped(let skip) where skip.stage == .wish: sent[command.roomId.description]! -= skip.units
      default: break
      }
    }
    #expect(sent.values.allSatisfy { $0 == 0 })
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func whereAllFindLanesEveryComboIsDrawnToItsEnd(seed: UInt64) {
    let log = RandomLog(seed: seed, count: 200, expires: false)
    play(log) { batch in
      guard
        !batch.commands.contains(where: { command in
          switch command.body {
          case .skipped(let skip): skip.stage == .gift
          case .crowdShow: true
          default: false
          }
        })
      else { return }
      var total: [ComboKey: Int64] = [:]
      var drawn: [ComboKey: Int64] = [:]
      for command in batch.commands {
        let room = command.roomId.description
        switch command.body {
        case .giftShow(let show): total[ComboKey(room: room, offset: show.comboOffset)] = show.total
        case .giftHide(let hide): drawn[ComboKey(room: room, offset: hide.comboOffset)] = hide.count
        default: break
        }
      }
      #expect(Set(total.keys) == Set(drawn.keys))
      for (combo, count) in total { #expect(drawn[combo]! >= count) }
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func aLaneNeverHasTwoViewsAndCountsOnlyGrow(seed: UInt64) {
    struct Lane: Hashable {
      var room: String
      var lane: Int64
    }
    play(RandomLog(seed: seed, count: 300)) { batch in
      var showing: [Lane: Lent<GiftShow>] = [:]
      var freeAt: [Lane: LogTime] = [:]
      var count: [ComboKey: Int64] = [:]
      for command in batch.commands {
        let room = command.roomId.description
        switch command.body {
        case .giftShow(let show):
          let lane = Lane(room: room, lane: show.lane)
          if let before = showing[lane] {
            #expect(before.comboOffset == show.comboOffset && show.enterMs == 0, "a refresh of what is there")
          } else {
            #expect(freeAt[lane] ?? .min <= command.atMs, "the view before has left")
          }
          #expect(show.from == count[ComboKey(room: room, offset: show.comboOffset)] ?? 0)
          #expect(show.from <= show.total)
          showing[lane] = show
        case .giftBump(let bump):
          let combo = ComboKey(room: room, offset: bump.comboOffset)
          #expect(showing[Lane(room: room, lane: bump.lane)]?.comboOffset == bump.comboOffset)
          #expect(bump.count > count[combo] ?? 0)
          count[combo] = bump.count
        case .giftHide(let hide):
          let lane = Lane(room: room, lane: hide.lane)
          #expect(showing.removeValue(forKey: lane)?.comboOffset == hide.comboOffset)
          freeAt[lane] = command.atMs + hide.exitMs
        case .roomEnd:
          #expect(!showing.keys.contains { $0.room == room })
          freeAt = freeAt.filter { $0.key.room != room }
        default: break
        }
      }
      #expect(showing.isEmpty)
    }
  }

  /// With *W* the stage's width, a banner of width *a* that started at *s* has come (*W* + *a*)(*t* - *s*) / *D* far. Its
  /// tail is at *W* + *a* less that, the next one's head at *W* less its own way, and between them is the gap for as long
  /// as both fly: at the first moment and at the last, so always.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func aBannerNeverComesNearerThanTheGapToTheOneBefore(seed: UInt64) {
    struct Track: Hashable {
      var room: String
      var track: Int64
    }
    let log = RandomLog(seed: seed, count: 400, changesSettings: false)
    let stage = log.settings.wish.stageWidth
    let gap = log.settings.wish.gap
    play(log) { batch in
      var last: [Track: (start: LogTime, fly: Lent<WishFly>)] = [:]
      for command in batch.commands {
        if case .roomEnd = command.body { last = last.filter { $0.key.room != command.roomId.description } }
        guard case .wishFly(let fly) = command.body else { continue }
        let track = Track(room: command.roomId.description, track: fly.track)
        if let before = last[track] {
          let crossing = fly.durationMs
          for time in [command.atMs, before.start + crossing] where time >= command.atMs {
            let ahead = (stage + before.fly.width) * (time - before.start) - (before.fly.width + gap) * crossing
            #expect(ahead >= (stage + fly.width) * (time - command.atMs))
          }
        }
        last[track] = (command.atMs, fly)
      }
    }
  }

  @Test func aFloodGivesNoMoreCommandsThanLanesAndTicksAllow() {
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    var random = SplitMix64(seed: 1)
    let count: Int64 = 20_000
    for offset in 0..<count {
      let gift = RoomEvent.gift("u\(random.number(0...2999))", random.one(of: ["rose", "car"]))
      _ = log.apply(offset: offset, timestampMs: offset / 20, event: gift, into: &batch)
    }
    // Two lanes: a view each, and a bump each 300 ms; the bar at once and a second later.
    #expect(batch.commands.count <= 2 * (1 + 1000 / 300) + 2)
    _ = log.fireTimers(through: .max - 1, into: &batch)
    var drawn: [Int64: Int64] = [:]
    var skipped: Int64 = 0
    var told: [Int64: Int64] = [:]
    for command in batch.commands {
      if case .crowdShow(let show) = command.body { told[show.crowdOffset] = show.units }
      if case .giftBump(let bump) = command.body { drawn[bump.comboOffset] = bump.count }
      if case .skipped(let skip) = command.body { skipped += skip.units }
    }
    #expect(drawn.values.reduce(0, +) + told.values.reduce(0, +) + skipped == count)
  }
}
