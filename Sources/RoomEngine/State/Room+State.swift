import RoomModel

extension Room {
  /// The form in which states are written. It changes with any change of what is written here or in a stage.
  static var stateVersion: UInt8 { 3 }

  /// Version 2 doesn't tell what openers of packets won.
  static var readableVersions: ClosedRange<UInt8> { 2...3 }

  func write(at now: LogTime, _ rules: borrowing Rules, into state: inout StateWriter) {
    state.number(numbering.offset)
    state.number(numbering.count)
    gift.write(at: now, into: &state)
    wish.write(at: now, rules, into: &state)
    like.write(at: now, into: &state)
    rain.write(at: now, into: &state)
    skips.write(into: &state)
  }

  /// - Parameter epoch: that in which the state was written.
  mutating func read(from state: inout StateReader, _ rules: borrowing Rules, epoch: Int64) throws(StateError) {
    numbering = CommandNumbering(offset: try state.number(), count: try state.amount())
    try gift.read(from: &state, rules)
    try wish.read(from: &state, epoch: epoch, rules)
    try like.read(from: &state, rules)
    try rain.read(from: &state, rules)
    try skips.read(from: &state)
    settle()
  }
}

extension SkipTallies {
  func write(into state: inout StateWriter) {
    for i in 0..<4 {
      state.pace(tallies[i].pace)
      state.number(tallies[i].items)
      state.number(tallies[i].units)
    }
  }

  mutating func read(from state: inout StateReader) throws(StateError) {
    for i in 0..<4 {
      tallies[i] = Tally(pace: try state.pace(), items: try state.amount(), units: try state.choice(of: .max))
    }
    setNextTimer()
  }
}
