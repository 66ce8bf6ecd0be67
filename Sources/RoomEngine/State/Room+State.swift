import RoomModel

extension Room {
  /// The form in which states are written. It changes with any change of what is written here or in a stage.
  static var stateVersion: UInt8 { 4 }

  /// Version 2 doesn't tell what openers of packets won; up to 3 there were no tiers, nothing was taken back, and no room
  /// had settings of its own.
  static var readableVersions: ClosedRange<UInt8> { 2...4 }

  func write(at now: LogTime, into state: inout StateWriter) {
    state.number(numbering.offset)
    state.number(numbering.count)
    OwnSettings.write(own, into: &state)
    retracts.write(at: now, into: &state)
    gift.write(at: now, into: &state)
    wish.write(at: now, into: &state)
    like.write(at: now, into: &state)
    rain.write(at: now, into: &state)
    skips.write(into: &state)
  }

  mutating func read(from state: inout StateReader, _ rules: borrowing Rules) throws(StateError) {
    numbering = CommandNumbering(offset: try state.number(), count: try state.amount())
    if state.version >= 4 {
      own = try OwnSettings.read(from: &state, over: rules)
      try retracts.read(from: &state, seed: rules.seed)
    }
    if let own { try readStages(from: &state, own.rules) } else { try readStages(from: &state, rules) }
  }

  /// - Parameter rules: what is in force in the room.
  private mutating func readStages(from state: inout StateReader, _ rules: borrowing Rules) throws(StateError) {
    try gift.read(from: &state, rules)
    try wish.read(from: &state, rules)
    try like.read(from: &state, rules)
    try rain.read(from: &state, rules)
    try skips.read(from: &state)
    discardUntouchedParts()
    settle()
  }
}

extension SkipTallies {
  func write(into state: inout StateWriter) {
    for i in 0..<6 {
      state.pace(tallies[i].pace)
      state.number(tallies[i].items)
      state.number(tallies[i].units)
    }
  }

  mutating func read(from state: inout StateReader) throws(StateError) {
    // There was no third reason.
    for i in 0..<6 where state.version >= 4 || i % 3 < 2 {
      tallies[i] = Tally(pace: try state.pace(), items: try state.amount(), units: try state.choice(of: .max))
    }
    setNextTimer()
  }
}
