import RoomModel

extension PinStage {
  func write(into state: inout StateWriter) {
    state.number(Int64(pins.count))
    state.cut(around: pins.count)
    for place in 0..<pins.count { pins[place].write(into: &state) }
    state.cut(around: pins.count)
  }

  mutating func read(from state: inout StateReader) throws(StateError) {
    for _ in 0..<(try state.count()) { append(try RoomPin.read(from: &state)) }
    setNextTimer()
  }
}

extension RoomPin {
  func write(into state: inout StateWriter) {
    for i in 0..<7 { state.text(texts[i]) }
    state.number(value)
    state.number(first)
    state.time(startMs)
    state.time(endMs)
    state.time(toldAgainAt)
  }

  static func read(from state: inout StateReader) throws(StateError) -> RoomPin {
    let texts: InlineArray<7, Text> = [
      try state.text(), try state.text(), try state.text(), try state.text(), try state.text(), try state.text(),
      try state.text(),
    ]
    guard TextPack<7>.holds(texts) else { throw .damaged }
    let value = try state.choice(of: .max)
    let first = try state.choice(of: 2)
    let startMs = try state.time()
    let endMs = try state.time()
    return RoomPin(
      texts: texts, value: value, first: first, startMs: startMs, endMs: endMs, toldAgainAt: try state.time(or: .max))
  }
}
