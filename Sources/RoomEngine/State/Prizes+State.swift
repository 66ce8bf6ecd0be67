import RoomModel

extension Prizes {
  func write(into state: inout StateWriter) {
    state.number(winEvery)
    state.number(coinsLeft)
    state.number(Int64(list.count))
    state.cut(around: list.count)
    for i in 0..<list.count { state.number(Int64(list[i])) }
    state.cut(around: list.count)
  }

  init(from state: inout StateReader) throws(StateError) {
    let winEvery = try state.choice(of: .max)
    let coinsLeft = try state.amount()
    guard winEvery > 0 else { throw .damaged }
    var list = Block<Int32>()
    for _ in 0..<(try state.count()) { list.append(Int32(try state.choice(of: 1 << 31))) }
    self.init(list, winEvery: winEvery, coinsLeft: coinsLeft)
  }
}
