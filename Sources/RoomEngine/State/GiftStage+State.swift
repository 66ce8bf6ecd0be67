import RoomModel

extension GiftStage {
  func write(at now: LogTime, into state: inout StateWriter) {
    streaks.write(at: now, into: &state)

    state.number(Int64(lanes.takenCount))
    for lane in 0..<lanes.count {
      switch lanes[lane] {
      case .free:
        continue
      case .showing(let view):
        state.number(Int64(lane) * 2)
        combos[view.combo].write(into: &state)
        state.time(view.ticksAt)
        state.time(view.refreshesAt)
        state.time(view.turnEndsAt)
        state.time(view.leastEndsAt)
        state.time(view.holdEndsAt)
        state.number(view.tier)
        state.number(view.step)
      case .leaving(let combo, let freeAt):
        state.number(Int64(lane) * 2 + 1)
        combos[combo].write(into: &state)
        state.number(combos[combo].isTakenBack ? 1 : 0)
        state.time(freeAt)
      }
    }

    let queued = queue.slots.sorted { combos[$0].age < combos[$1].age }
    state.number(Int64(queued.count))
    state.cut(around: queued.count)
    for slot in queued {
      combos[slot].write(into: &state)
      state.time(queue.waitEnd(of: slot))
    }

    state.cut(around: queued.count)

    let resting = rests.items.sorted { (rests.key(of: $0).at, $0) < (rests.key(of: $1).at, $1) }
    state.number(Int64(resting.count))
    state.cut(around: resting.count)
    for slot in resting {
      combos[slot].write(into: &state)
      state.time(rests.key(of: slot).at)
    }
    state.cut(around: resting.count)
  }

  mutating func read(from state: inout StateReader, _ rules: borrowing Rules) throws(StateError) {
    try streaks.read(from: &state, seed: rules.seed)

    for _ in 0..<(try state.count()) {
      let word = try state.choice(of: 128)
      let lane = Int32(word / 2)
      guard case .free = lanes[lane] else { throw .damaged }
      if word.isMultiple(of: 2) {
        let slot = try readCombo(from: &state, seed: rules.seed)
        combos[slot].phase = .onLane(lane)
        lanes[lane] = .showing(try Lanes.View(of: slot, from: &state))
      } else {
        var combo = try Combo(from: &state, seed: rules.seed)
        combo.phase = .leaving
        combo.isTakenBack = try state.choice(of: 2) == 1
        let slot = combo.isTakenBack ? combos.insert(combo) : insert(combo)
        lanes[lane] = .leaving(combo: slot, freeAt: try state.time())
      }
    }

    for _ in 0..<(try state.count()) {
      let slot = try readCombo(from: &state, seed: rules.seed)
      enqueue(slot, waitEndsAt: try state.time(or: .max), rules)
    }

    for _ in 0..<(try state.count()) {
      let slot = try readCombo(from: &state, seed: rules.seed)
      rest(slot, until: try state.time())
    }
    setNextTimer()
  }

  private mutating func readCombo(from state: inout StateReader, seed: UInt64) throws(StateError) -> Int32 {
    insert(try Combo(from: &state, seed: seed))
  }
}

extension Lanes.View {
  fileprivate init(of combo: Int32, from state: inout StateReader) throws(StateError) {
    let ticksAt = try state.time()
    let refreshesAt = try state.time(or: .max)
    let turnEndsAt = try state.time(or: .max)
    let leastEndsAt = try state.time(or: .max)
    let holdEndsAt = try state.time(or: .max)
    let tier = try state.choice(of: Int64(GiftTiers.limit) + 1)
    let step = try state.choice(of: .max)
    self.init(
      combo: combo, ticksAt: ticksAt, refreshesAt: refreshesAt, turnEndsAt: turnEndsAt, leastEndsAt: leastEndsAt,
      tier: tier, step: step, holdEndsAt: holdEndsAt)
  }
}

extension Combo {
  func write(into state: inout StateWriter) {
    for i in 0..<8 { state.text(texts[i]) }
    state.number(value)
    state.number(holdMs)
    state.number(offset)
    state.number(total)
    state.number(gap)
    state.number(toldTier)
    state.number(isApart ? 1 : 0)
  }

  init(from state: inout StateReader, seed: UInt64) throws(StateError) {
    let texts: InlineArray<8, Text> = [
      try state.text(), try state.text(), try state.text(), try state.text(), try state.text(), try state.text(),
      try state.text(), try state.text(),
    ]
    guard TextPack<8>.holds(texts) else { throw .damaged }
    let value = try state.choice(of: .max)
    let holdMs = try state.choice(of: 1 << 31)
    let offset = try state.number()
    let total = try state.choice(of: .max)
    let gap = try state.choice(of: .max)
    let toldTier = try state.choice(of: Int64(GiftTiers.limit) + 1)
    let isApart = try state.choice(of: 2) == 1
    guard total >= gap else { throw .damaged }
    self.init(
      texts: texts, value: value, holdMs: holdMs, offset: offset,
      hash: Combo.hash(seed, userId: texts[0], receiverId: texts[1], giftId: texts[2]), isApart: isApart,
      total: total, shown: total - gap, toldTier: toldTier)
  }
}
