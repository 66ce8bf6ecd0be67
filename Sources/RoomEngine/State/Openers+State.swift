import RoomModel

extension Openers {
  /// - Parameter isInTheAir: says which packets still matter.
  func write(into state: inout StateWriter, isInTheAir: (_ packet: Int64) -> Bool) {
    var live: [(page: Int, packets: UInt64)] = []
    for page in firstPage..<max(firstPage, pages.count) {
      var packets: UInt64 = 0
      for bit in 0..<UInt64(Self.pageSize) where isInTheAir(Int64(page) * Self.pageSize + Int64(bit)) {
        packets |= 1 << bit
      }
      if packets != 0 { live.append((page, packets)) }
    }
    state.number(Int64(live.count))
    for (page, packets) in live {
      var users: Int64 = 0
      pages[page].forEach { _, opened in if opened & packets != 0 { users += 1 } }
      state.number(Int64(page))
      state.number(users)
      let first = UInt64(packets.trailingZeroBitCount)
      state.number(Int64(first))
      pages[page].forEach { userId, opened in
        guard opened & packets != 0 else { return }
        state.text(userId)
        // Those that don't matter are not there, so most of the bits are few.
        state.number(Int64(bitPattern: (opened & packets) >> first))
      }
    }
  }

  init(from state: inout StateReader, seed: UInt64) throws(StateError) {
    self.init()
    for _ in 0..<(try state.count()) {
      let page = Int(try state.choice(of: RainPackets.limit / Self.pageSize + 1))
      let users = try state.count()
      let first = UInt64(try state.choice(of: Self.pageSize))
      for _ in 0..<users {
        let userId = try state.text()
        guard TextPack<1>.holds([userId]) else { throw .damaged }
        let packets = UInt64(bitPattern: try state.number()) << first
        guard open(packets, ofPage: page, by: userId, seed: seed) else { throw .damaged }
      }
    }
  }
}
