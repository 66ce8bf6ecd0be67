import RoomModel

/// Counts of what has come of each streak (STAGES.md, section 3): makes gifts of cumulative counts.
struct Streaks: ~Copyable {
  struct Streak: ~Copyable {
    let texts: TextPack<4>
    let hash: UInt32
    /// The greatest count seen.
    var count: Int64

    func isOf(_ gift: Lent<Gift>) -> Bool {
      texts[0] == gift.sender.userId && texts[3] == gift.streakId && texts[2] == gift.giftId
        && texts[1] == gift.receiverId
    }
  }

  var streaks = Slab<Streak>()
  private var index = SlotIndex()
  /// The time when each is forgotten.
  var ends = IndexedHeap<LogTime>()
  /// The size of all that are remembered, as the contract counts it.
  private var size = 0

  static var limit: Int { 32 << 20 }

  var isEmpty: Bool { ends.isEmpty }

  /// The time when the next is forgotten; `.max`: there is none.
  var nextEnd: LogTime { ends.isEmpty ? .max : ends.least.key }

  /// The new part of the gift's count.
  mutating func add(_ gift: Lent<Gift>, at now: LogTime, _ rules: borrowing Rules) -> Int64 {
    let hash = Self.hash(rules.seed, [gift.sender.userId, gift.receiverId, gift.giftId, gift.streakId])
    var probe = index.probe(for: hash)
    while let found = index.next(&probe) {
      let slot = Int32(found)
      guard streaks[slot].isOf(gift) else { continue }
      if ends.key(of: slot) <= now { streaks[slot].count = 0 }
      let new = max(0, gift.count - streaks[slot].count)
      streaks[slot].count += new
      ends.set(slot, to: now + rules.gift.streakMs)
      return new
    }
    insert(
      [gift.sender.userId, gift.receiverId, gift.giftId, gift.streakId], hash: hash, count: gift.count,
      endsAt: now + rules.gift.streakMs)
    // All of one end at once: a restored room has them in another order.
    while size > Self.limit { forgetEnded(by: nextEnd) }
    return gift.count
  }

  mutating func forgetEnded(by now: LogTime) {
    while nextEnd <= now {
      let slot = ends.least.item
      ends.remove(slot)
      size -= Self.size(of: streaks[slot].texts)
      index.remove(UInt32(slot), hash: streaks[slot].hash)
      streaks.remove(slot)
    }
  }

  mutating func insert(_ texts: InlineArray<4, Text>, hash: UInt32, count: Int64, endsAt: LogTime) {
    let slot = streaks.insert(Streak(texts: TextPack(texts), hash: hash, count: count))
    size += Self.size(of: streaks[slot].texts)
    index.insert(UInt32(slot), hash: hash)
    ends.set(slot, to: endsAt)
  }

  private static func size(of texts: borrowing TextPack<4>) -> Int {
    var size = 80
    for i in 0..<4 { size += texts[i].count }
    return size
  }

  static func hash(_ seed: UInt64, _ texts: InlineArray<4, Text>) -> UInt32 {
    var hash = TextHash(seed: seed)
    for i in 0..<4 { hash.add(texts[i]) }
    return hash.value
  }

  var byteCount: Int {
    var bytes = streaks.byteCount + index.byteCount + ends.byteCount
    for i in 0..<ends.count { bytes += streaks[ends.entry(at: i).item].texts.byteCount }
    return bytes
  }
}
