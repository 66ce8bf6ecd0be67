import RoomModel

extension Streaks {
  /// Those remembered at `now`.
  func write(at now: LogTime, into state: inout StateWriter) {
    var live: Int64 = 0
    for i in 0..<ends.count where ends.entry(at: i).key > now { live += 1 }
    state.number(live)
    for i in 0..<ends.count {
      let entry = ends.entry(at: i)
      guard entry.key > now else { continue }
      for text in 0..<4 { state.text(streaks[entry.item].texts[text]) }
      state.number(streaks[entry.item].count)
      state.time(entry.key)
    }
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
