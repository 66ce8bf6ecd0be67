import RoomModel

extension ExpiringTexts {
  /// Writes the texts remembered at `now`.
  func write(at now: LogTime, into state: inout StateWriter) {
    var live = 0
    for i in 0..<ends.count where ends.entry(at: i).key > now { live += 1 }
    state.number(Int64(live))
    state.cut(around: live)
    // Written in the order of their slots, which they keep.
    for slot in 0..<entries.slotCount where ends.contains(slot) && ends.key(of: slot) > now {
      state.text(entries[slot].text[0])
      state.time(ends.key(of: slot))
    }
    state.cut(around: live)
  }

  mutating func read(from state: inout StateReader, seed: UInt64) throws(StateError) {
    for _ in 0..<(try state.count()) {
      let text = try state.text()
      guard TextPack<1>.holds([text]) else { throw .damaged }
      remember(text, until: try state.time(), seed: seed)
    }
  }
}
