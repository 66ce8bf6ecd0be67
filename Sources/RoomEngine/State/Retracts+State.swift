import RoomModel

extension Retracts {
  /// Writes the retracts remembered at `now`, the oldest first.
  func write(at now: LogTime, into state: inout StateWriter) {
    let live = ends.items.filter { ends.key(of: $0).at > now }.sorted { ends.key(of: $0).age < ends.key(of: $1).age }
    state.number(Int64(live.count))
    state.cut(around: live.count)
    for slot in live {
      state.number(Int64(entries[slot].kind.rawValue))
      state.text(entries[slot].text[0])
      state.time(ends.key(of: slot).at)
    }
    state.cut(around: live.count)
  }

  mutating func read(from state: inout StateReader, seed: UInt64) throws(StateError) {
    for _ in 0..<(try state.count()) {
      guard let kind = Kind(rawValue: UInt8(try state.choice(of: 4))) else { throw .damaged }
      let id = try state.text()
      guard TextPack<1>.holds([id]) else { throw .damaged }
      let end = try state.time()
      guard !isThere(kind, id, seed: seed) else { throw .damaged }
      insert(kind, id, until: end, seed: seed)
    }
  }
}
