/// One thing that the engine decided for a room, told where it is decided with the numbers that were used: by later
/// settings nobody could tell. Decisions are told only to a batch that listens, and are good until `removeAll()`.
public enum Decision: BitwiseCopyable {
  /// A deadline was set.
  case span(Span)
  /// A combo, a wish or an item of the spot was skipped, or a combo joined a crowd.
  case skipped(Lent<SkippedItem>)
  /// A gift view was hidden.
  case hidden(HideCause)
  /// A retract (`retracted`) or the room's end (`ended`) ended an item, whether or not something of it was left to be shown.
  case removed(Removed, Skipped.Reason)
  /// A banner started that long after the one before; nil: there was none that still counted.
  case bannerStarted(sinceLastMs: Milliseconds?)

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

  /// A combo, by the offset of its first event, or a wish or an item of the spot, by its id.
  public struct Removed: BitwiseCopyable {
    public let stage: Skipped.Stage
    public let offset: Int64
    public var id: Text

    public init(combo offset: Int64) { (stage, self.offset, id) = (.gift, offset, .empty) }
    public init(wish id: Text) { (stage, offset, self.id) = (.wish, -1, id) }
    public init(spot id: Text) { (stage, offset, self.id) = (.spot, -1, id) }
  }

  /// A time that began, by a setting's value of then, and its end.
  public struct Span: BitwiseCopyable {
    public enum Kind: UInt8, BitwiseCopyable, Sendable {
      /// Of a lane, by its number.
      case hold, turn, least, refresh, exit, tick
      /// Of a combo, by its offset.
      case giftWait
      /// By the id of the wish, the item or the rain.
      case wishWait, spotWait, wishLikes, rainId
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
  /// `skipped`, of all rooms.
  case toSkips
  /// All of one room's; whoever listens keeps the room's id.
  case toRoom(Text)
}
