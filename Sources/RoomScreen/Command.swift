/// What a room's screen is told to draw (STAGES.md, section 8).
///
/// A screen that obeys its room's commands in their order needs no logic of its own: `Screen` does.
public struct Command: Sendable, Hashable, Identifiable {
  public var roomId: String
  /// `topic/partition/offset/n`: within its room an id never comes again.
  public var id: String
  /// When it is acted on, in log time: milliseconds since 1970 by the server's clock.
  public var atMs: Int64
  public var body: Body

  public init(roomId: String, id: String, atMs: Int64, body: Body) {
    self.roomId = roomId
    self.id = id
    self.atMs = atMs
    self.body = body
  }

  public enum Body: Sendable, Hashable {
    case giftShow(GiftShow)
    case giftBump(GiftBump)
    case giftHide(GiftHide)
    case wishFly(WishFly)
    case wishLikes(WishLikes)
    case wishGone(WishGone)
    case likeBurst(LikeBurst)
    case rainCountdown(RainCountdown)
    case rainDrop(RainDrop)
    case rainTally(RainTally)
    case rainEnd(RainEnd)
    case skipped(Skipped)
    case roomEnd(RoomEnded)
    /// A kind that a newer server knows. It draws nothing here.
    case unknown(kind: String)
  }
}
