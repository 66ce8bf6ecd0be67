import RoomModel

/// The coins that a rain's packets pay (STAGES.md, section 6).
struct Prizes: ~Copyable {
  /// Each below 2^31. Empty: one packet in `winEvery` wins.
  private(set) var list: Block<Int32>
  let winEvery: Int64
  /// The rest of the budget.
  private(set) var coinsLeft: Int64

  init(of start: Lent<RainStart>) {
    var list = Block<Int32>()
    list.reserve(start.prizes.count)
    for prize in start.prizes { list.append(Int32(prize)) }
    self.init(list, winEvery: start.winEvery, coinsLeft: start.budget)
  }

  init(_ list: consuming Block<Int32>, winEvery: Int64, coinsLeft: Int64) {
    self.list = list
    self.winEvery = winEvery
    self.coinsLeft = coinsLeft
  }

  /// Pays for a packet what its prize is, and never more than is left.
  mutating func pay(_ packet: Int64) -> Int64 {
    let coins = min(prize(of: packet), coinsLeft)
    coinsLeft -= coins
    return coins
  }

  private func prize(of packet: Int64) -> Int64 {
    if list.isEmpty { return packet % winEvery == 0 ? packet + 1 : 0 }
    return packet < list.count ? Int64(list[Int(packet)]) : 0
  }
}
