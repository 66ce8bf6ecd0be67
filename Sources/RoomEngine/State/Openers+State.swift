import RoomModel

extension Openers {
  func write(into state: inout StateWriter) {
    var live = 0
    for page in 0..<pages.count where pages[page].userCount > 0 { live += 1 }
    state.number(Int64(live))
    for page in 0..<pages.count where pages[page].userCount > 0 {
      state.number(Int64(page))
      state.number(Int64(pages[page].userCount))
      state.cut(around: pages[page].userCount)
      pages[page].forEach { userId, opened, coins in
        state.text(userId)
        state.number(Int64(opened.nonzeroBitCount))
        var rest = opened
        while rest != 0 {
          let packet = rest.trailingZeroBitCount
          rest &= rest - 1
          state.number(Int64(packet) * 2 + (coins[packet] > 0 ? 1 : 0))
          if coins[packet] > 0 { state.number(coins[packet]) }
        }
      }
      state.cut(around: pages[page].userCount)
    }
  }

  init(from state: inout StateReader, seed: UInt64) throws(StateError) {
    self.init()
    for _ in 0..<(try state.count()) {
      let page = Int(try state.choice(of: RainPackets.limit / Self.pageSize + 1))
      let users = try state.count()
      for _ in 0..<users {
        let userId = try state.text()
        guard TextPack<1>.holds([userId]) else { throw .damaged }
        let count = try state.choice(of: Self.pageSize + 1)
        guard count > 0 else { throw .damaged }
        for _ in 0..<count {
          let word = try state.choice(of: 2 * Self.pageSize)
          let packet = Int64(page) * Self.pageSize + word / 2
          guard let opening = open(packet, by: userId, seed: seed) else { throw .damaged }
          if !word.isMultiple(of: 2) {
            let coins = try state.choice(of: .max)
            guard coins > 0 else { throw .damaged }
            won(coins, by: opening)
          }
        }
      }
    }
  }
}
