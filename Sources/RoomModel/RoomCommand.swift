/// What clients draw (STAGES.md, section 8). Texts belong to the `CommandBatch` that the command is in.
package struct RoomCommand {
  package var roomId: Text
  /// The last record of the partition whose turn had come; with the log's name and `place` it makes the command's id.
  package var recordOffset: Int64
  /// From 0, among the room's commands since that record.
  package var place: Int64
  /// When a client acts on it.
  package var atMs: LogTime
  package var body: Body

  package enum Body {
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
    /// Nothing of this room's that came from this partition is on the screen any more.
    case roomEnd(RoomEnded)

    /// Which of them, in the order of the page.
    package enum Kind: UInt8, CaseIterable, Sendable {
      case giftShow, giftBump, giftHide, wishFly, wishLikes, wishGone, likeBurst
      case rainCountdown, rainDrop, rainTally, rainEnd, skipped, roomEnd
    }

    @inlinable @inline(__always) package var kind: Kind {
      switch self {
      case .giftShow: .giftShow
      case .giftBump: .giftBump
      case .giftHide: .giftHide
      case .wishFly: .wishFly
      case .wishLikes: .wishLikes
      case .wishGone: .wishGone
      case .likeBurst: .likeBurst
      case .rainCountdown: .rainCountdown
      case .rainDrop: .rainDrop
      case .rainTally: .rainTally
      case .rainEnd: .rainEnd
      case .skipped: .skipped
      case .roomEnd: .roomEnd
      }
    }
  }

  @inlinable @inline(__always) package init(roomId: Text, recordOffset: Int64, place: Int64, atMs: LogTime, body: Body)
  {
    self.roomId = roomId
    self.recordOffset = recordOffset
    self.place = place
    self.atMs = atMs
    self.body = body
  }
}

/// The combo that is on `lane`, as it is now. Combos are named by the offset of the event that they began with.
package struct GiftShow {
  package var comboOffset: Int64 = 0
  package var lane: Int64 = 0
  package var sender = Sender()
  package var receiverId = Text.empty
  package var giftId = Text.empty
  package var giftName = Text.empty
  package var value: Int64 = 0
  package var from: Int64 = 0
  package var total: Int64 = 0
  package var enterMs: Milliseconds = 0
  /// How many of the tiers in force its worth has reached.
  package var tier: Int64 = 0

  package init() {}

  @inlinable @inline(__always) package init(
    comboOffset: Int64, lane: Int64, sender: Sender, receiverId: Text, giftId: Text, giftName: Text, value: Int64,
    from: Int64, total: Int64, enterMs: Milliseconds, tier: Int64
  ) {
    self.comboOffset = comboOffset
    self.lane = lane
    self.sender = sender
    self.receiverId = receiverId
    self.giftId = giftId
    self.giftName = giftName
    self.value = value
    self.from = from
    self.total = total
    self.enterMs = enterMs
    self.tier = tier
  }
}

package struct GiftBump {
  package var comboOffset: Int64 = 0
  package var lane: Int64 = 0
  package var count: Int64 = 0
  package var tickMs: Milliseconds = 0

  package init() {}

  @inlinable @inline(__always) package init(comboOffset: Int64, lane: Int64, count: Int64, tickMs: Milliseconds) {
    self.comboOffset = comboOffset
    self.lane = lane
    self.count = count
    self.tickMs = tickMs
  }
}

package struct GiftHide {
  package var comboOffset: Int64 = 0
  package var lane: Int64 = 0
  package var count: Int64 = 0
  package var exitMs: Milliseconds = 0

  package init() {}

  @inlinable @inline(__always) package init(comboOffset: Int64, lane: Int64, count: Int64, exitMs: Milliseconds) {
    self.comboOffset = comboOffset
    self.lane = lane
    self.count = count
    self.exitMs = exitMs
  }
}

package struct WishFly {
  package var wishId = Text.empty
  package var track: Int64 = 0
  package var sender = Sender()
  package var text = Text.empty
  package var style = Text.empty
  package var width: Int64 = 0
  package var durationMs: Milliseconds = 0
  package var likes: Int64 = 0

  package init() {}

  @inlinable package init(
    wishId: Text, track: Int64, sender: Sender, text: Text, style: Text, width: Int64, durationMs: Milliseconds,
    likes: Int64
  ) {
    self.wishId = wishId
    self.track = track
    self.sender = sender
    self.text = text
    self.style = style
    self.width = width
    self.durationMs = durationMs
    self.likes = likes
  }
}

package struct WishLikes {
  package var wishId = Text.empty
  package var likes: Int64 = 0

  package init() {}

  @inlinable package init(wishId: Text, likes: Int64) {
    self.wishId = wishId
    self.likes = likes
  }
}

/// A wish that flew is taken back.
package struct WishGone {
  package var wishId = Text.empty

  package init() {}

  @inlinable package init(wishId: Text) { self.wishId = wishId }
}

package struct LikeBurst {
  /// More points than this no burst carries, whatever the settings say: it has to fit a record of 1 MiB.
  package static let pointLimit: Int64 = 50_000

  /// How many since the last burst.
  package var count: Int64 = 0
  /// Where the first of them were. The batch's, like the texts.
  package var points = UnsafeBufferPointer<Point>(start: nil, count: 0)

  package init() {}

  @inlinable package init(count: Int64, points: UnsafeBufferPointer<Point>) {
    self.count = count
    self.points = points
  }
}

/// Thousandths of the stage, 0…999.
package struct Point: Equatable, Sendable {
  package var x: Int64 = 0
  package var y: Int64 = 0

  package init() {}

  @inlinable package init(x: Int64, y: Int64) {
    self.x = x
    self.y = y
  }
}

package struct RainCountdown {
  package var rainId = Text.empty
  /// Seconds.
  package var left: Int64 = 0
  /// When the rain starts.
  package var startMs: LogTime = 0
  package var durationMs: Milliseconds = 0

  package init() {}

  @inlinable package init(rainId: Text, left: Int64, startMs: LogTime, durationMs: Milliseconds) {
    self.rainId = rainId
    self.left = left
    self.startMs = startMs
    self.durationMs = durationMs
  }
}

package struct RainDrop {
  package var rainId = Text.empty
  package var packet: Int64 = 0
  /// Thousandths of the stage, 0…999.
  package var x: Int64 = 0
  package var fallMs: Milliseconds = 0
  /// Degrees: how it hangs, and how far it turns.
  package var angle: Int64 = 0
  package var spin: Int64 = 0
  /// Where it lands; as `x`.
  package var toX: Int64 = 0
  /// In which time it turns by `spin`.
  package var spinMs: Milliseconds = 0

  package init() {}

  @inlinable package init(
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
package struct RainTally {
  package var rainId = Text.empty
  package var opened: Int64 = 0
  package var winners: Int64 = 0
  package var coins: Int64 = 0

  package init() {}

  @inlinable package init(rainId: Text, opened: Int64, winners: Int64, coins: Int64) {
    self.rainId = rainId
    self.opened = opened
    self.winners = winners
    self.coins = coins
  }
}

package struct RainEnd {
  package var rainId = Text.empty

  package init() {}

  @inlinable package init(rainId: Text) { self.rainId = rainId }
}

package struct Skipped {
  package var stage = Stage.gift
  package var reason = Reason.overflow
  package var items: Int64 = 0
  /// Gifts, or 1 a wish.
  package var units: Int64 = 0

  package enum Stage: UInt8, CaseIterable, Sendable { case gift, wish }
  /// In the order in which they are told.
  package enum Reason: UInt8, CaseIterable, Sendable { case overflow, expired, retracted, ended }

  package init() {}

  @inlinable package init(stage: Stage, reason: Reason, items: Int64, units: Int64) {
    self.stage = stage
    self.reason = reason
    self.items = items
    self.units = units
  }
}

package struct RoomEnded {
  package init() {}
}
