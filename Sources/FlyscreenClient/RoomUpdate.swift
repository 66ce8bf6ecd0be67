public import RoomScreen

/// What a stream says.
public enum RoomUpdate: Sendable, Hashable {
  /// What is on this room's screen now, whatever was before.
  case snapshot(Snapshot)
  /// One command, after those before it: ``Screen/apply(_:)`` draws it.
  case command(Command)
  /// What a grab of this user gave.
  case result(RainResult)
  /// How the stream of these rooms is: all of a loop's, or one where each has a stream of its own.
  case connection(Connection, rooms: [ID])

  /// How a stream is.
  public enum Connection: Sendable, Hashable {
    /// It is being opened, for the first time or again.
    case connecting
    /// The gateway has answered, and tells.
    case open
    /// It broke, or could not be opened; it is tried again after this time.
    case waiting(Duration, because: String)
    /// It has ended for good. A loop throws that when none of its rooms is left.
    case refused(GatewayError)
  }
}

/// What one grab of a red packet gave (STAGES.md, section 6).
public struct RainResult: Sendable, Hashable, Codable, Identifiable {
  public var id: RoomScreen.ID
  /// The room in which it rained.
  public var roomId: ID
  /// Of the grab that this answers.
  public var eventId: ID
  /// Which rain the packet is of.
  public var rainId: ID
  /// Which packet was grabbed, as ``Rain/Drop/packet``.
  public var packet: Int
  /// Who grabbed.
  public var userId: ID
  /// `won`, `empty`, `again`, `missed`.
  public var outcome: String
  /// What was won; of `again` what the first grab had won, which is not paid twice.
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
