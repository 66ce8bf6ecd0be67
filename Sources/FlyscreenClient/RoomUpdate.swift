/// What a stream says.
public enum RoomUpdate: Sendable, Hashable {
  /// What is on this room's screen now, whatever was before.
  case snapshot(Snapshot)
  /// One command, after those before it: ``Screen/apply(_:)`` draws it.
  case command(Command)
  /// What a grab of this user gave.
  case result(RainResult)
  /// How the stream of these rooms is: all of a loop's, or one where each has a stream of its own.
  case connection(Connection, rooms: [String])

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
  public var id: String
  /// The room in which it rained.
  public var roomId: String
  /// Of the grab that this answers.
  public var eventId: String
  /// Which rain the packet is of.
  public var rainId: String
  /// Which packet was grabbed, as ``Rain/Drop/packet``.
  public var packet: Int
  /// Who grabbed.
  public var userId: String
  /// `won`, `empty`, `again`, `missed`.
  public var outcome: String
  /// What was won; of `again` what the first grab had won, which is not paid twice.
  public var coins: Int64

  package init(
    id: String, roomId: String, eventId: String, rainId: String, packet: Int, userId: String, outcome: String,
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
