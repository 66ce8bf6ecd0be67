/// A command that clients draw (STAGES.md, section 10). Texts belong to the `CommandBatch` that the command is in.
public struct RoomCommand {
  public var roomId: Text
  /// The last record of the partition whose turn had come; with the log's name and `place` it makes the command's id.
  public var recordOffset: Int64
  /// Its number, from 0, among the room's commands since that record.
  public var place: Int64
  /// The time when a client acts on it.
  public var atMs: LogTime
  public var body: Body

  @inlinable @inline(__always) public init(roomId: Text, recordOffset: Int64, place: Int64, atMs: LogTime, body: Body) {
    self.roomId = roomId
    self.recordOffset = recordOffset
    self.place = place
    self.atMs = atMs
    self.body = body
  }
}

/// The combo that is on `lane`, as it is now. Combos are named by the offset of the event that they began with.
public struct GiftShow: BitwiseCopyable {
  public var comboOffset: Int64 = 0
  public var lane: Int64 = 0
  public var sender = Sender()
  public var receiverId = Text.empty
  public var receiverName = Text.empty
  public var giftId = Text.empty
  public var giftName = Text.empty
  public var value: Int64 = 0
  public var from: Int64 = 0
  public var total: Int64 = 0
  public var enterMs: Milliseconds = 0
  /// The number of tiers in force that its worth has reached.
  public var tier: Int64 = 0
  /// The platform's own, as its first gift had it.
  public var extra = Text.empty

  public init() {}

  @inlinable @inline(__always) public init(
    comboOffset: Int64, lane: Int64, sender: Sender, receiverId: Text, receiverName: Text, giftId: Text,
    giftName: Text, value: Int64, from: Int64, total: Int64, enterMs: Milliseconds, tier: Int64, extra: Text
  ) {
    self.comboOffset = comboOffset
    self.lane = lane
    self.sender = sender
    self.receiverId = receiverId
    self.receiverName = receiverName
    self.giftId = giftId
    self.giftName = giftName
    self.value = value
    self.from = from
    self.total = total
    self.enterMs = enterMs
    self.tier = tier
    self.extra = extra
  }
}

public struct GiftBump {
  public var comboOffset: Int64 = 0
  public var lane: Int64 = 0
  public var count: Int64 = 0
  public var tickMs: Milliseconds = 0

  public init() {}

  @inlinable @inline(__always) public init(comboOffset: Int64, lane: Int64, count: Int64, tickMs: Milliseconds) {
    self.comboOffset = comboOffset
    self.lane = lane
    self.count = count
    self.tickMs = tickMs
  }
}

public struct GiftHide {
  public var comboOffset: Int64 = 0
  public var lane: Int64 = 0
  public var count: Int64 = 0
  public var exitMs: Milliseconds = 0

  public init() {}

  @inlinable @inline(__always) public init(comboOffset: Int64, lane: Int64, count: Int64, exitMs: Milliseconds) {
    self.comboOffset = comboOffset
    self.lane = lane
    self.count = count
    self.exitMs = exitMs
  }
}

public struct WishFly: BitwiseCopyable {
  public var wishId = Text.empty
  public var track: Int64 = 0
  public var sender = Sender()
  public var text = Text.empty
  public var style = Text.empty
  public var width: Int64 = 0
  public var durationMs: Milliseconds = 0
  public var likes: Int64 = 0
  /// The platform's own.
  public var extra = Text.empty

  public init() {}

  @inlinable public init(
    wishId: Text, track: Int64, sender: Sender, text: Text, style: Text, width: Int64, durationMs: Milliseconds,
    likes: Int64, extra: Text
  ) {
    self.wishId = wishId
    self.track = track
    self.sender = sender
    self.text = text
    self.style = style
    self.width = width
    self.durationMs = durationMs
    self.likes = likes
    self.extra = extra
  }
}

public struct WishLikes {
  public var wishId = Text.empty
  public var likes: Int64 = 0

  public init() {}

  @inlinable public init(wishId: Text, likes: Int64) {
    self.wishId = wishId
    self.likes = likes
  }
}

/// A wish that flew is taken back.
public struct WishGone {
  public var wishId = Text.empty

  public init() {}

  @inlinable public init(wishId: Text) { self.wishId = wishId }
}

public struct LikeBurst {
  /// More points than this no burst carries, whatever the settings say: it has to fit a record of 1 MiB.
  public static let pointLimit: Int64 = 50_000

  /// The number of likes since the last burst.
  public var count: Int64 = 0
  /// Places of the first of them. The batch's, like the texts.
  public var points = UnsafeBufferPointer<Point>(start: nil, count: 0)

  public init() {}

  @inlinable public init(count: Int64, points: UnsafeBufferPointer<Point>) {
    self.count = count
    self.points = points
  }
}

/// Thousandths of the stage, 0…999.
public struct Point: BitwiseCopyable, Equatable, Sendable {
  public var x: Int64 = 0
  public var y: Int64 = 0

  public init() {}

  @inlinable public init(x: Int64, y: Int64) {
    self.x = x
    self.y = y
  }
}

public struct RainCountdown: BitwiseCopyable {
  public var rainId = Text.empty
  /// Seconds.
  public var left: Int64 = 0
  /// The time when the rain starts.
  public var startMs: LogTime = 0
  public var durationMs: Milliseconds = 0
  /// The platform's own.
  public var extra = Text.empty

  public init() {}

  @inlinable public init(rainId: Text, left: Int64, startMs: LogTime, durationMs: Milliseconds, extra: Text) {
    self.rainId = rainId
    self.left = left
    self.startMs = startMs
    self.durationMs = durationMs
    self.extra = extra
  }
}

public struct RainDrop: BitwiseCopyable {
  public var rainId = Text.empty
  public var packet: Int64 = 0
  /// Thousandths of the stage, 0…999.
  public var x: Int64 = 0
  public var fallMs: Milliseconds = 0
  /// Degrees: how it hangs, and how far it turns.
  public var angle: Int64 = 0
  public var spin: Int64 = 0
  /// The place where it lands; as `x`.
  public var toX: Int64 = 0
  /// The time in which it turns by `spin`.
  public var spinMs: Milliseconds = 0

  public init() {}

  @inlinable public init(
    rainId: Text, packet: Int64, x: Int64, fallMs: Milliseconds, angle: Int64, spin: Int64, toX: Int64,
    spinMs: Milliseconds
  ) {
    self.rainId = rainId
    self.packet = packet
    self.x = x
    self.fallMs = fallMs
    self.angle = angle
    self.spin = spin
    self.toX = toX
    self.spinMs = spinMs
  }
}

/// Totals of the rain so far.
public struct RainTally {
  public var rainId = Text.empty
  public var opened: Int64 = 0
  public var winners: Int64 = 0
  public var coins: Int64 = 0

  public init() {}

  @inlinable public init(rainId: Text, opened: Int64, winners: Int64, coins: Int64) {
    self.rainId = rainId
    self.opened = opened
    self.winners = winners
    self.coins = coins
  }
}

public struct RainEnd {
  public var rainId = Text.empty

  public init() {}

  @inlinable public init(rainId: Text) { self.rainId = rainId }
}

/// An item fills the screen from now on: of an event `spot`, or of a gift whose combo has reached a tier.
public struct SpotShow: BitwiseCopyable {
  public var spotId = Text.empty
  /// Its kind; `gift` of a gift.
  public var kind = Text.empty
  /// Empty: it is of an event; so are receiver and gift then.
  public var comboId = Text.empty
  public var sender = Sender()
  public var receiverId = Text.empty
  public var receiverName = Text.empty
  public var giftId = Text.empty
  public var giftName = Text.empty
  /// The event's value, or the price of one gift.
  public var value: Int64 = 0
  /// The combo's total when it reached `tier`; of an event both are 0.
  public var total: Int64 = 0
  public var tier: Int64 = 0
  public var text = Text.empty
  public var style = Text.empty
  public var durationMs: Milliseconds = 0
  /// The platform's own.
  public var extra = Text.empty

  public init() {}
}

/// The item that fills the screen is taken back, or ends with the room.
public struct SpotGone {
  public var spotId = Text.empty

  public init() {}

  @inlinable public init(spotId: Text) { self.spotId = spotId }
}

/// A crowd as it is now: gifts of one kind that found no lane. Crowds are named by the offset of the event that the
/// first of their combos began with.
public struct CrowdShow: BitwiseCopyable {
  /// The number of senders that a crowd names.
  public static let nameLimit = 3

  public var crowdOffset: Int64 = 0
  public var receiverId = Text.empty
  public var receiverName = Text.empty
  public var giftId = Text.empty
  public var giftName = Text.empty
  /// The price of one.
  public var value: Int64 = 0
  /// Combos that joined, and gifts in them.
  public var items: Int64 = 0
  public var units: Int64 = 0
  /// Up to three senders of the dearest items. The batch keeps them, as it keeps the texts.
  public var names = UnsafeBufferPointer<Sender>(start: nil, count: 0)

  public init() {}

  @inlinable public init(
    crowdOffset: Int64, receiverId: Text, receiverName: Text, giftId: Text, giftName: Text, value: Int64,
    items: Int64, units: Int64, names: UnsafeBufferPointer<Sender>
  ) {
    self.crowdOffset = crowdOffset
    self.receiverId = receiverId
    self.receiverName = receiverName
    self.giftId = giftId
    self.giftName = giftName
    self.value = value
    self.items = items
    self.units = units
    self.names = names
  }
}

/// The bar for crowds is free.
public struct CrowdHide {
  public var crowdOffset: Int64 = 0

  public init() {}

  @inlinable public init(crowdOffset: Int64) { self.crowdOffset = crowdOffset }
}

public struct Skipped {
  public var stage = Stage.gift
  public var reason = Reason.overflow
  public var items: Int64 = 0
  /// Gifts, or 1 a wish, item of the spot or pin.
  public var units: Int64 = 0

  public enum Stage: UInt8, BitwiseCopyable, CaseIterable, Sendable { case gift, wish, spot, pin }
  /// Reasons in the order in which they are told.
  public enum Reason: UInt8, BitwiseCopyable, CaseIterable, Sendable { case overflow, expired, retracted, ended }

  public init() {}

  @inlinable public init(stage: Stage, reason: Reason, items: Int64, units: Int64) {
    self.stage = stage
    self.reason = reason
    self.items = items
    self.units = units
  }
}

public struct RoomEnded {
  public init() {}
}
