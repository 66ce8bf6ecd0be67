import RoomModel

/// Events as Protobuf.
extension ByteBuffer {
  mutating func appendProtobuf(_ event: borrowing RoomEvent) {
    append(Fields.Event.eventId, event.eventId)
    append(Fields.Event.roomId, event.roomId)
    switch event.body {
    case .gift(let gift): appendProtobuf(gift.whole)
    case .wish(let wish): appendProtobuf(wish.whole)
    case .wishLike(let like): appendProtobuf(like)
    case .tap(let tap): appendProtobuf(tap)
    case .rainStart(let start): appendProtobuf(start.whole)
    case .rainGrab(let grab): appendProtobuf(grab)
    case .retract(let retract): appendProtobuf(retract)
    case .roomSettings(let settings): appendProtobuf(settings)
    case .roomEnd: endMessage(beginMessage(Fields.Event.roomEnd))
    }
  }

  private mutating func appendProtobuf<Field: RawRepresentable>(
    _ field: Field, _ sender: Sender
  ) where Field.RawValue == UInt32 {
    let begin = beginMessage(field)
    append(Fields.Sender.userId, sender.userId)
    append(Fields.Sender.name, sender.name)
    append(Fields.Sender.avatarUrl, sender.avatarUrl)
    endMessage(begin)
  }

  private mutating func appendProtobuf(_ gift: Gift) {
    let begin = beginMessage(Fields.Event.gift)
    appendProtobuf(Fields.Gift.sender, gift.sender)
    append(Fields.Gift.receiverId, gift.receiverId)
    append(Fields.Gift.giftId, gift.giftId)
    append(Fields.Gift.giftName, gift.giftName)
    append(Fields.Gift.count, gift.count)
    append(Fields.Gift.value, gift.value)
    append(Fields.Gift.streakId, gift.streakId)
    append(Fields.Gift.holdMs, gift.holdMs)
    endMessage(begin)
  }

  private mutating func appendProtobuf(_ wish: Wish) {
    let begin = beginMessage(Fields.Event.wish)
    appendProtobuf(Fields.Wish.sender, wish.sender)
    append(Fields.Wish.text, wish.text)
    append(Fields.Wish.wishId, wish.wishId)
    append(Fields.Wish.style, wish.style)
    endMessage(begin)
  }

  private mutating func appendProtobuf(_ like: WishLike) {
    let begin = beginMessage(Fields.Event.wishLike)
    append(Fields.WishLike.userId, like.userId)
    append(Fields.WishLike.wishId, like.wishId)
    endMessage(begin)
  }

  private mutating func appendProtobuf(_ tap: Tap) {
    let begin = beginMessage(Fields.Event.tap)
    append(Fields.Tap.userId, tap.userId)
    append(Fields.Tap.x, tap.x)
    append(Fields.Tap.y, tap.y)
    endMessage(begin)
  }

  private mutating func appendProtobuf(_ start: RainStart) {
    let begin = beginMessage(Fields.Event.rainStart)
    append(Fields.RainStart.rainId, start.rainId)
    append(Fields.RainStart.durationMs, start.durationMs)
    append(Fields.RainStart.perSecond, start.perSecond)
    appendPresent(Fields.RainStart.countdown, start.countdown)
    append(Fields.RainStart.budget, start.budget)
    append(Fields.RainStart.winEvery, start.winEvery)
    if !start.prizes.isEmpty {
      let packed = beginMessage(Fields.RainStart.prizes)
      for prize in start.prizes { append(varint: UInt64(bitPattern: prize)) }
      endMessage(packed)
    }
    endMessage(begin)
  }

  private mutating func appendProtobuf(_ grab: RainGrab) {
    let begin = beginMessage(Fields.Event.rainGrab)
    append(Fields.RainGrab.rainId, grab.rainId)
    append(Fields.RainGrab.packet, grab.packet)
    append(Fields.RainGrab.userId, grab.userId)
    endMessage(begin)
  }
  private mutating func appendProtobuf(_ retract: Retract) {
    let begin = beginMessage(Fields.Event.retract)
    switch retract.what {
    case .wish(let id): append(Fields.Retract.wishId, id)
    case .combo(let id): append(Fields.Retract.comboId, id)
    case .user(let id, let muteMs):
      append(Fields.Retract.userId, id)
      append(Fields.Retract.muteMs, muteMs)
    }
    endMessage(begin)
  }

  private mutating func appendProtobuf(_ settings: RoomSettings) {
    let begin = beginMessage(Fields.Event.roomSettings)
    for value in settings.set {
      let entry = beginMessage(Fields.RoomSettings.set)
      append(Fields.MapEntry.key, value.setting.rawValue)
      append(Fields.MapEntry.value, value.description)
      endMessage(entry)
    }
    append(Fields.RoomSettings.forMs, settings.forMs)
    endMessage(begin)
  }

  private mutating func append(_ field: Fields.MapEntry, _ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      if let start = utf8.baseAddress { append(field, Text(start: start, count: utf8.count)) }
    }
  }
}
