import RoomModel

extension Likers {
  func write(into state: inout StateWriter) {
    state.number(Int64(count))
    state.cut(around: count)
    var place = 0
    while place < ids.count {
      let id = ids.text(at: place)
      state.text(id)
      place += 2 + id.count
    }
    state.cut(around: count)
  }

  init(from state: inout StateReader, seed: UInt64) throws(StateError) {
    self.init()
    for _ in 0..<(try state.count()) {
      let userId = try state.text()
      guard TextPack<1>.holds([userId]), add(userId, seed: seed) else { throw .damaged }
    }
  }
}
