import RoomModel

extension WishStage {
  func write(at now: LogTime, _ rules: borrowing Rules, into state: inout StateWriter) {
    state.time(intervalEndsAt)
    state.time(nextStartAt)

    let flying = landings.items.sorted { banners[$0].age < banners[$1].age }
    state.number(Int64(flying.count))
    state.cut(around: flying.count)
    for slot in flying {
      let flight = banners[slot].flight
      banners[slot].write(into: &state)
      state.number(Int64(flight.track) * 2 + (flight.epoch >= rules.wishesSince ? 1 : 0))
      state.time(flight.startedAt)
      state.time(flight.landsAt)
      state.pace(banners[slot].pace)
    }
    state.cut(around: flying.count)

    let queued = line.items.sorted { banners[$0].age < banners[$1].age }
    state.number(Int64(queued.count))
    state.cut(around: queued.count)
    for slot in queued {
      banners[slot].write(into: &state)
      state.time(waits.key(of: slot).at)
    }
    state.cut(around: queued.count)
  }

  /// - Parameter epoch: that in which the state was written.
  mutating func read(from state: inout StateReader, epoch: Int64, _ rules: borrowing Rules) throws(StateError) {
    intervalEndsAt = try state.time(or: .min)
    nextStartAt = try state.time(or: .max)

    for _ in 0..<(try state.count()) {
      let slot = insert(try Banner(from: &state, seed: rules.seed))
      let word = try state.choice(of: 128)
      launch(
        slot,
        Banner.Flight(
          track: Int32(word / 2), startedAt: try state.time(), landsAt: try state.time(),
          // Of those that started under settings which had changed since, that is all that matters.
          epoch: word.isMultiple(of: 2) ? -1 : epoch))
      banners[slot].pace = try state.pace()
      awaitPace(of: slot)
    }

    for _ in 0..<(try state.count()) {
      let slot = insert(try Banner(from: &state, seed: rules.seed))
      enqueue(slot, waitEndsAt: try state.time())
    }
    guard line.isEmpty == (nextStartAt == .max) else { throw .damaged }
    setNextTimer()
  }
}

extension Banner {
  func write(into state: inout StateWriter) {
    for i in 0..<8 { state.text(texts[i]) }
    state.number(width)
    likers.write(into: &state)
  }

  init(from state: inout StateReader, seed: UInt64) throws(StateError) {
    let texts: InlineArray<8, Text> = [
      try state.text(), try state.text(), try state.text(), try state.text(), try state.text(), try state.text(),
      try state.text(), try state.text(),
    ]
    guard TextPack<8>.holds(texts) else { throw .damaged }
    let width = try state.choice(of: .max)
    let likers = try Likers(from: &state, seed: seed)
    self.init(texts: texts, hash: Banner.hash(seed, wishId: texts[0]), width: width, likers: likers)
  }
}
