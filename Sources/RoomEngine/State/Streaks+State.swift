import RoomModel

extension Streaks {
  /// Writes the streaks remembered at `now`.
  func write(at now: LogTime, into state: inout StateWriter) {
    var live = 0
    for i in 0..<ends.count where ends.entry(at: i).key > now { live += 1 }
    state.number(Int64(live))
    state.cut(around: live)
    // Written in the order of their slots, which they keep.
    for slot in 0..<streaks.slotCount where ends.contains(slot) && ends.key(of: slot) > now {
      for text in 0..<4 { state.text(streaks[slot].texts[text]) }
      state.number(streaks[slot].count)
      state.time(ends.key(of: slot))
    }
    state.cut(around: live)
  }

  mutating func read(from state: inout StateReader, seed: UInt64) throws(StateError) {
    for _ in 0..<(try state.count()) {
      let texts: InlineArray<4, Text> = [try state.text(), try state.text(), try state.text(), try state.text()]
      guard TextPack<4>.holds(texts) else { throw .damaged }
      let count = try state.amount()
      insert(texts, hash: Self.hash(seed, texts), count: count, endsAt: try state.time())
    }
  }
}
