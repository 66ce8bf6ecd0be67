import RoomModel

extension SpotStage {
  func write(into state: inout StateWriter) {
    state.time(becomesFreeAt)
    if becomesFreeAt < .max {
      state.text(shown.spotId)
      state.text(shown.userId)
      state.number(shown.comboOffset)
      state.time(shown.endsAt)
    }
    let queued = waits.items.sorted { items[$0].age < items[$1].age }
    state.number(Int64(queued.count))
    state.cut(around: queued.count)
    for slot in queued {
      items[slot].write(into: &state)
      state.time(waits.key(of: slot).at)
    }
    state.cut(around: queued.count)
  }

  mutating func read(from state: inout StateReader, _ rules: borrowing Rules) throws(StateError) {
    becomesFreeAt = try state.time(or: .max)
    if becomesFreeAt < .max {
      let texts: InlineArray<2, Text> = [try state.text(), try state.text()]
      guard TextPack<2>.holds(texts) else { throw .damaged }
      let comboOffset = try state.number()
      shown = Shown(texts: TextPack(texts), comboOffset: comboOffset, endsAt: try state.time(or: .min))
    }
    for _ in 0..<(try state.count()) {
      let item = try SpotItem(from: &state, seed: rules.seed)
      // Nothing is queued while the spot is free.
      guard becomesFreeAt < .max, find(item.spotId, hash: item.hash) == nil else { throw .damaged }
      enqueue(item, waitEndsAt: try state.time())
    }
  }
}

extension SpotItem {
  func write(into state: inout StateWriter) {
    for i in 0..<12 { state.text(texts[i]) }
    state.number(comboOffset)
    state.number(value)
    state.number(total)
    state.number(tier)
    state.number(durationMs)
  }

  init(from state: inout StateReader, seed: UInt64) throws(StateError) {
    let texts: InlineArray<12, Text> = [
      try state.text(), try state.text(), try state.text(), try state.text(), try state.text(), try state.text(),
      try state.text(), try state.text(), try state.text(), try state.text(), try state.text(), try state.text(),
    ]
    guard TextPack<12>.holds(texts) else { throw .damaged }
    let comboOffset = try state.number()
    // An item of a combo begins with the combo's id.
    guard comboOffset >= -1, comboOffset < 0 || texts[0].bytes.contains(UInt8(ascii: "~")) else { throw .damaged }
    self.init(
      texts: texts, comboOffset: comboOffset, value: try state.choice(of: .max), total: try state.choice(of: .max),
      tier: try state.choice(of: Int64(GiftTiers.limit) + 1), durationMs: try state.choice(of: 1 << 31), seed: seed)
  }
}
