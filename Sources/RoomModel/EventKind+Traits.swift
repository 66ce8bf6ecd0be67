extension EventKind {
  /// The rules that hold for every event of a kind, where no setting says otherwise.
  public struct Traits: Sendable {
    public let user: User
    public let destination: Destination
    /// Events that one client may send to one room in a second. Nil: only all kinds together are limited.
    public let perSecond: Int?

    init(_ user: User, to destination: Destination, perSecond: Int? = nil) {
      self.user = user
      self.destination = destination
      self.perSecond = perSecond
    }
  }

  /// The place where an event says who does it.
  public enum User: Sendable {
    /// Its `sender`.
    case sender
    /// Its own `userId`.
    case own
    /// None: a platform does it.
    case none
  }

  /// The input topics that events made here are sent to.
  public enum Destination: Sendable {
    case gifts
    case wishes
    /// Each of them: the event concerns all that a room has.
    case all
  }

  /// It says who does it.
  public var hasUser: Bool {
    switch traits.user {
    case .sender, .own: true
    case .none: false
    }
  }
}
