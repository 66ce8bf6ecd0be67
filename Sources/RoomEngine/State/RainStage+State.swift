import RoomModel

extension RainStage {
  func write(at now: LogTime, into state: inout StateWriter) {
    ids.write(at: now, into: &state)
    let slots = slots
    state.number(Int64(slots.count))
    state.cut(around: slots.count)
    for slot in slots { rains[slot].write(into: &state) }
    state.cut(around: slots.count)
  }

  mutating func read(from state: inout StateReader, _ rules: borrowing Rules) throws(StateError) {
    try ids.read(from: &state, seed: rules.seed)
    for _ in 0..<(try state.count()) {
      let rain = try RoomRain.read(from: &state, seed: rules.seed)
      ids.runs(rain.rainId, seed: rules.seed)
      _ = insert(rain)
    }
  }
}

extension RoomRain {
  func write(into state: inout StateWriter) {
    state.text(rainId)
    state.text(extra)
    state.time(packets.startsAt)
    state.number(packets.stepMs)
    state.number(packets.count)
    state.number(packets.fallMinMs)
    state.number(packets.fallSpreadMs)
    state.number(durationMs)
    state.number(graceMs)
    state.number(tallyMs)
    state.time(endsAt)
    state.number(left)
    prizes.write(into: &state)
    state.number(dropped)
    state.number(opened)
    state.number(winners)
    state.number(coins)
    state.pace(pace)
    openers.write(into: &state)
  }

  static func read(from state: inout StateReader, seed: UInt64) throws(StateError) -> RoomRain {
    let rainId = try state.text()
    let extra = try state.text()
    guard TextPack<2>.holds([rainId, extra]) else { throw .damaged }
    let packets = RainPackets(
      seed: fnv1a(rainId.bytes), startsAt: try state.time(), stepMs: try state.choice(of: 1001),
      count: try state.choice(of: RainPackets.limit), fallMinMs: try state.choice(of: 1 << 31),
      fallSpreadMs: try state.choice(of: 1 << 31))
    guard packets.fallSpreadMs >= 10 else { throw .damaged }
    let durationMs = try state.choice(of: 1 << 31)
    let graceMs = try state.choice(of: 1 << 31)
    let tallyMs = try state.choice(of: 1 << 31)
    let endsAt = try state.time()
    let left = try state.choice(of: 61)
    var rain = RoomRain(
      rainId, extra: extra, hash: hash(seed, rainId: rainId), packets, durationMs: durationMs, graceMs: graceMs,
      tallyMs: tallyMs, endsAt: endsAt, left: left, try Prizes(from: &state))
    rain.dropped = try state.choice(of: packets.count + 1)
    rain.opened = try state.amount()
    rain.winners = try state.amount()
    rain.coins = try state.amount()
    rain.pace = try state.pace()
    rain.openers = try Openers(from: &state, seed: seed)
    return rain
  }
}
