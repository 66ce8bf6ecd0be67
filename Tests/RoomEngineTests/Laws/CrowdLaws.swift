import RoomEngine
import RoomModel
import TestSupport
import Testing

/// Laws of every log of crowds and the spot, checked on its commands by other means than those of the engine.
struct CrowdLaws {
  private func play(_ inputs: [LogInput], _ settings: EngineSettings) -> [Copied] {
    var partition = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    var commands: [Copied] = []
    for input in inputs {
      partition.take(input, into: &batch)
      commands += batch.commands.map { Copied($0) }
      batch.removeAll()
    }
    return commands
  }

  /// A command, with texts of its own, and as far as laws look at it.
  private struct Copied {
    enum What {
      case crowdShow(Int64, units: Int64, names: [String])
      case crowdHide(Int64)
      case spotShow(String, durationMs: Milliseconds)
      case spotGone(String)
      case bump(Int64, Int64)
      case roomEnd
      case other
    }
    let room: String
    let at: LogTime
    let what: What

    init(_ command: RoomCommand) {
      room = command.roomId.description
      at = command.atMs
      what =
        switch command.body {
        case .crowdShow(let show):
          .crowdShow(show.crowdOffset, units: show.units, names: show.names.map(\.userId.description))
        case .crowdHide(let hide): .crowdHide(hide.crowdOffset)
        case .spotShow(let show): .spotShow(show.spotId.description, durationMs: show.durationMs)
        case .spotGone(let gone): .spotGone(gone.spotId.description)
        case .giftBump(let bump): .bump(bump.comboOffset, bump.count)
        case .roomEnd: .roomEnd
        default: .other
        }
    }
  }

  /// Never two items on the spot, and the gap is kept.
  @Test(arguments: 0..<80 as Range<UInt64>)
  func theSpotShowsOneAtATime(seed: UInt64) {
    let log = RandomLog(seed: seed, count: 400, changesSettings: false)
    var free: [String: LogTime] = [:]
    var shown: [String: String] = [:]
    var count = 0
    for command in play(log.inputs, log.settings) {
      switch command.what {
      case .spotShow(let id, let durationMs):
        #expect(free[command.room] ?? .min <= command.at)
        free[command.room] = command.at + durationMs + log.settings.spot.gapMs
        shown[command.room] = id
        count += 1
      case .spotGone(let id):
        #expect(shown[command.room] == id)
        free[command.room] = command.at + log.settings.spot.gapMs
        shown[command.room] = nil
      case .roomEnd: (free[command.room], shown[command.room]) = (nil, nil)
      default: break
      }
    }
    #expect(count > 0 || log.settings.spot.queueLimit == 0)
  }

  /// Each item that a platform sends for the spot is shown or skipped, once.
  @Test(arguments: 0..<50 as Range<UInt64>)
  func everyItemOfTheSpotIsShownOrSkipped(seed: UInt64) {
    let log = RandomLog(seed: seed, count: 400)
    var partition = PartitionLog(settings: log.settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    var sent: [String: Int64] = [:]
    for input in log.inputs {
      guard case .record(let offset, let timestampMs, var event?) = input else {
        partition.take(input, into: &batch)
        continue
      }
      // Combos come to the spot as well.
      if case .gift = event.body { continue }
      if case .spot(let arrived) = event.body {
        // So that none is ignored.
        var spot = arrived.whole
        spot.spotId = Text("s\(offset)")
        event.eventId = .empty
        event.body = .spot(Lent(forever: spot))
        sent[event.roomId.description, default: 0] += 1
      }
      partition.take(.record(offset: offset, timestampMs: timestampMs, event: event), into: &batch)
    }
    for command in batch.commands {
      switch command.body {
      case .spotShow: sent[command.roomId.description]! -= 1
      case .skipped(let skip) where skip.stage == .spot: sent[command.roomId.description]! -= skip.units
      default: break
      }
    }
    #expect(sent.values.allSatisfy { $0 == 0 })
  }

  /// A crowd that is hidden was shown, no other is shown in between without being told, and units never fall.
  @Test(arguments: 0..<80 as Range<UInt64>)
  func theBarShowsOneCrowdAtATime(seed: UInt64) {
    let log = RandomLog(seed: seed, count: 400, floods: seed % 2 == 1)
    var shown: [String: Int64] = [:]
    var units: [String: Int64] = [:]
    for command in play(log.inputs, log.settings) {
      switch command.what {
      case .crowdShow(let crowd, let told, let names):
        #expect(names.count <= 3 && Set(names).count == names.count)
        let key = "\(command.room) \(crowd)"
        #expect(units[key] ?? 0 <= told)
        units[key] = told
        shown[command.room] = crowd
      case .crowdHide(let crowd):
        #expect(shown.removeValue(forKey: command.room) == crowd)
      case .roomEnd: #expect(shown[command.room] == nil)
      default: break
      }
    }
    #expect(shown.isEmpty)
  }

  /// But for what retracts cause, shows are `paceMs` apart or, where that is shorter, a turn; and hides are a turn apart.
  /// So commands of the bar are at most 1000/`paceMs` + 1000/`showMs` a second, each rounded up.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func theBarIsNotRestless(seed: UInt64) {
    let log = RandomLog(seed: seed, count: 600, changesSettings: false, moderates: false, floods: true)
    let settings = log.settings.crowd
    var shownAt: [String: LogTime] = [:]
    var hiddenAt: [String: LogTime] = [:]
    for command in play(log.inputs, log.settings) {
      switch command.what {
      case .crowdShow:
        let before = shownAt.updateValue(command.at, forKey: command.room)
        #expect(command.at >= before.map { $0 + min(settings.paceMs, settings.showMs) } ?? command.at)
      case .crowdHide:
        let before = hiddenAt.updateValue(command.at, forKey: command.room)
        #expect(command.at >= before.map { $0 + settings.showMs } ?? command.at)
      default: break
      }
    }
  }

  /// A user who was taken back is not named, until a gift of theirs comes while they are not muted: neither in commands
  /// nor on the bar.
  @Test(arguments: 0..<80 as Range<UInt64>)
  func nobodyIsNamedWhoWasTakenBack(seed: UInt64) throws {
    let log = RandomLog(seed: seed, count: 500, floods: seed % 2 == 1)
    var partition = PartitionLog(settings: log.settings, hashSeed: 1, keepsChanges: true, log: "in/0")
    var states: [String: [UInt8]] = [:]
    var batch = CommandBatch()
    var gone: [String: LogTime] = [:]
    var bars: [String: [String]] = [:]
    for var input in log.inputs {
      if case .record(let offset, let timestampMs, var event?) = input {
        event.eventId = .empty
        input = .record(offset: offset, timestampMs: timestampMs, event: event)
        // A new owner knows whom the bar names by the state alone.
        if case .retract = event.body { partition = try handedOver(&partition, &states) }
      }
      partition.take(input, into: &batch)
      let now = partition.clock
      if case .record(_, _, let event?) = input {
        switch event.body {
        case .gift(let gift):
          let key = "\(event.roomId) \(gift.sender.userId)"
          if let until = gone[key], until <= now { gone[key] = nil }
        default: break
        }
      }
      for command in batch.commands {
        let room = command.roomId.description
        switch command.body {
        case .crowdShow(let show):
          bars[room] = show.names.map(\.userId.description)
          for name in bars[room]! { #expect(gone["\(room) \(name)"] == nil) }
        case .crowdHide: bars[room] = nil
        default: break
        }
      }
      batch.removeAll()
      // Timers that were due before it may have told them.
      if case .record(_, _, let event?) = input, case .retract(let retract) = event.body,
        case .user(let user, let muteMs) = retract.what
      {
        gone["\(event.roomId) \(user)"] = now + muteMs
        #expect(bars[event.roomId.description]?.contains(user.description) != true)
      }
    }
  }

  /// The partition of its next owner, from the states that are written of each room.
  ///
  /// - Parameter states: The state of each room that was written last.
  private func handedOver(
    _ old: inout PartitionLog, _ states: inout [String: [UInt8]]
  ) throws -> PartitionLog {
    var new = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: true, log: "in/0")
    new.resume(
      clock: old.clock, lastOffset: old.lastOffset, settings: old.settings, settingsEpoch: old.settingsEpoch)
    old.writeChanged(into: &states)
    try new.install(states)
    return new
  }

  /// Of each receiver and gift no more is drawn and told than was sent.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func noMoreIsToldThanWasSent(seed: UInt64) {
    let log = RandomLog(seed: seed, count: 400, floods: seed % 2 == 1)
    var partition = PartitionLog(settings: log.settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    var sent: [String: Int64] = [:]
    for input in log.inputs {
      if case .record(_, _, let event?) = input, case .gift(let gift) = event.body {
        // A streak brings no more than its count each time.
        sent["\(event.roomId) \(gift.receiverId) \(gift.giftId)", default: 0] += gift.count
      }
      partition.take(input, into: &batch)
    }
    var kinds: [String: String] = [:]
    var told: [String: Int64] = [:]
    for command in batch.commands {
      switch command.body {
      case .giftShow(let show):
        kinds["\(command.roomId) \(show.comboOffset)"] = "\(command.roomId) \(show.receiverId) \(show.giftId)"
      case .giftBump(let bump): told["lane \(command.roomId) \(bump.comboOffset)"] = bump.count
      case .crowdShow(let show):
        kinds["\(command.roomId) \(show.crowdOffset)"] = "\(command.roomId) \(show.receiverId) \(show.giftId)"
        told["bar \(command.roomId) \(show.crowdOffset)"] = show.units
      default: break
      }
    }
    var sums: [String: Int64] = [:]
    for (key, count) in told { sums[kinds[String(key.drop { $0 != " " }.dropFirst())]!, default: 0] += count }
    for (kind, sum) in sums { #expect(sum <= sent[kind] ?? 0, "\(kind)") }
  }

  /// A gift of tier 0 is told on a lane or in a bar in time, where there are enough crowds for all gifts.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func everyGiftIsToldInTime(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var settings = EngineSettings()
    settings.gift.queueLimit = random.one(of: [0, 2, 10])
    settings.gift.maxWaitMs = random.one(of: [500, 5000])
    settings.crowd.showMs = random.one(of: [500, 3000])
    settings.crowd.waitMs = random.one(of: [0, 4000])
    settings.crowd.kinds = 8
    let limit = settings.gift.maxWaitMs + settings.crowd.waitMs + settings.crowd.kinds * settings.crowd.showMs
    var log = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    var clock: LogTime = 0
    // The gifts that have come, and when.
    var sent: [(at: LogTime, gift: Int64)] = []
    for offset in 0..<2000 as Range<Int64> {
      clock += random.number(0...40)
      let gift = random.number(0...7)
      sent.append((clock, gift))
      // Each user sends once, so that a combo is one gift.
      _ = log.apply(offset: offset, timestampMs: clock, event: .gift("u\(offset)", "g\(gift)", value: 1), into: &batch)
    }
    _ = log.fireTimers(through: .max - 1, into: &batch)
    var told: [Int64: [(at: LogTime, count: Int64)]] = [:]
    var gifts: [Int64: Int64] = [:]
    var crowds: [Int64: Int64] = [:]
    for command in batch.commands {
      switch command.body {
      case .giftShow(let show): gifts[show.comboOffset] = Int64(show.giftId.description.dropFirst())
      case .giftBump(let bump): told[gifts[bump.comboOffset]!, default: []].append((command.atMs, 1))
      case .crowdShow(let show):
        let more = show.units - (crowds[show.crowdOffset] ?? 0)
        crowds[show.crowdOffset] = show.units
        told[Int64(show.giftId.description.dropFirst())!, default: []].append((command.atMs, more))
      default: break
      }
    }
    for gift in 0..<8 as Range<Int64> {
      // By any time, what came longer ago than the limit has been told, with the time that a lane takes to count.
      var came = 0
      for (at, kind) in sent where kind == gift {
        came += 1
        let deadline = at + limit + settings.gift.enterMs + settings.gift.tickMs
        let byThen = told[gift, default: []].reduce(0 as Int64) { $0 + ($1.at <= deadline ? $1.count : 0) }
        #expect(byThen >= Int64(came))
      }
    }
  }
}
