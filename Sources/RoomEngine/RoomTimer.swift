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
    case giftOverflowSkips, giftExpiredSkips, giftRetractedSkips
    case wishOverflowSkips, wishExpiredSkips, wishRetractedSkips
    case spotOverflowSkips, spotExpiredSkips, spotRetractedSkips
  }

  var deadline: LogTime
  var kind: Kind
  /// The lane, or the slot of the combo, wish, rain or item of the spot. Of several that are due at once, a stage names
  /// the one whose turn it is: the lowest lane, and elsewhere the oldest.
  var item: Int32 = 0

  /// The timer of a room that has none.
  static var never: RoomTimer { RoomTimer(deadline: .max, kind: .spotRetractedSkips) }

  @inline(__always)
  package static func < (a: RoomTimer, b: RoomTimer) -> Bool {
    if a.deadline != b.deadline { return a.deadline < b.deadline }
    if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
    return a.item < b.item
  }
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
