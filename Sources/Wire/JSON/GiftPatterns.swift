import JSON
import RoomModel

/// The patterns of the last gifts. A gift that is written like one of them is read without a parser.
///
/// There are a few, because senders leave out what a gift has not: one of a streak is written otherwise than others.
struct GiftPatterns: ~Copyable {
  private struct Known: ~Copyable {
    var pattern = JSONPattern()
    var slots = GiftPlaces()
  }

  private static var limit: Int { 4 }

  private let known = UnsafeMutablePointer<Known>.allocate(capacity: Self.limit)
  private var count = 0
  /// The pattern that matched last: likely the next gift matches it, too.
  private var last = 0
  /// The pattern that the next one replaces.
  private var oldest = 0
  /// The number of other gifts that pass before one is learnt: where all are different, learning is in vain.
  private var left = 0

  deinit {
    known.deinitialize(count: count)
    known.deallocate()
  }

  /// The event of the record that matched.
  @inline(__always) func event(
    key: UnsafeRawBufferPointer?, keyRule: KeyRule, keeping storage: inout EventStorage
  ) throws(NotUnderstood) -> RoomEvent {
    try known[last].pattern.values.giftEvent(at: known[last].slots, key: key, keyRule: keyRule, keeping: &storage)
  }

  /// Whether a record is written as one before it; if not, it must be parsed.
  @inline(__always) mutating func matches(_ record: UnsafeRawBufferPointer) -> Bool {
    if count == 0 { return false }
    return known[last].pattern.matches(record) || matchesOther(record)
  }

  @inline(never) private mutating func matchesOther(_ record: UnsafeRawBufferPointer) -> Bool {
    for i in 0..<count where i != last && known[i].pattern.matches(record) {
      last = i
      return true
    }
    return false
  }

  /// Learns from a record that was understood: `root` was read of it, and its gift has its members at `places`.
  @inline(never) mutating func learn(_ record: UnsafeRawBufferPointer, _ root: JSONValue, _ places: GiftPlaces) {
    guard left == 0 else {
      left -= 1
      return
    }
    left = 15
    if oldest == count {
      (known + count).initialize(to: Known())
      count += 1
    }
    last = oldest
    oldest = (oldest + 1) % Self.limit
    if let scalars = known[last].pattern.learn(record, root) { known[last].slots = places.slots(scalars) }
  }
}
