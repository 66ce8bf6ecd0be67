public import RoomScreen

/// A gift that is sent.
public struct OutgoingGift: Sendable, Hashable, Encodable {
  /// The gift, by the platform's catalogue.
  public var giftId: ID
  /// The name to draw; empty: its `giftId` is drawn.
  public var giftName: String
  /// Price of one.
  public var value: Int64
  /// The number of gifts sent at once; with a `streakId`, of those sent so far.
  public var count: Int64
  /// The receiver in the room; empty: the room.
  public var receiverId: ID
  /// The receiver's name, as it is drawn; may be empty.
  public var receiverName: String
  /// The streak. With one, `count` is cumulative: the gifts sent in this streak so far.
  public var streakId: ID

  /// A gift event. By default it is one gift, without a price, for the room.
  public init(
    giftId: ID, giftName: String = "", value: Int64 = 0, count: Int64 = 1, receiverId: ID = "",
    receiverName: String = "",
    streakId: ID = ""
  ) {
    self.giftId = giftId
    self.giftName = giftName
    self.value = value
    self.count = count
    self.receiverId = receiverId
    self.receiverName = receiverName
    self.streakId = streakId
  }
}

/// An event as it is posted (STAGES.md, section 2).
struct OutgoingEvent: Encodable {
  struct Gift: Encodable {
    let sender: Who
    let giftId: ID
    let giftName: String
    let value, count: Int64
    let receiverId: ID
    let receiverName: String
    let streakId: ID
  }

  struct Wish: Encodable {
    let sender: Who
    let text, style: String
    let wishId: ID
  }

  struct WishLike: Encodable { let userId, wishId: ID }

  struct Tap: Encodable {
    let userId: ID
    let x, y: Int
  }

  struct Taps: Encodable {
    let userId, runId: ID
    let count: Int64
    let points: [Command.Point]
  }

  struct Grab: Encodable, Sendable {
    let rainId: ID
    let packet: Int
    let userId: ID
  }

  struct Who: Encodable {
    let userId: ID
    let name, avatarUrl: String
  }

  let eventId: ID
  let roomId: ID
  var gift: Gift?
  var wish: Wish?
  var wishLike: WishLike?
  var tap: Tap?
  var taps: Taps?
  var rainGrab: Grab?
}
