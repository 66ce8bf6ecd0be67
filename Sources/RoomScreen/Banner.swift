/// A wish on its way from right to left.
public struct Banner: Sendable, Hashable, Identifiable {
  /// That of the command that let it fly: a wish may fly again once it has landed.
  public let id: String
  let fly: Command.WishFly
  public let startMs: Int64
  public internal(set) var likes: Int64
  /// When its likes changed last, as far as this screen saw it.
  public internal(set) var likedAtMs: Int64?

  public var wishId: String { fly.wishId }
  public var track: Int { fly.track }
  public var sender: Command.Sender { fly.sender }
  public var text: String { fly.text }
  public var style: String { fly.style }
  public var width: Int64 { fly.width }
  public var durationMs: Int64 { fly.durationMs }
  public var landMs: Int64 { startMs.plus(fly.durationMs) }

  init(_ fly: Command.WishFly, command: String, startMs: Int64) {
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

  func asCommand(roomId: String) -> Command {
    var now = fly
    now.likes = likes
    return Command(roomId: roomId, id: id, atMs: startMs, body: .wishFly(now))
  }
}
