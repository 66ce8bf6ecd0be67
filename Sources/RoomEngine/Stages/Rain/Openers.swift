import RoomModel

/// Users who opened packets of a rain that runs, and what each packet paid: a second grab gets the same answer.
///
/// Packets are told by pages of 64, on which a user who has opened any takes the bytes of the id, a bit for each
/// packet and about 24 bytes, and 16 more for each that won.
struct Openers: ~Copyable {
  /// A user's first opening of a packet, as long as nobody else opens one.
  struct Opening {
    fileprivate var page: Int
    fileprivate var packet: Int32
    fileprivate var user: Int
  }

  struct Page: ~Copyable {
    private struct Win {
      var coins: Int64
      /// The win of the same user before this one; -1: there is none.
      var before: Int32
      /// On the page.
      var packet: Int32
    }

    /// The entries of users: 64 bits, the place of the last win as 32 bits, and the id with its length.
    private var users = Block<UInt8>()
    private var wins = Block<Win>()
    private var index = SlotIndex()

    private static var header: Int { 12 }

    var userCount: Int { index.count }

    var byteCount: Int { users.byteCount + wins.byteCount + index.byteCount }

    /// Returns the place of the user; nil: this user had opened it already.
    mutating func open(_ packet: Int32, by userId: Text, seed: UInt64) -> Int? {
      let bit: UInt64 = 1 << UInt64(packet)
      var hash = TextHash(seed: seed)
      hash.add(userId)
      var probe = index.probe(for: hash.value)
      while let found = index.next(&probe) {
        let place = Int(found)
        guard users.text(at: place + Self.header) == userId else { continue }
        let opened = bits(at: place)
        setBits(at: place, to: opened | bit)
        return opened & bit == 0 ? place : nil
      }
      let place = users.count
      users.makeRoom(for: Self.header + 2 + userId.count)
      for _ in 0..<Self.header { users.append(0) }
      setBits(at: place, to: bit)
      setLastWin(at: place, to: -1)
      _ = users.append(userId)
      index.insert(UInt32(place), hash: hash.value)
      return place
    }

    /// Coins that the packet paid this user; nil: this user has not opened it.
    func paid(_ packet: Int32, to userId: Text, seed: UInt64) -> Int64? {
      var hash = TextHash(seed: seed)
      hash.add(userId)
      var probe = index.probe(for: hash.value)
      while let found = index.next(&probe) {
        let place = Int(found)
        guard users.text(at: place + Self.header) == userId else { continue }
        guard bits(at: place) & 1 << UInt64(packet) != 0 else { return nil }
        var win = lastWin(at: place)
        while win >= 0 {
          if wins[Int(win)].packet == packet { return wins[Int(win)].coins }
          win = wins[Int(win)].before
        }
        return 0
      }
      return nil
    }

    mutating func won(_ coins: Int64, with packet: Int32, at place: Int) {
      wins.append(Win(coins: coins, before: lastWin(at: place), packet: packet))
      setLastWin(at: place, to: Int32(wins.count - 1))
    }

    /// Calls `body` for the users in the order in which they first opened one; `coins` by packet, 0 for those that won
    /// nothing.
    func forEach(_ body: (_ userId: Text, _ opened: UInt64, _ coins: InlineArray<64, Int64>) -> Void) {
      var place = 0
      while place < users.count {
        let userId = users.text(at: place + Self.header)
        var coins = InlineArray<64, Int64>(repeating: 0)
        var win = lastWin(at: place)
        while win >= 0 {
          coins[Int(wins[Int(win)].packet)] = wins[Int(win)].coins
          win = wins[Int(win)].before
        }
        body(userId, bits(at: place), coins)
        place += Self.header + 2 + userId.count
      }
    }

    private func bits(at place: Int) -> UInt64 {
      UnsafeRawPointer(users.elements).loadUnaligned(fromByteOffset: place, as: UInt64.self)
    }

    private func setBits(at place: Int, to bits: UInt64) {
      UnsafeMutableRawPointer(users.elements).storeBytes(of: bits, toByteOffset: place, as: UInt64.self)
    }

    private func lastWin(at place: Int) -> Int32 {
      UnsafeRawPointer(users.elements).loadUnaligned(fromByteOffset: place + 8, as: Int32.self)
    }

    private func setLastWin(at place: Int, to win: Int32) {
      UnsafeMutableRawPointer(users.elements).storeBytes(of: win, toByteOffset: place + 8, as: Int32.self)
    }
  }

  /// Bits, by packet / 64.
  var pages = Block<Page>()

  static var pageSize: Int64 { 64 }

  var byteCount: Int {
    var bytes = pages.byteCount
    for i in 0..<pages.count { bytes += pages[i].byteCount }
    return bytes
  }

  /// Nil if this user had opened the packet already.
  mutating func open(_ packet: Int64, by userId: Text, seed: UInt64) -> Opening? {
    let page = Int(packet / Self.pageSize)
    let packet = Int32(packet % Self.pageSize)
    while page >= pages.count { pages.append(Page()) }
    return pages[page].open(packet, by: userId, seed: seed).map { Opening(page: page, packet: packet, user: $0) }
  }

  /// Coins that the packet paid this user; nil: this user has not opened it.
  func paid(_ packet: Int64, to userId: Text, seed: UInt64) -> Int64? {
    let page = Int(packet / Self.pageSize)
    guard page < pages.count else { return nil }
    return pages[page].paid(Int32(packet % Self.pageSize), to: userId, seed: seed)
  }

  /// Coins that the opening paid, more than 0.
  mutating func won(_ coins: Int64, by opening: Opening) {
    pages[opening.page].won(coins, with: opening.packet, at: opening.user)
  }
}
