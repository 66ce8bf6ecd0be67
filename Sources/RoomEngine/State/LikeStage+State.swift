import RoomModel

extension LikeStage {
  func write(at now: LogTime, into state: inout StateWriter) {
    tappers.write(at: now, into: &state)
    runs.write(at: now, into: &state)
    state.number(count)
    state.number(Int64(points.count))
    state.cut(around: points.count)
    for i in 0..<points.count {
      state.number(points[i].x)
      state.number(points[i].y)
    }
    state.cut(around: points.count)
    state.pace(pace)
  }

  mutating func read(from state: inout StateReader, _ rules: borrowing Rules) throws(StateError) {
    try tappers.read(from: &state, seed: rules.seed)
    try runs.read(from: &state, seed: rules.seed)
    count = try state.choice(of: .max)
    for _ in 0..<(try state.count()) {
      points.append(Point(x: try state.choice(of: 1000), y: try state.choice(of: 1000)))
    }
    pace = try state.pace()
  }
}
