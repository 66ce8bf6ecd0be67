import RoomModel

extension RainIds {
  /// Writes the ids remembered at `now`, the oldest first.
  func write(at now: LogTime, into state: inout StateWriter) {
    let live = ends.items.filter { ends.key(of: $0) > now }.sorted { entries[$0].age < entries[$1].age }
    state.number(Int64(live.count))
    state.cut(around: live.count)
    for slot in live {
      state.text(entries[slot].text[0])
      state.time(ends.key(of: slot))
    }
    state.cut(around: live.count)
  }

  /// Reads the ids; which of their rains run is not known yet.
  mutating func read(from state: inout StateReader, seed: UInt64) throws(StateError) {
    for _ in 0..<(try state.count()) {
      let id = try state.text()
      guard TextPack<1>.holds([id]), !isThere(id, seed: seed) else { throw .damaged }
      remember(id, until: try state.time(), runs: false, seed: seed)
    }
  }
}
