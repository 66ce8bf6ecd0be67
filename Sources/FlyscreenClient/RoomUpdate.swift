/// What a stream says.
public enum RoomUpdate: Sendable, Hashable {
  /// What is on this room's screen now, whatever was before.
  case snapshot(Snapshot)
  case command(Command)
  /// What a grab of this user gave.
  case result(RainResult)
  /// How the stream is.
  case connection(Connection)

  public enum Connection: Sendable, Hashable {
    case connecting
    case open
    /// It broke, or could not be opened; it is tried again after this time.
    case waiting(Duration, because: String)
  }
}

/// What one grab of a red packet gave (STAGES.md, section 6).
public struct RainResult: Sendable, Hashable, Codable, Identifiable {
  public var id: String
  public var roomId: String
  public var eventId: String
  public var rainId: String
  public var packet: Int
  public var userId: String
  /// `won`, `empty`, `again`, `missed`.
  public var outcome: String
  public var coins: Int64
}
