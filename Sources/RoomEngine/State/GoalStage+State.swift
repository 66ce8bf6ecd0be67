import RoomModel

extension GoalStage {
  func write(into state: inout StateWriter) {
    state.number(Int64(goals.count))
    state.cut(around: goals.count)
    for place in 0..<goals.count { goals[place].write(into: &state) }
    state.cut(around: goals.count)
  }

  mutating func read(from state: inout StateReader) throws(StateError) {
    for _ in 0..<(try state.count()) { append(try RoomGoal.read(from: &state)) }
    setNextTimer()
  }
}

extension RoomGoal {
  func write(into state: inout StateWriter) {
    for i in 0..<3 { state.text(ids[i]) }
    for i in 0..<2 { state.text(texts[i]) }
    state.number(Int64(by.rawValue))
    state.number(target)
    state.number(Int64(home))
    state.time(startMs)
    state.number(Int64(sides.count))
    for place in 0..<sides.count {
      state.text(sides[place].id[0])
      state.sum(sides[place].sum)
    }
    state.sum(sum)
    state.time(endMs)
    state.time(overAt)
    state.time(toldAgainAt)
    state.pace(pace)
  }

  static func read(from state: inout StateReader) throws(StateError) -> RoomGoal {
    let ids: InlineArray<3, Text> = [try state.text(), try state.text(), try state.text()]
    let texts: InlineArray<2, Text> = [try state.text(), try state.text()]
    guard TextPack<3>.holds(ids), TextPack<2>.holds(texts) else { throw .damaged }
    guard let by = Goal.By(rawValue: UInt8(try state.choice(of: Int64(Goal.By.allCases.count)))) else { throw .damaged }
    let target = try state.choice(of: .max)
    let home = try state.number()
    let startMs = try state.time()
    let sideCount = try state.choice(of: Int64(Goal.sideLimit) + 1)
    guard home >= -1, home < sideCount else { throw .damaged }
    var goal = RoomGoal(ids: ids, texts: texts, by: by, target: target, home: Int32(home), startMs: startMs)
    for _ in 0..<sideCount {
      let id = try state.text()
      guard TextPack<1>.holds([id]) else { throw .damaged }
      goal.append(side: id, try state.sum())
    }
    let sum = try state.sum()
    let endMs = try state.time()
    let overAt = try state.time()
    let toldAgainAt = try state.time()
    goal.resume(endMs: endMs, overAt: overAt, toldAgainAt: toldAgainAt, pace: try state.pace(), sum: sum)
    return goal
  }
}

extension StateWriter {
  fileprivate mutating func sum(_ sum: RoomGoal.Sum) {
    number(sum.added)
    number(sum.score)
  }
}

extension StateReader {
  fileprivate mutating func sum() throws(StateError) -> RoomGoal.Sum {
    RoomGoal.Sum(added: try choice(of: Goal.most + 1), score: try choice(of: Goal.most + 1))
  }
}
