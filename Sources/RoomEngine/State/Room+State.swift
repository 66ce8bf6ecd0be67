import RoomModel

extension Room {
  /// The form in which states are written. It changes with any change of what is written here or in a stage.
  static var stateVersion: UInt8 { 6 }

  func write(at now: LogTime, into state: inout StateWriter) {
    state.number(numbering.offset)
    state.number(numbering.count)
    OwnSettings.write(own, into: &state)
    mutes.write(at: now, into: &state)
    retracts.write(at: now, into: &state)
    gift.write(at: now, into: &state)
    wish.write(at: now, into: &state)
    like.write(at: now, into: &state)
    rain.write(at: now, into: &state)
    spot.write(into: &state)
    crowd.write(into: &state)
    pins.write(into: &state)
    goals.write(into: &state)
    beside.skips.write(into: &state)
  }

  mutating func read(from state: inout StateReader, _ rules: borrowing Rules) throws(StateError) {
    numbering = CommandNumbering(offset: try state.number(), count: try state.amount())
    own = try OwnSettings.read(from: &state, over: rules)
    try mutes.read(from: &state, seed: rules.seed)
    try retracts.read(from: &state, seed: rules.seed)
    if let own { try readStages(from: &state, own.rules) } else { try readStages(from: &state, rules) }
  }

  /// - Parameter rules: the rules in force in the room.
  private mutating func readStages(from state: inout StateReader, _ rules: borrowing Rules) throws(StateError) {
    try gift.read(from: &state, rules)
    try wish.read(from: &state, rules)
    try like.read(from: &state, rules)
    try rain.read(from: &state, rules)
    try spot.read(from: &state, rules)
    try crowd.read(from: &state, rules)
    try pins.read(from: &state)
    try goals.read(from: &state)
    try beside.skips.read(from: &state)
    discardUntouchedParts()
    settle()
  }
}

extension SkipTallies {
  func write(into state: inout StateWriter) {
    for i in 0..<Self.kindCount {
      state.pace(tallies[i].pace)
      state.number(tallies[i].items)
      state.number(tallies[i].units)
    }
  }

  mutating func read(from state: inout StateReader) throws(StateError) {
    for i in 0..<Self.kindCount {
      tallies[i] = Tally(pace: try state.pace(), items: try state.amount(), units: try state.choice(of: .max))
    }
    setNextTimer()
  }
}
