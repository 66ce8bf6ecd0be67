extension Command {
  /// Nothing of this room's that came from this input partition is on the screen any more.
  public struct RoomEnded: Sendable, Hashable, Codable {
    /// An end; it has nothing more to say.
    public init() {}
  }
}
