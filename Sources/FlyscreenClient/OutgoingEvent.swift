/// A gift that is sent.
public struct OutgoingGift: Sendable, Hashable, Encodable {
  /// Which gift it is, by the platform's catalogue.
  public var giftId: String
  /// As it is drawn; empty: by its `giftId`.
  public var giftName: String
  /// Price of one.
  public var value: Int64
  /// How many at once; with a `streakId`, how many so far.
  public var count: Int64
  /// Whom in the room it is for; empty: the room.
  public var receiverId: String
  /// With it `count` is cumulative: how many have been sent in this streak so far.
  public var streakId: String

  /// One gift, of no price, for the room, unless told otherwise.
  public init(
    giftId: String, giftName: String = "", value: Int64 = 0, count: Int64 = 1, receiverId: String = "",
    streakId: String = ""
  ) {
    self.giftId = giftId
    self.giftName = giftName
    self.value = value
    self.count = count
    self.receiverId = receiverId
    self.streakId = streakId
  }
}

/// An event as it is posted (STAGES.md, section 2).
struct OutgoingEvent: Encodable {
  struct Gift: Encodable {
    let sender: Who
    let giftId, giftName: String
    let value, count: Int64
    let receiverId, streakId: String
  }

  struct Wish: Encodable {
    let sender: Who
    let text, style, wishId: String
  }

  struct WishLike: Encodable { let userId, wishId: String }

  struct Tap: Encodable {
    let userId: String
    let x, y: Int
  }

  struct Grab: Encodable, Sendable {
    let rainId: String
    let packet: Int
    let userId: String
  }

  struct Who: Encodable { let userId, name, avatarUrl: String }

  let eventId: String
  let roomId: String
  var gift: Gift?
  var wish: Wish?
  var wishLike: WishLike?
  var tap: Tap?
  var rainGrab: Grab?
}
