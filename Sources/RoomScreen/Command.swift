/// A command that a room's screen draws (STAGES.md, section 10).
///
/// A screen that obeys its room's commands in their order needs no logic of its own: `Screen` does.
public struct Command: Sendable, Hashable, Identifiable {
  /// The room whose screen it is for.
  public var roomId: ID
  /// `topic/partition/offset/n`: within its room an id never comes again.
  public var id: RoomScreen.ID
  /// The log time when it is acted on: milliseconds since 1970 by the server's clock.
  public var atMs: Int64
  /// The thing to draw.
  public var body: Body

  /// A command, as a gateway or a test tells it.
  public init(roomId: ID, id: ID, atMs: Int64, body: Body) {
    self.roomId = roomId
    self.id = id
    self.atMs = atMs
    self.body = body
  }

  /// The thing to draw, by its kind.
  public enum Body: Sendable, Hashable {
    /// A combo enters its lane, or stands there.
    case giftShow(GiftShow)
    /// Its number pops.
    case giftBump(GiftBump)
    /// It leaves its lane.
    case giftHide(GiftHide)
    /// A banner starts.
    case wishFly(WishFly)
    /// A banner has more likes.
    case wishLikes(WishLikes)
    /// A banner is taken back.
    case wishGone(WishGone)
    /// Hearts rise.
    case likeBurst(LikeBurst)
    /// A rain is about to start.
    case rainCountdown(RainCountdown)
    /// A packet drops.
    case rainDrop(RainDrop)
    /// The sums of a rain so far.
    case rainTally(RainTally)
    /// A rain is over.
    case rainEnd(RainEnd)
    /// Something fills the screen.
    case spotShow(SpotShow)
    /// The item that fills the screen is taken back.
    case spotGone(SpotGone)
    /// The bar shows a crowd.
    case crowdShow(CrowdShow)
    /// The bar is free.
    case crowdHide(CrowdHide)
    /// Items were not shown.
    case skipped(Skipped)
    /// The room has ended.
    case roomEnd(RoomEnded)
    /// A kind that a newer server knows. It draws nothing here.
    case unknown(kind: String)
  }
}
