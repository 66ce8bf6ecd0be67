/// Some slots, a bit each, of which the lowest is taken first.
struct SlotSet: ~Copyable {
  private var words = Block<UInt64>()
  /// Words before this one have no slots.
  private var first = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  var byteCount: Int { words.byteCount }

  /// The slot must not be in.
  mutating func insert(_ slot: Int32) {
    let word = Int(slot) >> 6
    while word >= words.count { words.append(0) }
    words[word] |= 1 << UInt64(slot & 63)
    first = min(first, word)
    count += 1
  }

  /// The slot must be in.
  mutating func remove(_ slot: Int32) {
    words[Int(slot) >> 6] &= ~(1 << UInt64(slot & 63))
    count -= 1
    if count == 0 { self = SlotSet() }
  }

  /// There must be one.
  mutating func removeLowest() -> Int32 {
    while words[first] == 0 { first += 1 }
    let slot = Int32(first << 6 | words[first].trailingZeroBitCount)
    remove(slot)
    return slot
  }
}
