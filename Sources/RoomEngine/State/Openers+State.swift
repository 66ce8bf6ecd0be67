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
      if state.version == 2 {
        try readWithoutCoins(users, of: page, from: &state, seed: seed)
        continue
      }
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

  /// What each won is not told there: nothing, then.
  private mutating func readWithoutCoins(
    _ users: Int, of page: Int, from state: inout StateReader, seed: UInt64
  ) throws(StateError) {
    let first = UInt64(try state.choice(of: Self.pageSize))
    for _ in 0..<users {
      let userId = try state.text()
      guard TextPack<1>.holds([userId]) else { throw .damaged }
      let packets = UInt64(bitPattern: try state.number()) << first
      for bit in 0..<Self.pageSize where packets & 1 << UInt64(bit) != 0 {
        guard open(Int64(page) * Self.pageSize + bit, by: userId, seed: seed) != nil else { throw .damaged }
      }
    }
  }
}
