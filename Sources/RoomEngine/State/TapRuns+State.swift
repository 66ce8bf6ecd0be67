import RoomModel

extension TapRuns {
  /// Writes the runs remembered at `now`.
  func write(at now: LogTime, into state: inout StateWriter) {
    // Written in the order of their slots, which they keep.
    let live = ends.items.filter { ends.key(of: $0) > now }.sorted()
    state.number(Int64(live.count))
    state.cut(around: live.count)
    for slot in live {
      state.text(users[slot].id[0])
      let places = (0..<users[slot].runs.count).filter { users[slot].runs[$0].endsAt > now }
      state.number(Int64(places.count))
      for place in places {
        state.text(users[slot].runs[place].id[0])
        state.number(users[slot].runs[place].count)
        state.time(users[slot].runs[place].endsAt)
      }
    }
    state.cut(around: live.count)
  }

  mutating func read(from state: inout StateReader, seed: UInt64) throws(StateError) {
    for _ in 0..<(try state.count()) {
      let userId = try state.text()
      guard TextPack<1>.holds([userId]) else { throw .damaged }
      let slot = slot(of: userId, seed: seed)
      guard users[slot].runs.isEmpty else { throw .damaged }
      let count = try state.choice(of: Int64(Self.limit) + 1)
      guard count > 0 else { throw .damaged }
      for _ in 0..<count {
        let runId = try state.text()
        guard TextPack<1>.holds([runId]) else { throw .damaged }
        let greatest = try state.choice(of: 1 << 31)
        append(runId, count: greatest, until: try state.time(), to: slot)
      }
    }
  }
}
