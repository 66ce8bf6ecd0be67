import RoomModel

extension ExpiringTexts {
  /// Those remembered at `now`.
  func write(at now: LogTime, into state: inout StateWriter) {
    var live: Int64 = 0
    for i in 0..<ends.count where ends.entry(at: i).key > now { live += 1 }
    state.number(live)
    for i in 0..<ends.count {
      let entry = ends.entry(at: i)
      guard entry.key > now else { continue }
      state.text(entries[entry.item].text[0])
      state.time(entry.key)
    }
  }

  mutating func read(from state: inout StateReader, seed: UInt64) throws(StateError) {
    for _ in 0..<(try state.count()) {
      let text = try state.text()
      guard TextPack<1>.holds([text]) else { throw .damaged }
      remember(text, until: try state.time(), seed: seed)
    }
  }
}
