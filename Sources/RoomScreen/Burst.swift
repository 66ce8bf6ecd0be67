/// Likes that were tapped a moment ago.
public struct Burst: Sendable, Hashable, Identifiable {
  /// That of its command.
  public let id: RoomScreen.ID
  /// When it was told, in log time.
  public let atMs: Int64
  /// How many likes.
  public let count: Int64
  /// Where some of them were.
  public let points: [Command.LikeBurst.Point]

  var endMs: Int64 { atMs.plus(Screen.burstMs) }
}
