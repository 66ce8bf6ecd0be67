/// A wish on its way from right to left.
public struct Banner: Sendable, Hashable, Identifiable {
  /// The id of the command that let it fly: a wish may fly again once it has landed.
  public let id: RoomScreen.ID
  let fly: Command.WishFly
  /// The log time at which it starts at the right edge.
  public let startMs: Int64
  /// The number of likes so far.
  public internal(set) var likes: Int64
  /// The log time at which its likes changed last; nil if this screen saw no change.
  public internal(set) var likedAtMs: Int64?

  /// The wish that flies, by which it is liked: `GatewayClient.like(wish:in:)`.
  public var wishId: ID { fly.wishId }
  /// The row on which it flies, from 0 at the top.
  public var track: Int { fly.track }
  /// The viewer who wishes.
  public var sender: Command.Sender { fly.sender }
  /// The text of the wish; draw it as plain text.
  public var text: String { fly.text }
  /// The style: a word of the platform's, or empty.
  public var style: String { fly.style }
  /// The platform's own.
  public var extra: String { fly.extra }
  /// The width to draw, in the units of the setting `wish.stageWidth`: a stage is that wide.
  public var width: Int64 { fly.width }
  /// The milliseconds that it takes to cross the stage.
  public var durationMs: Int64 { fly.durationMs }
  /// The log time at which it has left at the left edge.
  public var landMs: Int64 { startMs.plus(fly.durationMs) }

  init(_ fly: Command.WishFly, command: ID, startMs: Int64) {
    id = command
    self.fly = fly
    self.startMs = startMs
    likes = fly.likes
  }

  /// The place of its left edge on a stage of `stageWidth`, in the units of both widths: `stageWidth` when it starts,
  /// −`width` when it lands.
  public func left(atMs: Int64, width: Int64, stageWidth: Int64) -> Int64 {
    guard atMs > startMs else { return stageWidth }
    guard atMs < landMs else { return Int64(0).minus(width) }
    let way = (Int128(stageWidth) + Int128(width)) * (Int128(atMs) - Int128(startMs))
    return Int64(clamping: Int128(stageWidth) - way / Int128(durationMs))
  }
}

extension Banner: ScreenItem {
  mutating func keepParts(_ stays: (_ command: ID, _ endMs: Int64?) -> Bool) -> Bool { stays(id, landMs) }

  func appendCommands(roomId: RoomScreen.ID, to commands: inout [Command]) {
    var now = fly
    now.likes = likes
    commands.append(Command(roomId: roomId, id: id, atMs: startMs, body: .wishFly(now)))
  }
}
