/// Likes that were tapped a moment ago.
public struct Burst: Sendable, Hashable, Identifiable {
  /// The id of its command.
  public let id: RoomScreen.ID
  /// The log time of its command.
  public let atMs: Int64
  /// The number of likes.
  public let count: Int64
  /// The places of some of them.
  public let points: [Command.Point]

  var endMs: Int64 { atMs.plus(Screen.burstMs) }
}

extension Burst: ScreenItem {
  mutating func keepParts(_ stays: (_ command: ID, _ endMs: Int64?) -> Bool) -> Bool { stays(id, endMs) }

  func appendCommands(roomId: RoomScreen.ID, to commands: inout [Command]) {}
}
