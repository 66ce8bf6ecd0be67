import RoomModel

/// The JSON form of events. Each object is walked once, and of each member the last is noted; only then is anything
/// read, because a member that comes again later makes good what it was before. (An absent one is nil, like `null`.)
extension JSONValue {
  func event(
    key: UnsafeRawBufferPointer?, keyRule: KeyRule, keeping storage: inout EventStorage
  ) throws(NotUnderstood) -> RoomEvent {
    guard let members else { throw NotUnderstood(.wrongType, "\(described) is no event: that is an object") }
    var eventId, roomId, gift, wish, wishLike, tap, rainStart, rainGrab: JSONValue?
    for member in members {
      switch JSONName(member.name) {
      case "eventId": eventId = member.value.unlessNull
      case "roomId": roomId = member.value.unlessNull
      case "gift": gift = member.value.unlessNull
      case "wish": wish = member.value.unlessNull
      case "wishLike": wishLike = member.value.unlessNull
      case "tap": tap = member.value.unlessNull
      case "rainStart": rainStart = member.value.unlessNull
      case "rainGrab": rainGrab = member.value.unlessNull
      default: break
      }
    }
    let event = try eventId.id(FieldPath("", "eventId"), &storage)
    let room = try roomId.id(FieldPath("", "roomId"), &storage)
    try EventRules.check(eventId: event, roomId: room, key: key, rule: keyRule)

    var bodies = gift == nil ? 0 : 1
    if wish != nil { bodies &+= 1 }
    if wishLike != nil { bodies &+= 1 }
    if tap != nil { bodies &+= 1 }
    if rainStart != nil { bodies &+= 1 }
    if rainGrab != nil { bodies &+= 1 }
    if bodies > 1 { throw NotUnderstood(.twoBodies, "an event has one body, and this has \(bodies)") }
    let body: RoomEvent.Body =
      if let gift {
        .gift(try gift.gift(keeping: &storage))
      } else if let wish {
        .wish(try wish.wish(eventId: event, keeping: &storage))
      } else if let wishLike {
        .wishLike(try wishLike.wishLike(keeping: &storage))
      } else if let tap {
        .tap(try tap.tap(keeping: &storage))
      } else if let rainStart {
        .rainStart(try rainStart.rainStart(keeping: &storage))
      } else if let rainGrab {
        .rainGrab(try rainGrab.rainGrab(keeping: &storage))
      } else {
        throw withoutBody
      }
    return RoomEvent(eventId: event, roomId: room, body: body)
  }

  /// An object that nobody knows is likely the body of some newer kind of event.
  @inline(never) private var withoutBody: NotUnderstood {
    for member in members! where member.value.kind == .object {
      switch JSONName(member.name) {
      // Taken back by a `null` that came later.
      case "gift", "wish", "wishLike", "tap", "rainStart", "rainGrab": continue
      default: return NotUnderstood(.unknownBody, "\(member.name.quoted) is no body that an event can have")
      }
    }
    return NotUnderstood(.noBody, "an event has one body, and this has none")
  }

  @inline(__always) private func gift(keeping storage: inout EventStorage) throws(NotUnderstood) -> Gift {
    var sender, receiverId, giftId, giftName, count, value, streakId: JSONValue?
    for member in try members(of: "gift") {
      switch JSONName(member.name) {
      case "sender": sender = member.value.unlessNull
      case "receiverId": receiverId = member.value.unlessNull
      case "giftId": giftId = member.value.unlessNull
      case "giftName": giftName = member.value.unlessNull
      case "count": count = member.value.unlessNull
      case "value": value = member.value.unlessNull
      case "streakId": streakId = member.value.unlessNull
      default: break
      }
    }
    var gift = Gift(
      sender: try sender.sender("gift.sender", &storage),
      receiverId: try receiverId.id(FieldPath("gift", "receiverId"), &storage),
      giftId: try giftId.id(FieldPath("gift", "giftId"), &storage),
      giftName: try giftName.string(FieldPath("gift", "giftName")),
      count: try count.integer(FieldPath("gift", "count")),
      value: try value.integer(FieldPath("gift", "value")),
      streakId: try streakId.id(FieldPath("gift", "streakId"), &storage))
    try EventRules.check(&gift, keeping: &storage)
    return gift
  }

  private func wish(eventId: Text, keeping storage: inout EventStorage) throws(NotUnderstood) -> Wish {
    var sender, text, wishId, style: JSONValue?
    for member in try members(of: "wish") {
      switch JSONName(member.name) {
      case "sender": sender = member.value.unlessNull
      case "text": text = member.value.unlessNull
      case "wishId": wishId = member.value.unlessNull
      case "style": style = member.value.unlessNull
      default: break
      }
    }
    var wish = Wish(
      sender: try sender.sender("wish.sender", &storage),
      text: try text.string(FieldPath("wish", "text")),
      wishId: try wishId.id(FieldPath("wish", "wishId"), &storage),
      style: try style.string(FieldPath("wish", "style")))
    try EventRules.check(&wish, eventId: eventId, keeping: &storage)
    return wish
  }

  private func wishLike(keeping storage: inout EventStorage) throws(NotUnderstood) -> WishLike {
    var userId, wishId: JSONValue?
    for member in try members(of: "wishLike") {
      switch JSONName(member.name) {
      case "userId": userId = member.value.unlessNull
      case "wishId": wishId = member.value.unlessNull
      default: break
      }
    }
    let like = WishLike(
      userId: try userId.id(FieldPath("wishLike", "userId"), &storage),
      wishId: try wishId.id(FieldPath("wishLike", "wishId"), &storage))
    try EventRules.check(like)
    return like
  }

  private func tap(keeping storage: inout EventStorage) throws(NotUnderstood) -> Tap {
    var userId, x, y: JSONValue?
    for member in try members(of: "tap") {
      switch JSONName(member.name) {
      case "userId": userId = member.value.unlessNull
      case "x": x = member.value.unlessNull
      case "y": y = member.value.unlessNull
      default: break
      }
    }
    let tap = Tap(
      userId: try userId.id(FieldPath("tap", "userId"), &storage),
      x: try x.integer(FieldPath("tap", "x")),
      y: try y.integer(FieldPath("tap", "y")))
    try EventRules.check(tap)
    return tap
  }

  private func rainStart(keeping storage: inout EventStorage) throws(NotUnderstood) -> RainStart {
    var rainId, durationMs, perSecond, countdown, budget, winEvery, prizes: JSONValue?
    for member in try members(of: "rainStart") {
      switch JSONName(member.name) {
      case "rainId": rainId = member.value.unlessNull
      case "durationMs": durationMs = member.value.unlessNull
      case "perSecond": perSecond = member.value.unlessNull
      case "countdown": countdown = member.value.unlessNull
      case "budget": budget = member.value.unlessNull
      case "winEvery": winEvery = member.value.unlessNull
      case "prizes": prizes = member.value.unlessNull
      default: break
      }
    }
    if let prizes {
      let path = FieldPath("rainStart", "prizes")
      guard let elements = prizes.elements else { throw .wrongType(path, prizes.described, wanted: "a list") }
      for prize in elements { storage.appendPrize(try prize.asInteger(path)) }
    }
    var start = RainStart(
      rainId: try rainId.id(FieldPath("rainStart", "rainId"), &storage),
      durationMs: try durationMs.integer(FieldPath("rainStart", "durationMs")),
      perSecond: try perSecond.integer(FieldPath("rainStart", "perSecond")),
      countdown: try countdown.integer(FieldPath("rainStart", "countdown"), absent: EventRules.defaultCountdown),
      budget: try budget.integer(FieldPath("rainStart", "budget")),
      winEvery: try winEvery.integer(FieldPath("rainStart", "winEvery")),
      prizes: storage.keptPrizes)
    try EventRules.check(&start, prizeCount: storage.prizeCount)
    return start
  }

  private func rainGrab(keeping storage: inout EventStorage) throws(NotUnderstood) -> RainGrab {
    var rainId, packet, userId: JSONValue?
    for member in try members(of: "rainGrab") {
      switch JSONName(member.name) {
      case "rainId": rainId = member.value.unlessNull
      case "packet": packet = member.value.unlessNull
      case "userId": userId = member.value.unlessNull
      default: break
      }
    }
    let grab = RainGrab(
      rainId: try rainId.id(FieldPath("rainGrab", "rainId"), &storage),
      packet: try packet.integer(FieldPath("rainGrab", "packet")),
      userId: try userId.id(FieldPath("rainGrab", "userId"), &storage))
    try EventRules.check(grab)
    return grab
  }
}
