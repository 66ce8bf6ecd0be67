import RoomModel

/// A timer of a room. Its order is that in which timers fire (STAGES.md, section 1).
package struct RoomTimer: Comparable {
  /// Kinds in the order in which STAGES.md lists them: the room's own settings, the stages', and skips last.
  package enum Kind: UInt8, CaseIterable, Sendable {
    case ownSettingsRunOut
    case laneBecomesFree, holdRunsOut, tick, restRunsOut, giftWaitRunsOut
    case bannerLands, pacedLikes, nextBannerStarts, wishWaitRunsOut
    case pacedBurst
    case rainCountsDown, packetDrops, pacedTally, rainEnds
    case spotBecomesFree, spotWaitRunsOut
    case crowdTurnIsOver, pacedCrowdShow
    case pinEnds, pinIsToldAgain
    case goalEnds, pacedGoalCount, goalIsToldAgain
    case giftOverflowSkips, giftExpiredSkips, giftRetractedSkips
    case wishOverflowSkips, wishExpiredSkips, wishRetractedSkips
    case spotOverflowSkips, spotExpiredSkips, spotRetractedSkips
    case pinOverflowSkips, pinExpiredSkips, pinRetractedSkips
  }

  let deadline: LogTime
  /// The kind, and below it the item: of timers that are due at once, the least fires first. In one word, since timers
  /// are compared several times with each event.
  private let rank: UInt64

  /// - Parameter item: The lane, or the slot of the combo, wish, rain or item of the spot. Of several that are due at
  ///   once, a stage names the one whose turn it is: the lowest lane, and elsewhere the oldest.
  @inline(__always) init(deadline: LogTime, kind: Kind, item: Int32 = 0) {
    self.deadline = deadline
    rank = UInt64(kind.rawValue) << 32 | UInt64(UInt32(bitPattern: item))
  }

  /// The kind that the rank was made of. A `Kind` is the byte of its raw value; the checked initializer would search all
  /// kinds.
  @inline(__always) var kind: Kind { unsafeBitCast(UInt8(truncatingIfNeeded: rank &>> 32), to: Kind.self) }
  @inline(__always) var item: Int32 { Int32(truncatingIfNeeded: rank) }

  @inline(__always) var isOfGifts: Bool {
    (Kind.laneBecomesFree.rawValue...Kind.giftWaitRunsOut.rawValue).contains(kind.rawValue)
  }

  /// The timer of a room that has none.
  static var never: RoomTimer { RoomTimer(deadline: .max, kind: .pinRetractedSkips) }

  /// Compared as one number of 128 bits, without a branch.
  @inline(__always)
  package static func < (a: RoomTimer, b: RoomTimer) -> Bool { a.order < b.order }

  @inline(__always) private var order: Int128 { Int128(deadline) << 64 | Int128(rank) }

  /// The timer that fires first. The standard `min` is not inlined for two words.
  @inline(__always) func or(_ other: RoomTimer) -> RoomTimer { other < self ? other : self }
}

/// The time when something ends, and of several that end together, the older first.
struct Deadline: Comparable {
  var at: LogTime
  /// Counts up with what queued, started or flew.
  var age: Int64

  @inline(__always)
  static func < (a: Deadline, b: Deadline) -> Bool {
    a.at != b.at ? a.at < b.at : a.age < b.age
  }
}
