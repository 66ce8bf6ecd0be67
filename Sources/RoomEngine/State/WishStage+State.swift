import RoomModel

extension WishStage {
  func write(at now: LogTime, into state: inout StateWriter) {
    state.time(lastStartAt)
    state.time(intervalEndsAt)
    state.time(nextStartAt)
    tracks.write(at: now, into: &state)

    let flying = landings.items.sorted { banners[$0].age < banners[$1].age }
    state.number(Int64(flying.count))
    state.cut(around: flying.count)
    for slot in flying {
      let flight = banners[slot].flight
      banners[slot].write(into: &state)
      state.number(Int64(flight.track))
      state.time(flight.startedAt)
      state.time(flight.landsAt)
      state.pace(banners[slot].pace)
    }
    state.cut(around: flying.count)

    let queued = queue.items.sorted { banners[$0].age < banners[$1].age }
    state.number(Int64(queued.count))
    state.cut(around: queued.count)
    for slot in queued {
      banners[slot].write(into: &state)
      state.time(waits.key(of: slot).at)
    }
    state.cut(around: queued.count)
  }

  mutating func read(from state: inout StateReader, _ rules: borrowing Rules) throws(StateError) {
    let lastStartAt = try state.time(or: .min)
    setLastStart(lastStartAt, intervalEndsAt: try state.time(or: .min))
    nextStartAt = try state.time(or: .max)
    try tracks.read(from: &state)

    for _ in 0..<(try state.count()) {
      let slot = insert(try RoomWish(from: &state, seed: rules.seed))
      let track = Int32(try state.choice(of: 64))
      let flight = RoomWish.Flight(track: track, startedAt: try state.time(), landsAt: try state.time())
      launch(slot, flight)
      banners[slot].pace = try state.pace()
      awaitPace(of: slot)
    }

    for _ in 0..<(try state.count()) {
      let slot = insert(try RoomWish(from: &state, seed: rules.seed))
      enqueue(slot, waitEndsAt: try state.time())
    }
    guard queue.isEmpty == (nextStartAt == .max) else { throw .damaged }
    setNextTimer()
  }
}

extension Tracks {
  /// Writes the tracks that are not free for everybody: banners fly there, or were taken back and would.
  func write(at now: LogTime, into state: inout StateWriter) {
    let taken = (0..<tracks.count).filter { tracks[$0].landedAt > now }
    state.number(Int64(taken.count))
    for track in taken {
      state.number(Int64(track) * 2 + (tracks[track].isClosed ? 1 : 0))
      state.time(tracks[track].startedAt)
      state.time(tracks[track].landedAt)
      state.number(tracks[track].width)
    }
  }

  mutating func read(from state: inout StateReader) throws(StateError) {
    for _ in 0..<(try state.count()) {
      let word = try state.choice(of: 128)
      let startedAt = try state.time()
      let landedAt = try state.time()
      let width = try state.choice(of: .max)
      started(
        RoomWish.Flight(track: Int32(word / 2), startedAt: startedAt, landsAt: landedAt), width: width,
        isClosed: !word.isMultiple(of: 2))
    }
  }
}

extension RoomWish {
  func write(into state: inout StateWriter) {
    for i in 0..<9 { state.text(texts[i]) }
    state.number(width)
    likers.write(into: &state)
  }

  init(from state: inout StateReader, seed: UInt64) throws(StateError) {
    let texts: InlineArray<9, Text> = [
      try state.text(), try state.text(), try state.text(), try state.text(), try state.text(), try state.text(),
      try state.text(),
      try state.text(), try state.text(),
    ]
    guard TextPack<9>.holds(texts) else { throw .damaged }
    let width = try state.choice(of: .max)
    let likers = try Likers(from: &state, seed: seed)
    self.init(texts: texts, seed: seed, width: width, likers: likers)
  }
}
