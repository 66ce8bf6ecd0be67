/// An event of a viewer or of the platform, as it was understood (STAGES.md, section 2): every value is within its
/// range, names carry no control characters, defaults are filled in. Texts belong to the decoder, which keeps them
/// until its next event.
public struct RoomEvent {
  /// Empty: never a duplicate.
  public var eventId: Text
  public var roomId: Text
  public var body: Body

  /// The limit of an id, in bytes.
  public static var idLimit: Int { 256 }
  /// The limit of a combo's id, which begins with a topic's name, and of a spot's, which may begin with that.
  public static var comboIdLimit: Int { 1024 }

  @inlinable @inline(__always) public init(eventId: Text, roomId: Text, body: Body) {
    self.eventId = eventId
    self.roomId = roomId
    self.body = body
  }
}

/// Takes something back, wherever it is (STAGES.md, section 9). The schema has a field for each of its ids.
public struct Retract {
  public enum What {
    /// The wish of this id.
    case wish(Text)
    /// The combo of this id, as commands name it: `topic/partition/offset`; and what came of it to the spot.
    case combo(Text)
    /// The item of the spot with this id.
    case spot(Text)
    /// The pin of this id.
    case pin(Text)
    /// The goal of this id.
    case goal(Text)
    /// All combos, wishes, items of the spot and pins of this user, who is muted for so long; 0: not at all.
    case user(Text, muteMs: Milliseconds)
  }

  public var what: What

  @inlinable public init(_ what: What) { self.what = what }
}

extension Taps {
  /// The most points that an event has.
  public static var pointLimit: Int { 16 }
}

extension Goal {
  /// The unit that a goal counts in.
  public typealias By = GoalShow.By

  /// The most sides.
  public static var sideLimit: Int { 8 }
  /// The length of a goal that says none.
  public static var standardMs: Milliseconds { 3_600_000 }
  /// No progress, total or score is more.
  public static var most: Int64 { 9_000_000_000_000_000 }
}
