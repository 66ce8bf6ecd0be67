/// The kinds of events, by their names in the schema and in settings.
public enum EventKind: String, CaseIterable, Sendable {
  case gift, wish, wishLike, tap, rainStart, rainGrab, spot, retract, roomSettings, roomEnd

  /// The place where an event says who does it.
  public enum User: Sendable {
    /// Its `sender`.
    case sender
    /// Its own `userId`.
    case own
    /// None: a platform does it.
    case none
  }

  public var user: User {
    switch self {
    case .gift, .wish, .spot: .sender
    case .wishLike, .tap, .rainGrab: .own
    case .rainStart, .retract, .roomSettings, .roomEnd: .none
    }
  }

  /// It says who does it.
  public var hasUser: Bool {
    switch user {
    case .sender, .own: true
    case .none: false
    }
  }
}

extension RoomEvent.Body {
  public var kind: EventKind {
    switch self {
    case .gift: .gift
    case .wish: .wish
    case .wishLike: .wishLike
    case .tap: .tap
    case .rainStart: .rainStart
    case .rainGrab: .rainGrab
    case .spot: .spot
    case .retract: .retract
    case .roomSettings: .roomSettings
    case .roomEnd: .roomEnd
    }
  }

  /// The user who did it; nil if it doesn't say.
  public var user: Text? {
    switch self {
    case .gift(let gift): gift.sender.userId
    case .wish(let wish): wish.sender.userId
    case .wishLike(let like): like.userId
    case .tap(let tap): tap.userId
    case .rainGrab(let grab): grab.userId
    case .spot(let spot): spot.sender.userId
    case .rainStart, .retract, .roomSettings, .roomEnd: nil
    }
  }
}
