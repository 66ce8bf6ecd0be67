import RoomModel

/// Stands for an event among those that are remembered: 96 bits of a hash of its room, id, kind and user.
///
/// Two of them alike would be a gift lost. Beside 6,000,000 others, a minute of 100,000 a second, the chance of one event
/// is 10⁻²²: one gift of such a room in four thousand million years. The hash begins with a seed that outsiders don't
/// know, so nobody can choose an id that is like another.
package struct EventMark: Hashable, Comparable, Sendable {
  package let high: UInt64
  package let low: UInt32

  package init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  /// - Parameter seeded: A hash of nothing but the seed.
  @inline(__always) init(room: Text, id: Text, kind: EventKind, userId: Text, seeded: MarkHash) {
    var hash = seeded
    // The lengths tell where one text ends and the next begins. None is longer than 256.
    hash.add(
      kind.number | UInt64(truncatingIfNeeded: room.count) << 8 | UInt64(truncatingIfNeeded: id.count) << 24
        | UInt64(truncatingIfNeeded: userId.count) << 40)
    room.forEachWord { hash.add($0) }
    id.forEachWord { hash.add($0) }
    userId.forEachWord { hash.add($0) }
    self = hash.mark
  }

  package static func < (one: EventMark, other: EventMark) -> Bool { (one.high, one.low) < (other.high, other.low) }
}

/// The hash of marks: two of 64 bits, side by side, each with a seed and a factor of its own.
struct MarkHash {
  private var first: UInt64
  private var second: UInt64

  init(seed: UInt64) {
    first = splitMix64(at: 0, seed: seed)
    second = splitMix64(at: 1, seed: seed)
  }

  @inline(__always) mutating func add(_ number: UInt64) {
    first = Self.mix(first ^ number, 0xD6E8_FEB8_6659_FD93)
    second = Self.mix(second ^ number, 0xA076_1D64_78BD_642F)
  }

  @inline(__always) private static func mix(_ word: UInt64, _ factor: UInt64) -> UInt64 {
    let (high, low) = word.multipliedFullWidth(by: factor)
    return high ^ low
  }

  @inline(__always) var mark: EventMark {
    EventMark(high: first, low: UInt32(truncatingIfNeeded: second ^ second >> 32))
  }
}

extension EventKind {
  /// Stays what it is, whatever kinds will come: marks are written.
  @inline(__always) var number: UInt64 {
    switch self {
    case .gift: 0
    case .wish: 1
    case .wishLike: 2
    case .tap: 3
    case .rainStart: 4
    case .spot: 5
    case .pin: 6
    case .goal: 7
    case .retract: 8
    case .roomSettings: 9
    case .roomEnd: 10
    // Never duplicates.
    case .rainGrab, .taps, .score: 11
    }
  }
}
