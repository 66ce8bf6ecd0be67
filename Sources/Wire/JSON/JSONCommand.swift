import RoomModel

/// The JSON form of commands: every field is there, in the order of the contract, with no blanks.
extension ByteBuffer {
  /// `log` is what ids begin with, escaped.
  mutating func appendJSON(_ command: borrowing RoomCommand, log: Text) {
    append(#"{"roomId":""#)
    appendEscaped(command.roomId)
    append(#"","id":""#)
    append(log)
    append(command.recordOffset)
    append(UInt8(ascii: "/"))
    append(command.place)
    append(#"","atMs":"#)
    append(command.atMs)
    switch command.body {
    case .giftShow(let show): appendJSON(show, log)
    case .giftBump(let bump): appendJSON(bump, log)
    case .giftHide(let hide): appendJSON(hide, log)
    case .wishFly(let fly): appendJSON(fly)
    case .wishLikes(let likes): appendJSON(likes)
    case .likeBurst(let burst): appendJSON(burst)
    case .rainCountdown(let countdown): appendJSON(countdown)
    case .rainDrop(let drop): appendJSON(drop)
    case .rainTally(let tally): appendJSON(tally)
    case .rainEnd(let end): appendJSON(end)
    case .skipped(let skipped): appendJSON(skipped)
    }
    append("}}")
  }

  private mutating func appendJSON(_ show: GiftShow, _ log: Text) {
    append(#","giftShow":{"comboId":""#)
    append(log)
    append(show.comboOffset)
    append(#"","lane":"#)
    append(show.lane)
    appendJSON(show.sender)
    append(#","receiverId":""#)
    appendEscaped(show.receiverId)
    append(#"","giftId":""#)
    appendEscaped(show.giftId)
    append(#"","giftName":""#)
    appendEscaped(show.giftName)
    append(#"","value":"#)
    append(show.value)
    append(#","from":"#)
    append(show.from)
    append(#","total":"#)
    append(show.total)
    append(#","enterMs":"#)
    append(show.enterMs)
  }

  private mutating func appendJSON(_ bump: GiftBump, _ log: Text) {
    append(#","giftBump":{"comboId":""#)
    append(log)
    append(bump.comboOffset)
    append(#"","lane":"#)
    append(bump.lane)
    append(#","count":"#)
    append(bump.count)
    append(#","tickMs":"#)
    append(bump.tickMs)
  }

  private mutating func appendJSON(_ hide: GiftHide, _ log: Text) {
    append(#","giftHide":{"comboId":""#)
    append(log)
    append(hide.comboOffset)
    append(#"","lane":"#)
    append(hide.lane)
    append(#","count":"#)
    append(hide.count)
    append(#","exitMs":"#)
    append(hide.exitMs)
  }

  private mutating func appendJSON(_ fly: WishFly) {
    append(#","wishFly":{"wishId":""#)
    appendEscaped(fly.wishId)
    append(#"","track":"#)
    append(fly.track)
    appendJSON(fly.sender)
    append(#","text":""#)
    appendEscaped(fly.text)
    append(#"","style":""#)
    appendEscaped(fly.style)
    append(#"","width":"#)
    append(fly.width)
    append(#","durationMs":"#)
    append(fly.durationMs)
    append(#","likes":"#)
    append(fly.likes)
  }

  private mutating func appendJSON(_ likes: WishLikes) {
    append(#","wishLikes":{"wishId":""#)
    appendEscaped(likes.wishId)
    append(#"","likes":"#)
    append(likes.likes)
  }

  private mutating func appendJSON(_ burst: LikeBurst) {
    append(#","likeBurst":{"count":"#)
    append(burst.count)
    append(#","points":["#)
    for i in burst.points.indices {
      if i > 0 { append(UInt8(ascii: ",")) }
      append(#"{"x":"#)
      append(burst.points[i].x)
      append(#","y":"#)
      append(burst.points[i].y)
      append(UInt8(ascii: "}"))
    }
    append(UInt8(ascii: "]"))
  }

  private mutating func appendJSON(_ countdown: RainCountdown) {
    append(#","rainCountdown":{"rainId":""#)
    appendEscaped(countdown.rainId)
    append(#"","left":"#)
    append(countdown.left)
    append(#","startMs":"#)
    append(countdown.startMs)
    append(#","durationMs":"#)
    append(countdown.durationMs)
  }

  private mutating func appendJSON(_ drop: RainDrop) {
    append(#","rainDrop":{"rainId":""#)
    appendEscaped(drop.rainId)
    append(#"","packet":"#)
    append(drop.packet)
    append(#","x":"#)
    append(drop.x)
    append(#","fallMs":"#)
    append(drop.fallMs)
    append(#","angle":"#)
    append(drop.angle)
    append(#","spin":"#)
    append(drop.spin)
  }

  private mutating func appendJSON(_ tally: RainTally) {
    append(#","rainTally":{"rainId":""#)
    appendEscaped(tally.rainId)
    append(#"","opened":"#)
    append(tally.opened)
    append(#","winners":"#)
    append(tally.winners)
    append(#","coins":"#)
    append(tally.coins)
  }

  private mutating func appendJSON(_ end: RainEnd) {
    append(#","rainEnd":{"rainId":""#)
    appendEscaped(end.rainId)
    append(UInt8(ascii: "\""))
  }

  private mutating func appendJSON(_ skipped: Skipped) {
    append(#","skipped":{"stage":""#)
    append(skipped.stage.word)
    append(#"","reason":""#)
    append(skipped.reason.word)
    append(#"","items":"#)
    append(skipped.items)
    append(#","units":"#)
    append(skipped.units)
  }

  private mutating func appendJSON(_ sender: Sender) {
    append(#","sender":{"userId":""#)
    appendEscaped(sender.userId)
    append(#"","name":""#)
    appendEscaped(sender.name)
    append(#"","avatarUrl":""#)
    appendEscaped(sender.avatarUrl)
    append(#""}"#)
  }
}
