import RoomModel

/// Events as JSON. What is optional is left out where it is empty.
extension ByteBuffer {
  mutating func appendJSON(_ event: borrowing RoomEvent) {
    append(#"{"eventId":""#)
    appendEscaped(event.eventId)
    append(#"","roomId":""#)
    appendEscaped(event.roomId)
    append(UInt8(ascii: "\""))
    switch event.body {
    case .gift(let gift): appendJSON(gift.whole)
    case .wish(let wish): appendJSON(wish.whole)
    case .wishLike(let like): appendJSON(like)
    case .tap(let tap): appendJSON(tap)
    case .rainStart(let start): appendJSON(start.whole)
    case .rainGrab(let grab): appendJSON(grab)
    case .retract(let retract): appendJSON(retract)
    case .roomSettings(let settings): appendJSON(settings)
    case .roomEnd: append(#","roomEnd":{"#)
    }
    append("}}")
  }

  private mutating func appendJSON(_ gift: Gift) {
    append(#","gift":{"#)
    appendJSON(gift.sender)
    appendOptional(#","receiverId":""#, gift.receiverId)
    append(#","giftId":""#)
    appendEscaped(gift.giftId)
    append(#"","giftName":""#)
    appendEscaped(gift.giftName)
    append(#"","count":"#)
    append(gift.count)
    append(#","value":"#)
    append(gift.value)
    appendOptional(#","streakId":""#, gift.streakId)
    if gift.holdMs == 0 { return }
    append(#","holdMs":"#)
    append(gift.holdMs)
  }

  private mutating func appendJSON(_ wish: Wish) {
    append(#","wish":{"#)
    appendJSON(wish.sender)
    append(#","text":""#)
    appendEscaped(wish.text)
    append(UInt8(ascii: "\""))
    appendOptional(#","wishId":""#, wish.wishId)
    appendOptional(#","style":""#, wish.style)
  }

  private mutating func appendJSON(_ like: WishLike) {
    append(#","wishLike":{"userId":""#)
    appendEscaped(like.userId)
    append(#"","wishId":""#)
    appendEscaped(like.wishId)
    append(UInt8(ascii: "\""))
  }

  private mutating func appendJSON(_ tap: Tap) {
    append(#","tap":{"userId":""#)
    appendEscaped(tap.userId)
    append(#"","x":"#)
    append(tap.x)
    append(#","y":"#)
    append(tap.y)
  }

  private mutating func appendJSON(_ start: RainStart) {
    append(#","rainStart":{"rainId":""#)
    appendEscaped(start.rainId)
    append(#"","durationMs":"#)
    append(start.durationMs)
    append(#","perSecond":"#)
    append(start.perSecond)
    append(#","countdown":"#)
    append(start.countdown)
    append(#","budget":"#)
    append(start.budget)
    append(#","winEvery":"#)
    append(start.winEvery)
    if start.prizes.isEmpty { return }
    append(#","prizes":"#)
    var separator: UInt8 = UInt8(ascii: "[")
    for prize in start.prizes {
      append(separator)
      append(prize)
      separator = UInt8(ascii: ",")
    }
    append(UInt8(ascii: "]"))
  }

  private mutating func appendJSON(_ grab: RainGrab) {
    append(#","rainGrab":{"rainId":""#)
    appendEscaped(grab.rainId)
    append(#"","packet":"#)
    append(grab.packet)
    append(#","userId":""#)
    appendEscaped(grab.userId)
    append(UInt8(ascii: "\""))
  }

  private mutating func appendJSON(_ retract: Retract) {
    switch retract.what {
    case .wish(let id):
      append(#","retract":{"wishId":""#)
      appendEscaped(id)
      append(UInt8(ascii: "\""))
    case .combo(let id):
      append(#","retract":{"comboId":""#)
      appendEscaped(id)
      append(UInt8(ascii: "\""))
    case .user(let id, let muteMs):
      append(#","retract":{"userId":""#)
      appendEscaped(id)
      append(#"","muteMs":"#)
      append(muteMs)
    }
  }

  private mutating func appendJSON(_ settings: RoomSettings) {
    append(#","roomSettings":{"set":{"#)
    for (place, value) in settings.set.enumerated() {
      if place > 0 { append(UInt8(ascii: ",")) }
      append(UInt8(ascii: "\""))
      appendEscaped(string: value.setting.rawValue)
      // Integers too, as Protobuf's JSON has it.
      append(#"":""#)
      appendEscaped(string: value.description)
      append(UInt8(ascii: "\""))
    }
    append(#"},"forMs":"#)
    append(settings.forMs)
  }

  /// The first member of its object.
  private mutating func appendJSON(_ sender: Sender) {
    append(#""sender":{"userId":""#)
    appendEscaped(sender.userId)
    append(#"","name":""#)
    appendEscaped(sender.name)
    append(#"","avatarUrl":""#)
    appendEscaped(sender.avatarUrl)
    append(#""}"#)
  }

  @inline(__always) private mutating func appendOptional(_ opening: StaticString, _ text: Text) {
    if text.isEmpty { return }
    append(opening)
    appendEscaped(text)
    append(UInt8(ascii: "\""))
  }
}
