import RoomModel

/// Who has opened which packets of a rain, as far as it matters: of packets that are in the air, since all others are
/// missed whoever grabs them.
///
/// Packets are told by pages of 64, on which a user who has opened any takes the bytes of the id, a bit for each
/// packet and about 20 bytes of index; a page is dropped as a whole when its last packet can't be opened any more. So
/// there are no more users than have opened a packet within a page's time and a fall's, and a rain that goes on for
/// long takes no more than a short one.
struct Openers: ~Copyable {
  struct Page: ~Copyable {
    /// For each user: 64 bits, and the id with its length.
    private var users = Block<UInt8>()
    private var index = SlotIndex()

    var byteCount: Int { users.byteCount + index.byteCount }

    /// False if this user had opened one of these already.
    mutating func open(_ packets: UInt64, by userId: Text, seed: UInt64) -> Bool {
      var hash = TextHash(seed: seed)
      hash.add(userId)
      var probe = index.probe(for: hash.value)
      while let place = index.next(&probe) {
        guard users.text(at: Int(place) + 8) == userId else { continue }
        let opened = bits(at: Int(place))
        setBits(at: Int(place), to: opened | packets)
        return opened & packets == 0
      }
      let place = users.count
      users.makeRoom(for: 10 + userId.count)
      for _ in 0..<8 { users.append(0) }
      setBits(at: place, to: packets)
      _ = users.append(userId)
      index.insert(UInt32(place), hash: hash.value)
      return true
    }

    /// In the order in which they first opened one.
    func forEach(_ body: (_ userId: Text, _ opened: UInt64) -> Void) {
      var place = 0
      while place < users.count {
        let userId = users.text(at: place + 8)
        body(userId, bits(at: place))
        place += 10 + userId.count
      }
    }

    private func bits(at place: Int) -> UInt64 {
      UnsafeRawPointer(users.elements).loadUnaligned(fromByteOffset: place, as: UInt64.self)
    }

    private func setBits(at place: Int, to bits: UInt64) {
      UnsafeMutableRawPointer(users.elements).storeBytes(of: bits, toByteOffset: place, as: UInt64.self)
    }
  }

  /// By packet / 64; those that were dropped are empty.
  var pages = Block<Page>()
  /// Pages before were dropped.
  private(set) var firstPage = 0

  static var pageSize: Int64 { 64 }

  var byteCount: Int {
    var bytes = pages.byteCount
    for i in 0..<pages.count { bytes += pages[i].byteCount }
    return bytes
  }

  /// False if this user had opened the packet already.
  mutating func open(_ packet: Int64, by userId: Text, seed: UInt64) -> Bool {
    open(1 << UInt64(packet % Self.pageSize), ofPage: Int(packet / Self.pageSize), by: userId, seed: seed)
  }

  mutating func open(_ packets: UInt64, ofPage page: Int, by userId: Text, seed: UInt64) -> Bool {
    while page >= pages.count { pages.append(Page()) }
    return pages[page].open(packets, by: userId, seed: seed)
  }

  /// Drops the pages whose packets have all gone.
  mutating func forget(_ isGone: (_ packet: Int64) -> Bool) {
    while firstPage < pages.count, isGone(Int64(firstPage + 1) * Self.pageSize - 1) {
      pages[firstPage] = Page()
      firstPage += 1
    }
  }
}
