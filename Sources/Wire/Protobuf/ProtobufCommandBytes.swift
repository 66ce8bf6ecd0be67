import RoomModel

/// Commands as Protobuf.
extension ByteBuffer {
  /// `log` is what ids begin with.
  mutating func appendProtobuf(_ command: borrowing RoomCommand, log: Text) {
    append(Fields.Command.roomId, command.roomId)
    let id = beginMessage(Fields.Command.id)
    append(log)
    append(command.recordOffset)
    append(UInt8(ascii: "/"))
    append(command.place)
    endMessage(id)
    append(Fields.Command.atMs, command.atMs)
    switch command.body {
    case .giftShow(let show): appendProtobuf(show, log)
    case .giftBump(let bump): appendProtobuf(bump, log)
    case .giftHide(let hide): appendProtobuf(hide, log)
    case .wishFly(let fly): appendProtobuf(fly)
    case .wishLikes(let likes): appendProtobuf(likes)
    case .likeBurst(let burst): appendProtobuf(burst)
    case .rainCountdown(let countdown): appendProtobuf(countdown)
    case .rainDrop(let drop): appendProtobuf(drop)
    case .rainTally(let tally): appendProtobuf(tally)
    case .rainEnd(let end): appendProtobuf(end)
    case .skipped(let skipped): appendProtobuf(skipped)
    }
  }

  private mutating func appendProtobuf(_ show: GiftShow, _ log: Text) {
    let begin = beginMessage(Fields.Command.giftShow)
    appendId(Fields.GiftShow.comboId, log, show.comboOffset)
    append(Fields.GiftShow.lane, show.lane)
    appendProtobuf(Fields.GiftShow.sender, show.sender)
    append(Fields.GiftShow.receiverId, show.receiverId)
    append(Fields.GiftShow.giftId, show.giftId)
    append(Fields.GiftShow.giftName, show.giftName)
    append(Fields.GiftShow.value, show.value)
    append(Fields.GiftShow.from, show.from)
    append(Fields.GiftShow.total, show.total)
    append(Fields.GiftShow.enterMs, show.enterMs)
    endMessage(begin)
  }

  private mutating func appendProtobuf(_ bump: GiftBump, _ log: Text) {
    let begin = beginMessage(Fields.Command.giftBump)
    appendId(Fields.GiftBump.comboId, log, bump.comboOffset)
    append(Fields.GiftBump.lane, bump.lane)
    append(Fields.GiftBump.count, bump.count)
    append(Fields.GiftBump.tickMs, bump.tickMs)
    endMessage(begin)
  }

  private mutating func appendProtobuf(_ hide: GiftHide, _ log: Text) {
    let begin = beginMessage(Fields.Command.giftHide)
    appendId(Fields.GiftHide.comboId, log, hide.comboOffset)
    append(Fields.GiftHide.lane, hide.lane)
    append(Fields.GiftHide.count, hide.count)
    append(Fields.GiftHide.exitMs, hide.exitMs)
    endMessage(begin)
  }

  private mutating func appendProtobuf(_ fly: WishFly) {
    let begin = beginMessage(Fields.Command.wishFly)
    append(Fields.WishFly.wishId, fly.wishId)
    append(Fields.WishFly.track, fly.track)
    appendProtobuf(Fields.WishFly.sender, fly.sender)
    append(Fields.WishFly.text, fly.text)
    append(Fields.WishFly.style, fly.style)
    append(Fields.WishFly.width, fly.width)
    append(Fields.WishFly.durationMs, fly.durationMs)
    append(Fields.WishFly.likes, fly.likes)
    endMessage(begin)
  }

  private mutating func appendProtobuf(_ likes: WishLikes) {
    let begin = beginMessage(Fields.Command.wishLikes)
    append(Fields.WishLikes.wishId, likes.wishId)
    append(Fields.WishLikes.likes, likes.likes)
    endMessage(begin)
  }

  private mutating func appendProtobuf(_ burst: LikeBurst) {
    let begin = beginMessage(Fields.Command.likeBurst)
    append(Fields.LikeBurst.count, burst.count)
    for point in burst.points {
      let begin = beginMessage(Fields.LikeBurst.points)
      append(Fields.Point.x, point.x)
      append(Fields.Point.y, point.y)
      endMessage(begin)
    }
    endMessage(begin)
  }

  private mutating func appendProtobuf(_ countdown: RainCountdown) {
    let begin = beginMessage(Fields.Command.rainCountdown)
    append(Fields.RainCountdown.rainId, countdown.rainId)
    append(Fields.RainCountdown.left, countdown.left)
    append(Fields.RainCountdown.startMs, countdown.startMs)
    append(Fields.RainCountdown.durationMs, countdown.durationMs)
    endMessage(begin)
  }

  private mutating func appendProtobuf(_ drop: RainDrop) {
    let begin = beginMessage(Fields.Command.rainDrop)
    append(Fields.RainDrop.rainId, drop.rainId)
    append(Fields.RainDrop.packet, drop.packet)
    append(Fields.RainDrop.x, drop.x)
    append(Fields.RainDrop.fallMs, drop.fallMs)
    append(Fields.RainDrop.angle, drop.angle)
    append(Fields.RainDrop.spin, drop.spin)
    endMessage(begin)
  }

  private mutating func appendProtobuf(_ tally: RainTally) {
    let begin = beginMessage(Fields.Command.rainTally)
    append(Fields.RainTally.rainId, tally.rainId)
    append(Fields.RainTally.opened, tally.opened)
    append(Fields.RainTally.winners, tally.winners)
    append(Fields.RainTally.coins, tally.coins)
    endMessage(begin)
  }

  private mutating func appendProtobuf(_ end: RainEnd) {
    let begin = beginMessage(Fields.Command.rainEnd)
    append(Fields.RainEnd.rainId, end.rainId)
    endMessage(begin)
  }

  private mutating func appendProtobuf(_ skipped: Skipped) {
    let begin = beginMessage(Fields.Command.skipped)
    append(Fields.Skipped.stage, skipped.stage.number)
    append(Fields.Skipped.reason, skipped.reason.number)
    append(Fields.Skipped.items, skipped.items)
    append(Fields.Skipped.units, skipped.units)
    endMessage(begin)
  }

  private mutating func appendId<Field: RawRepresentable>(
    _ field: Field, _ log: Text, _ offset: Int64
  ) where Field.RawValue == UInt32 {
    let begin = beginMessage(field)
    append(log)
    append(offset)
    endMessage(begin)
  }
}
