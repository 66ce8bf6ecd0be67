package import RoomModel

/// A room's state, as values that live as long as one likes. For code that explains or draws a room: taking one
/// costs what the room holds, and nobody else pays for it.
package struct RoomPicture: Equatable, Sendable {
  /// Combos by lane, 0 at the top; nil: it is free.
  package var lanes: [ComboPicture?] = []
  /// Queued combos, in the order in which they take lanes.
  package var queue: [ComboPicture] = []
  /// The next to be forgotten first.
  package var resting: [ComboPicture] = []
  /// Flying wishes, in the order in which they started.
  package var flying: [WishPicture] = []
  /// Queued wishes, oldest first.
  package var wishQueue: [WishPicture] = []
  /// The time when the first of `wishQueue` starts; nil: none is queued.
  package var nextBannerAt: LogTime?
  /// Likes that wait for their burst; nil: none do.
  package var burst: BurstPicture?
  /// The rains that run, oldest first.
  package var rains: [RainPicture] = []
  /// The item that fills the screen; nil: nothing does.
  package var spot: SpotPicture?
  /// The time when the spot is free again; nil: it is.
  package var spotBecomesFreeAt: LogTime?
  /// Queued items, in the order in which they come to the spot.
  package var spotQueue: [SpotPicture] = []
  /// Crowds, in the order in which they began.
  package var crowds: [CrowdPicture] = []
  /// The time when the turn of the crowd that is shown is over; nil: none is.
  package var crowdTurnEndsAt: LogTime?
  /// Pins, in the order in which they came.
  package var pins: [PinPicture] = []
  /// Goals that run, oldest first.
  package var goals: [GoalPicture] = []
  /// Items that were skipped and not yet told.
  package var untoldSkips: [SkipPicture] = []
  /// Nil: it goes by the worker's settings.
  package var own: OwnSettingsPicture?

  package init() {}

  /// Nothing is there, nor waits.
  package var isEmpty: Bool {
    lanes.allSatisfy { $0 == nil } && queue.isEmpty && resting.isEmpty && flying.isEmpty && wishQueue.isEmpty
      && burst == nil && rains.isEmpty && spotBecomesFreeAt == nil && crowds.isEmpty && pins.isEmpty
      && goals.isEmpty && untoldSkips.isEmpty && own == nil
  }
}

extension RoomPicture {
  /// The combo that began with this event, wherever it is.
  package func combo(_ offset: Int64) -> ComboPicture? {
    for case let combo? in lanes where combo.offset == offset { return combo }
    return queue.first { $0.offset == offset } ?? resting.first { $0.offset == offset }
  }

  /// The wish of this id, flying or queued.
  package func wish(_ id: Text) -> WishPicture? {
    (flying + wishQueue).first { $0.wishId.utf8.elementsEqual(id.bytes) }
  }
}

/// A combo (STAGES.md, section 3).
package struct ComboPicture: Equatable, Sendable {
  package enum Place: Equatable, Sendable {
    /// Nil: it waits on.
    case queued(waitEndsAt: LogTime?)
    /// `holdEndsAt` nil: no hold is running; `turnEndsAt` nil: its turn never ends; `leastEndsAt` nil: it makes room
    /// for no higher tier. `tier` is the one that its last `giftShow` told.
    case onLane(Int, ticksAt: LogTime, holdEndsAt: LogTime?, turnEndsAt: LogTime?, leastEndsAt: LogTime?, tier: Int64)
    case leaving(lane: Int, freeAt: LogTime, isTakenBack: Bool)
    case resting(until: LogTime)
  }

  /// The offset of the event that it began with, which names it.
  package let offset: Int64
  package let userId: String
  package let name: String
  package let receiverId: String
  package let giftId: String
  package let giftName: String
  /// The price of one.
  package let value: Int64
  package let total: Int64
  package let shown: Int64
  /// Its tier, of those in force in the room.
  package let tier: Int64
  /// Its own; 0: it stays by its tier.
  package let holdMs: Milliseconds
  /// The lane that it needs (placement `byUser`); nil: any will do.
  package let ownLane: Int?
  package let place: Place

  package var gap: Int64 { total - shown }
  package var worth: UInt128 { UInt128(value) * UInt128(gap) }
}

/// A wish that is queued or flies (STAGES.md, section 4).
package struct WishPicture: Equatable, Sendable {
  package enum Place: Equatable, Sendable {
    case queued(waitEndsAt: LogTime)
    case flying(track: Int, startedAt: LogTime, landsAt: LogTime)
  }

  package let wishId: String
  package let userId: String
  /// Cut, as its banner shows it; so is `text`.
  package let name: String
  package let text: String
  package let width: Int64
  package let likes: Int64
  /// The time when likes that wait for their pace are sent at the latest; nil: none wait.
  package let likesDueAt: LogTime?
  package let place: Place
}

/// Likes that wait for their pace (STAGES.md, section 5).
package struct BurstPicture: Equatable, Sendable {
  package let count: Int64
  package let dueAt: LogTime
}

/// A rain that runs (STAGES.md, section 6).
package struct RainPicture: Equatable, Sendable {
  package let rainId: String
  package let startsAt: LogTime
  package let endsAt: LogTime
  /// Seconds: the last number of the countdown.
  package let left: Int64
  package let dropped: Int64
  /// The number that drops in all.
  package let packets: Int64
  package let inTheAir: Int64
  package let opened: Int64
  package let winners: Int64
  package let coins: Int64
  /// The rest of the budget.
  package let coinsLeft: Int64
  /// The time when a tally that waits for its pace is sent at the latest; nil: none waits.
  package let tallyDueAt: LogTime?
}

/// An item that is shown on the spot or waits for it (STAGES.md, section 7).
package struct SpotPicture: Equatable, Sendable {
  package enum Place: Equatable, Sendable {
    case queued(waitEndsAt: LogTime)
    case shown(until: LogTime)
  }

  package let spotId: String
  /// Nil: it is shown, and only its id and its user are still known.
  package let item: Item?
  package let userId: String
  package let place: Place

  package struct Item: Equatable, Sendable {
    package let kind: String
    package let name: String
    package let giftId: String
    package let giftName: String
    package let text: String
    package let worth: UInt128
  }
}

/// Gifts of one kind that found no lane (STAGES.md, section 8).
package struct CrowdPicture: Equatable, Sendable {
  /// Names it.
  package let offset: Int64
  package let receiverId: String
  package let giftId: String
  package let giftName: String
  /// The price of one.
  package let value: Int64
  package let items: Int64
  package let units: Int64
  package let untoldItems: Int64
  package let untoldUnits: Int64
  /// The time when the oldest joined that is untold; nil: none is.
  package let untoldSince: LogTime?
  /// Users and their names, the dearest first.
  package let names: [Name]
  package let isShown: Bool

  package struct Name: Equatable, Sendable {
    package let userId: String
    package let name: String
  }
}

/// A pin that is shown (STAGES.md, section 12).
package struct PinPicture: Equatable, Sendable {
  package let pinId: String
  package let userId: String
  package let name: String
  package let text: String
  package let value: Int64
  package let isFirst: Bool
  package let startsAt: LogTime
  package let endsAt: LogTime
}

/// A goal that runs (STAGES.md, section 13).
package struct GoalPicture: Equatable, Sendable {
  package let goalId: String
  package let text: String
  package let target: Int64
  package let progress: Int64
  /// Sides and their totals.
  package let sides: [Side]
  package let startsAt: LogTime
  package let endsAt: LogTime

  package struct Side: Equatable, Sendable {
    package let id: String
    package let total: Int64
  }
}

/// A packet of a rain that runs, dropped or not.
package struct PacketPicture: Equatable, Sendable {
  package let dropsAt: LogTime
  package let landsAt: LogTime
  /// The time from which on it is missed.
  package let closesAt: LogTime
}

/// Skips that wait for their pace (STAGES.md, section 9).
package struct SkipPicture: Equatable, Sendable {
  package let stage: Skipped.Stage
  package let reason: Skipped.Reason
  package let items: Int64
  package let units: Int64
  package let dueAt: LogTime
}

/// Settings that a room has of its own (STAGES.md, section 9).
package struct OwnSettingsPicture: Equatable, Sendable {
  package struct Value: Equatable, Sendable {
    package let name: String
    /// The value as the setting spells it.
    package let value: String
  }

  package let set: [Value]
  /// The time when they run out.
  package let endsAt: LogTime
}

/// The timer of a room that fires next, and whom it concerns.
package struct TimerPicture: Equatable, Sendable {
  package let deadline: LogTime
  package let kind: RoomTimer.Kind
  /// The combo of a gift stage's timer, before the timer fires.
  package var combo: ComboPicture?
  /// The wish of a wish stage's timer.
  package var wish: WishPicture?
  /// The rain of a rain stage's timer.
  package var rain: RainPicture?
  /// The item of a wait for the spot.
  package var spot: SpotPicture?
  package var pin: PinPicture?
  package var goal: GoalPicture?
}
