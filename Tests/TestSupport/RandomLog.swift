package import RoomEngine
package import RoomModel

/// One input of a partition.
package enum LogInput {
  case record(offset: Int64, timestampMs: LogTime, event: RoomEvent?)
  /// The log is idle: timers fire up to then.
  case idle(through: LogTime)
  case settings(EngineSettings)
}

extension PartitionLog {
  package mutating func take(_ input: LogInput, into batch: inout CommandBatch) {
    switch input {
    case .record(let offset, let timestampMs, let event):
      _ = apply(offset: offset, timestampMs: timestampMs, event: event, into: &batch)
    case .idle(let time):
      _ = fireTimers(through: time, into: &batch)
    case .settings(let settings):
      change(to: settings)
    }
  }
}

/// A crowd in a few rooms, from a seed: gifts, streaks, wishes and likes, taps, rains and grabs, items of the spot, pins, goals and
/// their scores, some late, some twice, some
/// broken, now and then something is taken back, a room ends or has settings of its own, the log is idle or other settings
/// come, mostly strange ones.
package struct RandomLog {
  package let settings: EngineSettings
  package private(set) var inputs: [LogInput] = []
  private var random: SplitMix64
  private var clock: LogTime = 1_700_000_000_000
  private var offset: Int64 = 0

  private let moderates: Bool
  private let setsRooms: Bool
  private let floods: Bool

  /// - Parameters:
  ///   - count: of its entries.
  ///   - changesSettings: now and then.
  ///   - expires: Queues and waits have limits that are soon reached.
  ///   - moderates: Users, wishes, combos and items of the spot are taken back, and rooms end.
  ///   - setsRooms: Rooms have settings of their own; nil: if settings change.
  ///   - floods: Most are gifts, in quick succession, and lanes are few: most of them join crowds.
  package init(
    seed: UInt64, count: Int, changesSettings: Bool = true, expires: Bool = true, moderates: Bool = true,
    setsRooms: Bool? = nil, floods: Bool = false
  ) {
    self.moderates = moderates
    self.floods = floods
    self.setsRooms = setsRooms ?? changesSettings
    random = SplitMix64(seed: seed)
    var settings = EngineSettings()
    if floods {
      settings.gift.lanes = 1
      settings.gift.queueLimit = random.one(of: [0, 1, 3])
      settings.crowd.showMs = random.one(of: [300, 1000, 3000])
      settings.crowd.paceMs = random.one(of: [100, 400, 1000])
    }
    for _ in 0..<random.number(0...(floods ? 3 : 8)) { Self.vary(&settings, &random, expires: expires) }
    if random.once(in: 2) { settings.rain.fallMinMs = 20_000 }
    self.settings = settings
    let pace: Int64 = random.one(of: floods ? [5, 40, 150] : [5, 40, 300, 2000])
    for _ in 0..<count {
      if changesSettings, random.once(in: 30) {
        if random.once(in: 3) { settings = self.settings }
        Self.vary(&settings, &random, expires: expires)
        inputs.append(.settings(settings))
      } else if random.once(in: 12) {
        let time = clock + random.number(0...5000)
        inputs.append(.idle(through: time))
        if random.once(in: 2) { clock = time }
      } else {
        addRecord(pace: pace)
      }
    }
    inputs.append(.idle(through: clock + 4_000_000_000))
  }

  private mutating func addRecord(pace: Int64) {
    clock += random.number(0...2 * pace)
    offset += random.one(of: [1, 1, 1, 3])
    let late = random.once(in: 10) ? random.number(0...3000) : 0
    inputs.append(
      .record(offset: offset, timestampMs: clock - late, event: random.once(in: 30) ? nil : event()))
  }

  private mutating func event() -> RoomEvent {
    let id = random.once(in: 5) ? "" : "e\(random.once(in: 8) ? random.number(0...offset) : offset)"
    let room = random.one(of: ["r1", "r2", "r3"])
    let user = random.one(of: ["0", "1", "2", "3", "u4", "u5", "18446744073709551616"])
    if moderates, random.once(in: 25) { return moderation(id, room, user) }
    if setsRooms, random.once(in: 40) { return ownSettings(id, room) }
    switch floods && random.once(in: 2) ? 0 : random.number(0...24) {
    case 10...11:
      return .tap(user, x: random.number(0...999), y: random.number(0...999), id: id, room: room)
    case 12...13: return rain(id, random.one(of: ["r1", room]))
    case 14...17:
      return .grab(
        random.one(of: ["1", "2", user]), rainId, random.number(0...random.one(of: [1, 2, 5, 40])), id: id,
        room: random.one(of: ["r1", room]))
    case 19:
      return .taps(
        user, random.one(of: ["a", "b", "c", "d", "e"]), random.number(1...random.one(of: [5, 40, 400])),
        points: [Point(x: 1, y: 2), Point(x: 3, y: 4)], id: id, room: room)
    case 20:
      return .pin(
        user, "p\(max(0, offset - random.number(0...3)))", value: random.one(of: [0, 5, 500]),
        first: random.once(in: 5), durationMs: random.one(of: [0, 1000, 5000, 90_000]), id: id, room: room)
    case 21...22: return goal(id, room)
    case 23...24:
      return .score(
        "g\(random.number(0...4))", random.one(of: ["", "host", "b"]),
        random.one(of: [0, 1, 700, 9_000_000_000_000_000]), id: id, room: room)
    case 18:
      return .spot(
        user, random.one(of: ["s\(max(0, offset - random.number(0...3)))", "in/0/\(max(0, offset - 2))~1"]),
        value: random.one(of: [0, 5, 1_000_000_000]), durationMs: random.one(of: [0, 0, 100, 5000]),
        extra: random.one(of: ["", "x"]), id: id, room: room)
    case 0...5:
      return .gift(
        user, random.one(of: ["rose", "car"]), count: random.one(of: [1, 1, 1, 5, 99, 1000]),
        value: random.one(of: [0, 1, 10, 1_000_000_000]), to: random.one(of: ["", "", "host"]),
        streak: random.one(of: ["", "", "s1", "s2"]), apart: random.once(in: 6),
        hold: random.one(of: [0, 0, 0, 0, 1, 700]), id: id, room: room)
    case 6...7:
      let text = random.one(of: ["hi", "生日快乐", "x🇨🇳🇨🇳🇨🇳", String(repeating: "w", count: 70), "e\u{301}\u{301}"])
      return .wish(user, "w\(random.number(max(0, offset - 5)...offset))", text, id: id, room: room)
    default:
      return .like(user, "w\(random.number(max(0, offset - 20)...offset))", id: id, room: room)
    }
  }

  private mutating func moderation(_ id: String, _ room: String, _ user: String) -> RoomEvent {
    switch random.number(0...12) {
    case 11: return .takeBack(pin: "p\(random.number(max(0, offset - 12)...offset + 3))", id: id, room: room)
    case 12: return .takeBack(goal: "g\(random.number(0...4))", id: id, room: room)
    case 9: return .takeBack(spot: "s\(random.number(max(0, offset - 6)...offset + 3))", id: id, room: room)
    case 10:
      return .takeBack(
        spot: "in/0/\(random.number(max(0, offset - 9)...offset))~\(random.number(1...2))", id: id, room: room)
    case 0...3: return .takeBack(user: user, muteMs: random.one(of: [0, 0, 500, 5000]), id: id, room: room)
    case 4...5: return .takeBack(wish: "w\(random.number(max(0, offset - 12)...offset + 3))", id: id, room: room)
    case 6...7: return .takeBack(combo: "in/0/\(random.number(max(0, offset - 15)...offset))", id: id, room: room)
    default: return .end(id: id, room: room)
    }
  }

  private mutating func ownSettings(_ id: String, _ room: String) -> RoomEvent {
    var set: [String: String] = [:]
    for _ in 0..<random.number(0...3) {
      switch random.number(0...17) {
      case 15: set["like.most"] = random.one(of: ["0", "3", "1000"])
      case 16: set["goal.paceMs"] = random.one(of: ["100", "2000"])
      case 17: set["pin.durationMs"] = random.one(of: ["1000", "30000"])
      case 10: set["wish.mergeMs"] = random.one(of: ["0", "700", "9000"])
      case 11: set["wish.intervalMs"] = random.one(of: ["0", "5000"])
      case 12: set["spot.tier"] = random.one(of: ["0", "1", "2"])
      case 13: set["crowd.showMs"] = random.one(of: ["100", "5000"])
      case 14: set["crowd.waitMs"] = random.one(of: ["0", "900"])
      case 0: set["gift.lanes"] = random.one(of: ["1", "3", "8"])
      case 1: set["gift.placement"] = random.one(of: ["byUser", "bottomFirst"])
      case 2: set["gift.order"] = random.one(of: ["tier", "fifo", "value"])
      case 3: set["gift.tiers"] = random.one(of: ["", "1:0", "10:1,1000:0", "500:2000,5000:4000"])
      case 4: set["gift.leastMs"] = random.one(of: ["0", "1", "700"])
      case 5: set["gift.turnMs"] = random.one(of: ["0", "500"])
      case 6: set["wish.tracks"] = random.one(of: ["1", "2", "5"])
      case 7: (set["wish.gap"], set["wish.stageWidth"]) = ("10", random.one(of: ["200", "375"]))
      case 8: set["like.paceMs"] = random.one(of: ["100", "900"])
      default: set["rain.tallyMs"] = random.one(of: ["100", "4000"])
      }
    }
    return .own(
      set.sorted { $0.key < $1.key }, forMs: random.one(of: [1, 800, 6000, 1_000_000_000]), id: id, room: room)
  }

  private mutating func goal(_ id: String, _ room: String) -> RoomEvent {
    let sides: [String] = random.one(of: [[], [], ["host", "b"], ["", "host", "b"].filter { !$0.isEmpty } + ["c"]])
    let by: Goal.By = random.one(of: sides.isEmpty ? [.value, .units, .likes, .none] : [.value, .units, .none])
    return .goal(
      "g\(random.number(0...4))", random.one(of: ["", "ten roses"]), by: by, gift: random.one(of: ["", "", "rose"]),
      to: sides.isEmpty ? random.one(of: ["", "", "host"]) : "", target: random.one(of: [0, 1, 50, 5000]), sides: sides,
      home: sides.isEmpty ? "" : random.one(of: ["", "b"]), durationMs: random.one(of: [0, 1000, 4000, 60_000]), id: id,
      room: room)
  }

  /// They come again, and after a while others do.
  private var rainId: String { mutating get { "rain\(max(0, offset / 80 - (random.once(in: 4) ? 1 : 0)))" } }

  private mutating func rain(_ id: String, _ room: String) -> RoomEvent {
    let prizes = (0..<random.one(of: [0, 0, 2, 9])).map { _ -> Int64 in
      random.one(of: [0, 1, 70, 1_000_000_000])
    }
    let (durationMs, perSecond): (Milliseconds, Int64) = random.one(
      of: [(0, 4), (900, 30), (3000, 7), (9000, 4), (20_000, 1)])
    return .rain(
      rainId, durationMs: durationMs, perSecond: perSecond, countdown: random.one(of: [0, 1, 5]),
      budget: random.one(of: [0, 7, 100, 1_000_000_000_000_000]), winEvery: random.one(of: [1, 3, 10]), prizes: prizes,
      id: id, room: room)
  }

  private static func vary(_ settings: inout EngineSettings, _ random: inout SplitMix64, expires: Bool) {
    if random.once(in: 3) { return varyLikesAndRains(&settings, &random) }
    if random.once(in: 6) { return varyPinsAndGoals(&settings, &random) }
    if random.once(in: 6) { return varyTiers(&settings, &random) }
    if random.once(in: 4) { return varySpotAndCrowds(&settings, &random) }
    switch random.number(0...(expires ? 20 : 14)) {
    case 0: settings.gift.lanes = random.one(of: [1, 3, 5, 64])
    case 1: settings.gift.placement = random.one(of: [.bottomFirst, .byUser])
    case 2: settings.gift.order = random.one(of: [.tier, .fifo, .value])
    case 3: settings.gift.enterMs = random.one(of: [0, 250])
    case 4: settings.gift.tickMs = random.one(of: [10, 100, 300])
    case 5: settings.gift.holdMs = random.one(of: [0, 200, 5000])
    case 6: settings.gift.exitMs = random.one(of: [0, 250, 2000])
    case 7: settings.gift.comboWindowMs = random.one(of: [0, 500, 3000])
    case 8: settings.gift.catchUpTicks = random.one(of: [0, 1, 3, 10])
    case 9: settings.gift.turnMs = random.one(of: [0, 1, 500, 2000])
    case 10: settings.gift.refreshMs = random.one(of: [0, 1, 600, 3000])
    case 11: settings.gift.streakMs = random.one(of: [0, 1000, 9000])
    case 12: settings.wish.tracks = random.one(of: [1, 2, 5, 64])
    case 13: settings.wish.durationMs = random.one(of: [1, 1000, 6000])
    case 14: settings.wish.likesMs = random.one(of: [0, 50, 5000])
    case 15: settings.gift.queueLimit = random.one(of: [0, 1, 3, 10])
    case 16: settings.gift.maxWaitMs = random.one(of: [0, 100, 1500, 9000])
    case 17: settings.wish.intervalMs = random.one(of: [0, 300, 9000])
    case 18: settings.wish.queueLimit = random.one(of: [0, 1, 3, 30])
    case 19: settings.wish.maxWaitMs = random.one(of: [0, 800, 5000])
    default: settings.wish.maxLength = random.one(of: [2, 5, 60])
    }
  }

  private static func varyTiers(_ settings: inout EngineSettings, _ random: inout SplitMix64) {
    switch random.number(0...2) {
    case 0: settings.gift.leastMs = random.one(of: [0, 1, 300, 2000])
    case 1:
      settings.gift.tiers = GiftTiers(
        Text(random.one(of: ["", "1:0", "10:5,990:1000,1000000000:3000", "1000000000000:9000"])))!
    default: settings.rain.limit = random.one(of: [0, 1, 2])
    }
  }

  private static func varyPinsAndGoals(_ settings: inout EngineSettings, _ random: inout SplitMix64) {
    switch random.number(0...8) {
    case 0: settings.pin.limit = random.one(of: [0, 1, 3, 20])
    case 1: settings.pin.durationMs = random.one(of: [1000, 7000])
    case 2: settings.pin.refreshMs = random.one(of: [1000, 2500])
    case 3: settings.goal.limit = random.one(of: [0, 1, 2, 16])
    case 4: settings.goal.paceMs = random.one(of: [100, 900])
    case 5: settings.goal.refreshMs = random.one(of: [1000, 3000])
    case 6: settings.goal.graceMs = random.one(of: [0, 500, 5000])
    case 7: settings.like.most = random.one(of: [0, 2, 1000])
    default: settings.like.runMs = random.one(of: [0, 900, 9000])
    }
  }

  private static func varySpotAndCrowds(_ settings: inout EngineSettings, _ random: inout SplitMix64) {
    switch random.number(0...10) {
    case 0: settings.spot.tier = random.one(of: [0, 1, 2, 16])
    case 1: settings.spot.durationMs = random.one(of: [100, 900, 9000])
    case 2: settings.spot.gapMs = random.one(of: [0, 300, 4000])
    case 3: settings.spot.queueLimit = random.one(of: [0, 1, 4])
    case 4: settings.spot.maxWaitMs = random.one(of: [0, 700, 20_000])
    case 5: settings.crowd.kinds = random.one(of: [0, 1, 2, 64])
    case 6: settings.crowd.showMs = random.one(of: [100, 1000, 8000])
    case 7: settings.crowd.paceMs = random.one(of: [100, 700, 4000])
    case 8: settings.crowd.waitMs = random.one(of: [0, 1000, 20_000])
    case 9: settings.gift.queueLimit = random.one(of: [0, 1, 2])
    default: settings.wish.mergeMs = random.one(of: [0, 1, 800, 30_000])
    }
  }

  private static func varyLikesAndRains(_ settings: inout EngineSettings, _ random: inout SplitMix64) {
    switch random.number(0...8) {
    case 0: settings.like.doubleTapMs = random.one(of: [0, 300, 5000])
    case 1: settings.like.streakMs = random.one(of: [0, 1000, 9000])
    case 2: settings.like.paceMs = random.one(of: [0, 200, 4000])
    case 3: settings.like.maxPoints = random.one(of: [0, 1, 16])
    case 4: settings.rain.fallMinMs = random.one(of: [0, 100, 3500])
    case 5: settings.rain.fallSpreadMs = random.one(of: [10, 19, 2000])
    case 6: settings.rain.tallyMs = random.one(of: [0, 500, 9000])
    case 7: settings.rain.graceMs = random.one(of: [0, 500, 4000])
    default: settings.rain.rememberMs = random.one(of: [0, 800, 30_000, 86_400_000])
    }
  }
}
