/// One thing that the engine decided for a room, told where it is decided with the numbers that were used: by later
/// settings nobody could tell. Decisions are told only to a batch that listens, and are good until `removeAll()`.
public enum Decision: BitwiseCopyable {
  /// A deadline was set.
  case span(Span)
  /// A combo, a wish, an item of the spot or a pin was skipped, or a combo joined a crowd.
  case skipped(Lent<SkippedItem>)
  /// A combo, a wish or an item of the spot is drawn that had been queued for that time: 0 if nothing was before it; of a
  /// combo that waited on past `gift.maxWaitMs`, that.
  case drawn(Skipped.Stage, afterMs: Milliseconds)
  /// A gift view was hidden, and for which combo, by its offset; -1: for none.
  case hidden(HideCause, for: Int64)
  /// A retract (`retracted`) or the room's end (`ended`) ended an item, whether or not something of it was left to be shown.
  case removed(Removed, Skipped.Reason)
  /// A banner started that long after the one before; nil: there was none that still counted.
  case bannerStarted(sinceLastMs: Milliseconds?)
  /// A gift arrived and counts to this combo, by its offset, which was there before.
  case gift(combo: Int64, count: Int64, was: ComboPlace)
  /// Something became of a wish, an item of the spot or a rain, or a wish was liked.
  case item(ItemFate)
  /// The event's user is muted, so it is ignored.
  case muted
  /// A packet was asked for; the result has the outcome.
  case grab(GrabFate)
  /// Something became of a pin.
  case pin(PinFate)
  /// A goal began, or changed, or something counted for it or didn't.
  case goal(GoalFate)
  /// A tap is a like, or not.
  case tap(isLike: Bool)
  /// Likes of a run of gathered taps: those of the run before, those that the event tells, and those that count, at most
  /// `most`.
  case taps(before: Int64, told: Int64, counted: Int64, most: Int64)
  /// A user's name was taken out of a crowd's, by the offset of the crowd.
  case unnamed(crowd: Int64)

  /// Reasons for hiding a gift view.
  public enum HideCause: String, BitwiseCopyable, Sendable {
    /// All of the combo was shown, and its hold ran out.
    case hold
    /// Its turn was over, and others waited.
    case turn
    /// A combo of a higher tier waited for its lane.
    case dearer
    case retracted
    /// The room ended.
    case ended
  }

  /// A combo, by the offset of its first event, or a wish, an item of the spot, a pin or a goal, by its id.
  public struct Removed: BitwiseCopyable {
    public enum Kind: BitwiseCopyable, Sendable { case combo, wish, spot, pin, goal }

    public let kind: Kind
    public let offset: Int64
    public var id: Text

    public init(combo offset: Int64) { (kind, self.offset, id) = (.combo, offset, .empty) }
    public init(_ kind: Kind, _ id: Text) { (self.kind, offset, self.id) = (kind, -1, id) }
  }

  /// The place of a combo.
  public enum ComboPlace: BitwiseCopyable, Sendable {
    /// It is new.
    case new
    case queued
    case onLane(Int32, shown: Int64, isHeld: Bool)
    case leaving(Int32)
    case resting
  }

  public struct ItemFate: BitwiseCopyable {
    public enum Fate: BitwiseCopyable, Sendable {
      /// One of its id is queued, or shown, or runs: it is ignored.
      case isQueued, isShown
      /// It is queued, and its wait runs out then.
      case queued(until: LogTime)
      /// It is shown, or runs, from now on.
      case began
      /// The wish of this id has so many likes now, or had this one before.
      case liked(Int64), likedBefore
      /// No wish of this id is there to be liked.
      case unknown
      /// A rain of its id began too recently, or `limit` of them run: it is ignored.
      case remembered, tooMany(limit: Int64)
    }

    public var id: Text
    public let fate: Fate

    public init(_ id: Text, _ fate: Fate) { (self.id, self.fate) = (id, fate) }
  }

  public struct GrabFate: BitwiseCopyable, Sendable {
    public enum Packet: BitwiseCopyable, Sendable {
      /// No such rain runs, or it has `packets`, and not this one.
      case noRain, noPacket
      /// It falls in that time, and can be opened until `closesAt`.
      case falls(from: LogTime, to: LogTime, closesAt: LogTime)
    }

    public let packet: Packet
    public let outcome: GrabResult.Outcome
    public let coins: Int64
    /// Of the rain: its packets, those that were opened, this one too, and the rest of its budget.
    public let packets: Int64
    public let opened: Int64
    public let coinsLeft: Int64

    public init(
      _ packet: Packet, _ outcome: GrabResult.Outcome, coins: Int64 = 0, packets: Int64 = 0, opened: Int64 = 0,
      coinsLeft: Int64 = 0
    ) {
      (self.packet, self.outcome, self.coins) = (packet, outcome, coins)
      (self.packets, self.opened, self.coinsLeft) = (packets, opened, coinsLeft)
    }
  }

  public struct PinFate: BitwiseCopyable {
    public enum Fate: BitwiseCopyable, Sendable {
      /// It is shown, for that long: its own time, or the setting's.
      case shown(ms: Milliseconds, isOwn: Bool)
      /// A pin of its id is shown already, so it is ignored.
      case isThere
      /// Its time is over.
      case over
      /// It was the least of `limit` pins when the other came.
      case pushedOut(limit: Int64)
      /// It came while `limit` pins were shown, all of which go before it; the other is the least of these.
      case least(limit: Int64)
    }

    public var id: Text
    public let fate: Fate
    /// The other pin; empty: there is none.
    public var other: Text

    public init(_ id: Text, _ fate: Fate, other: Text = .empty) {
      self.id = id
      self.fate = fate
      self.other = other
    }
  }

  public struct GoalFate: BitwiseCopyable {
    public enum Fate: BitwiseCopyable, Sendable {
      /// It runs from now on, until then.
      case began(until: LogTime)
      /// It ran, and was changed.
      case changed(until: LogTime)
      /// It did not begin, as `limit` goals ran.
      case refused(limit: Int64)
      /// Counted: `progress`, or the side's total, is `amount` more.
      case counted
      /// Counted, but the side's score is more, or the sum is at its limit.
      case countedUnseen
      /// Not counted, and why.
      case otherGift, otherReceiver, noSide, otherUnit(Goal.By), muted, afterEnd, lowerScore, unknownSide
      /// A score of a goal that doesn't run.
      case noGoal
    }

    public var id: Text
    /// The side that it counts for, or a score's.
    public var side: Text
    public let fate: Fate
    public let amount: Int64
    /// Of the goal, after it.
    public let progress: Int64
    public let target: Int64

    public init(
      _ id: Text, side: Text = .empty, _ fate: Fate, amount: Int64 = 0, progress: Int64 = 0, target: Int64 = 0
    ) {
      self.id = id
      self.side = side
      self.fate = fate
      self.amount = amount
      self.progress = progress
      self.target = target
    }
  }

  /// A time that began, by a setting's value of then, and its end.
  public struct Span: BitwiseCopyable {
    public enum Kind: UInt8, BitwiseCopyable, Sendable {
      /// Of a lane, by its number.
      case hold, turn, least, refresh, exit, tick
      /// Of a combo, by its offset.
      case giftWait
      /// By the id of the wish, the item, the rain, the pin or the goal.
      case wishWait, spotWait, wishLikes, rainId, rainTally, rainGrace, pinRefresh, goalRefresh, goalPace, goalGrace
      /// A room has one.
      case burst, crowdTurn, crowdShow
    }

    /// The source of its length, where that is no setting.
    public enum Origin: BitwiseCopyable, Equatable, Sendable { case setting, tier(Int64), own }

    public let kind: Kind
    public let number: Int64
    public var id: Text
    public let ms: Milliseconds
    public let until: LogTime
    public let origin: Origin

    public init(
      _ kind: Kind, _ number: Int64 = 0, id: Text = .empty, ms: Milliseconds, until: LogTime, origin: Origin = .setting
    ) {
      self.kind = kind
      self.number = number
      self.id = id
      self.ms = ms
      self.until = until
      self.origin = origin
    }
  }

  /// The item that was skipped, if one was.
  public var skip: SkippedItem? {
    if case .skipped(let item) = self { item.whole } else { nil }
  }
}

/// The decisions that a batch keeps.
public enum Listening {
  case nobody
  /// `skipped` and `drawn`, of all rooms.
  case toItems
  /// All of one room's; whoever listens keeps the room's id.
  case toRoom(Text)
}
