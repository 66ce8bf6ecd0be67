public import RoomScreen

/// One message of a stream.
public enum RoomUpdate: Sendable, Hashable {
  /// A room's screen as it is now. It replaces all that was drawn before.
  case snapshot(Snapshot)
  /// One command, after those before it: ``Screen/apply(_:)`` draws it.
  case command(Command)
  /// The result of a grab of this user.
  case result(RainResult)
  /// The time by which these rooms are to be shown behind the log from now on, so that commands come in time: glide
  /// there, and never jump. A snapshot tells it first (``Snapshot/lagMs``).
  case pace(lag: Duration, rooms: [ID])
  /// The state of the stream of these rooms: all rooms of a loop, or one where each has a stream of its own.
  case connection(Connection, rooms: [ID])

  /// The state of a stream.
  public enum Connection: Sendable, Hashable {
    /// The stream is being opened, for the first time or again.
    case connecting
    /// The gateway has answered, and tells.
    case open
    /// The stream broke, or could not be opened; the next try comes after this time.
    case waiting(Duration, because: String)
    /// The stream has ended for good. A loop throws this error when none of its rooms is left.
    case refused(GatewayError)
  }
}

/// The result of one grab of a red packet (STAGES.md, section 6).
public struct RainResult: Sendable, Hashable, Codable, Identifiable {
  public var id: RoomScreen.ID
  /// The room in which it rained.
  public var roomId: ID
  /// The event of the grab that this answers.
  public var eventId: ID
  /// The rain that the packet belongs to.
  public var rainId: ID
  /// The packet that was grabbed, as ``Rain/Drop/packet``.
  public var packet: Int
  /// The user who grabbed.
  public var userId: ID
  /// `won`, `empty`, `again`, `missed`.
  public var outcome: String
  /// Coins that were won. Of `again`: those of the first grab, which are not paid twice.
  public var coins: Int64

  package init(
    id: ID, roomId: ID, eventId: ID, rainId: ID, packet: Int, userId: ID, outcome: String,
    coins: Int64
  ) {
    self.id = id
    self.roomId = roomId
    self.eventId = eventId
    self.rainId = rainId
    self.packet = packet
    self.userId = userId
    self.outcome = outcome
    self.coins = coins
  }
}
