import RoomModel

extension CrowdStage {
  func write(into state: inout StateWriter) {
    let slots = ages.items.sorted { crowds[$0].age < crowds[$1].age }
    state.number(Int64(slots.count))
    if slots.isEmpty { return }
    state.cut(around: slots.count)
    for slot in slots { crowds[slot].write(into: &state) }
    state.cut(around: slots.count)
    state.number(Int64(slots.firstIndex(of: shown)!))
    state.time(turnEndsAt)
    state.pace(pace)
    state.number(Int64(toldUsers.count))
    for i in 0..<toldUsers.count { state.text(toldUsers[i][0]) }
  }

  mutating func read(from state: inout StateReader, _ rules: borrowing Rules) throws(StateError) {
    let count = try state.count()
    if count == 0 { return }
    var slots: [Int32] = []
    for _ in 0..<count { slots.append(insert(try Crowd.read(from: &state, seed: rules.seed))) }
    let shown = slots[Int(try state.choice(of: Int64(count)))]
    let turnEndsAt = try state.time()
    let pace = try state.pace()
    var users = Block<TextPack<1>>()
    for _ in 0..<(try state.choice(of: Int64(CrowdShow.nameLimit) + 1)) {
      let userId = try state.text()
      guard TextPack<1>.holds([userId]) else { throw .damaged }
      users.append(TextPack([userId]))
    }
    resume(showing: shown, until: turnEndsAt, pace, toldUsers: users)
  }
}

extension Crowd {
  func write(into state: inout StateWriter) {
    for text in [receiverId, giftId, giftName, receiverName] { state.text(text) }
    state.number(value)
    state.number(offset)
    state.number(items)
    state.number(units)
    state.number(toldItems)
    state.number(toldUnits)
    state.time(untoldSince)
    state.number(Int64(names.count))
    for i in 0..<names.count {
      for text in 0..<3 { state.text(names[i].texts[text]) }
      state.number(Int64(truncatingIfNeeded: names[i].worth >> 62))
      state.number(Int64(truncatingIfNeeded: names[i].worth & (1 << 62 - 1)))
    }
  }

  static func read(from state: inout StateReader, seed: UInt64) throws(StateError) -> Crowd {
    let texts: InlineArray<4, Text> = [try state.text(), try state.text(), try state.text(), try state.text()]
    guard TextPack<4>.holds(texts) else { throw .damaged }
    let value = try state.choice(of: .max)
    var crowd = Crowd(
      texts: texts, value: value, offset: try state.number(),
      hash: hash(seed, receiverId: texts[0], giftId: texts[1]).value)
    crowd.items = try state.amount()
    crowd.units = try state.anyAmount()
    crowd.toldItems = try state.choice(of: crowd.items + 1)
    crowd.toldUnits = try state.anyAmount()
    guard crowd.toldUnits <= crowd.units else { throw .damaged }
    crowd.untoldSince = try state.time(or: .max)
    guard (crowd.untoldSince == .max) == (crowd.untoldItems == 0) else { throw .damaged }
    for _ in 0..<(try state.choice(of: Int64(CrowdShow.nameLimit) + 1)) {
      let texts: InlineArray<3, Text> = [try state.text(), try state.text(), try state.text()]
      guard TextPack<3>.holds(texts) else { throw .damaged }
      let sender = Sender(userId: texts[0], name: texts[1], avatarUrl: texts[2])
      let worth = UInt128(try state.anyAmount()) << 62 | UInt128(try state.amount())
      crowd.append(Name(sender, worth: worth))
    }
    return crowd
  }
}
