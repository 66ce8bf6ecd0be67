/// A wish on its way from right to left.
public struct Banner: Sendable, Hashable, Identifiable {
  /// That of the command that let it fly: a wish may fly again once it has landed.
  public let id: RoomScreen.ID
  let fly: Command.WishFly
  /// When it starts at the right edge, in log time.
  public let startMs: Int64
  /// How many have liked it so far.
  public internal(set) var likes: Int64
  /// When its likes changed last, as far as this screen saw it.
  public internal(set) var likedAtMs: Int64?

  /// The wish that flies, by which it is liked: `GatewayClient.like(wish:in:)`.
  public var wishId: ID { fly.wishId }
  /// The row on which it flies, from 0 at the top.
  public var track: Int { fly.track }
  /// Who wishes.
  public var sender: Command.Sender { fly.sender }
  /// What is wished; draw it as plain text.
  public var text: String { fly.text }
  /// How to draw it: a word of the platform's, or empty.
  public var style: String { fly.style }
  /// How wide to draw it, in the units of the setting `wish.stageWidth`, which a stage's whole width is.
  public var width: Int64 { fly.width }
  /// How long it takes to cross the stage.
  public var durationMs: Int64 { fly.durationMs }
  /// When it has left at the left edge, in log time.
  public var landMs: Int64 { startMs.plus(fly.durationMs) }

  init(_ fly: Command.WishFly, command: ID, startMs: Int64) {
    id = command
    self.fly = fly
    self.startMs = startMs
    likes = fly.likes
  }

  /// Where its left edge is on a stage of `stageWidth`, in the units of both widths: at `stageWidth` when it starts,
  /// at −`width` when it lands.
  public func left(atMs: Int64, width: Int64, stageWidth: Int64) -> Int64 {
    guard atMs > startMs else { return stageWidth }
    guard atMs < landMs else { return Int64(0).minus(width) }
    let way = (Int128(stageWidth) + Int128(width)) * (Int128(atMs) - Int128(startMs))
    return Int64(clamping: Int128(stageWidth) - way / Int128(durationMs))
  }
}
