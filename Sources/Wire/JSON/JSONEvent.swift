import RoomModel

/// The JSON form of events. Each object is walked once, and of each member the last is noted; only then is anything
/// read, because a member that comes again later makes good what it was before. (An absent one is nil, like `null`.)
extension JSONValue {
  func event(
    key: UnsafeRawBufferPointer?, keyRule: KeyRule, keeping storage: inout EventStorage
  ) throws(NotUnderstood) -> RoomEvent {
    guard let members else { throw NotUnderstood(.wrongType, "\(described) is no event: that is an object") }
    var eventId = 0, roomId = 0, gift = 0, wish = 0, wishLike = 0, tap = 0, rainStart = 0, rainGrab = 0
    var retract = 0, roomSettings = 0, roomEnd = 0
    for member in members {
      switch JSONName(of: member) {
      case "eventId": eventId = member.place
      case "roomId": roomId = member.place
      case "gift": gift = member.place
      case "wish": wish = member.place
      case "wishLike": wishLike = member.place
      case "tap": tap = member.place
      case "rainStart": rainStart = member.place
      case "rainGrab": rainGrab = member.place
      case "retract": retract = member.place
      case "roomSettings": roomSettings = member.place
      case "roomEnd": roomEnd = member.place
      default: break
      }
    }
    let event = try id(at: eventId, FieldPath("", "eventId"), &storage)
    let room = try id(at: roomId, FieldPath("", "roomId"), &storage)
    try EventRules.check(eventId: event, roomId: room, key: key, rule: keyRule)

    var bodies = 0
    if gift != 0 { bodies &+= 1 }
    if wish != 0 { bodies &+= 1 }
    if wishLike != 0 { bodies &+= 1 }
    if tap != 0 { bodies &+= 1 }
    if rainStart != 0 { bodies &+= 1 }
    if rainGrab != 0 { bodies &+= 1 }
    if retract != 0 { bodies &+= 1 }
    if roomSettings != 0 { bodies &+= 1 }
    if roomEnd != 0 { bodies &+= 1 }
    if bodies > 1 { throw NotUnderstood(.twoBodies, "an event has one body, and this has \(bodies)") }
    let body: RoomEvent.Body =
      if gift != 0 {
        .gift(try readGift(giftPlaces(eventId: eventId, roomId: roomId, gift: gift), keeping: &storage))
      } else if wish != 0 {
        .wish(try at(wish).wish(eventId: event, keeping: &storage))
      } else if wishLike != 0 {
        .wishLike(try at(wishLike).wishLike(keeping: &storage))
      } else if tap != 0 {
        .tap(try at(tap).tap(keeping: &storage))
      } else if rainStart != 0 {
        .rainStart(try at(rainStart).rainStart(keeping: &storage))
      } else if rainGrab != 0 {
        .rainGrab(try at(rainGrab).rainGrab(keeping: &storage))
      } else if retract != 0 {
        .retract(try at(retract).retract(keeping: &storage))
      } else if roomSettings != 0 {
        .roomSettings(try at(roomSettings).roomSettings(keeping: &storage))
      } else if roomEnd != 0 {
        try at(roomEnd).roomEnd()
      } else {
        throw withoutBody
      }
    return RoomEvent(eventId: event, roomId: room, body: body)
  }

  private func readGift(
    _ places: GiftPlaces, keeping storage: inout EventStorage
  ) throws(NotUnderstood) -> Lent<Gift> {
    storage.giftPlaces = places
    return try gift(at: places, keeping: &storage)
  }

  /// An object that nobody knows is likely the body of some newer kind of event.
  @inline(never) private var withoutBody: NotUnderstood {
    for member in members! where member.value.kind == .object {
      switch JSONName(of: member) {
      // Taken back by a `null` that came later.
      case "gift", "wish", "wishLike", "tap", "rainStart", "rainGrab", "retract", "roomSettings", "roomEnd": continue
      default: return NotUnderstood(.unknownBody, "\(member.name.quoted) is no body that an event can have")
      }
    }
    return NotUnderstood(.noBody, "an event has one body, and this has none")
  }

  private func wish(eventId: Text, keeping storage: inout EventStorage) throws(NotUnderstood) -> Lent<Wish> {
    var sender = 0, text = 0, wishId = 0, style = 0
    for member in try members(of: "wish") {
      switch JSONName(of: member) {
      case "sender": sender = member.place
      case "text": text = member.place
      case "wishId": wishId = member.place
      case "style": style = member.place
      default: break
      }
    }
    var wish = Wish(
      sender: try self.sender(at: senderPlaces(at: sender, "wish.sender"), "wish.sender", &storage),
      text: try string(at: text, FieldPath("wish", "text")),
      wishId: try id(at: wishId, FieldPath("wish", "wishId"), &storage),
      style: try string(at: style, FieldPath("wish", "style")))
    try EventRules.check(&wish, eventId: eventId, keeping: &storage)
    return storage.lend(wish)
  }

  private func wishLike(keeping storage: inout EventStorage) throws(NotUnderstood) -> WishLike {
    var userId = 0, wishId = 0
    for member in try members(of: "wishLike") {
      switch JSONName(of: member) {
      case "userId": userId = member.place
      case "wishId": wishId = member.place
      default: break
      }
    }
    let like = WishLike(
      userId: try id(at: userId, FieldPath("wishLike", "userId"), &storage),
      wishId: try id(at: wishId, FieldPath("wishLike", "wishId"), &storage))
    try EventRules.check(like)
    return like
  }

  private func tap(keeping storage: inout EventStorage) throws(NotUnderstood) -> Tap {
    var userId = 0, x = 0, y = 0
    for member in try members(of: "tap") {
      switch JSONName(of: member) {
      case "userId": userId = member.place
      case "x": x = member.place
      case "y": y = member.place
      default: break
      }
    }
    let tap = Tap(
      userId: try id(at: userId, FieldPath("tap", "userId"), &storage),
      x: try integer(at: x, FieldPath("tap", "x")),
      y: try integer(at: y, FieldPath("tap", "y")))
    try EventRules.check(tap)
    return tap
  }

  private func rainStart(keeping storage: inout EventStorage) throws(NotUnderstood) -> Lent<RainStart> {
    var rainId = 0, durationMs = 0, perSecond = 0, countdown = 0, budget = 0, winEvery = 0, prizes = 0
    for member in try members(of: "rainStart") {
      switch JSONName(of: member) {
      case "rainId": rainId = member.place
      case "durationMs": durationMs = member.place
      case "perSecond": perSecond = member.place
      case "countdown": countdown = member.place
      case "budget": budget = member.place
      case "winEvery": winEvery = member.place
      case "prizes": prizes = member.place
      default: break
      }
    }
    if prizes != 0 {
      let path = FieldPath("rainStart", "prizes")
      guard let elements = at(prizes).elements else {
        throw .wrongType(path, at(prizes).described, wanted: "a list")
      }
      for prize in elements { storage.appendPrize(try prize.asInteger(path, absent: 0)) }
    }
    var start = RainStart(
      rainId: try id(at: rainId, FieldPath("rainStart", "rainId"), &storage),
      durationMs: try integer(at: durationMs, FieldPath("rainStart", "durationMs")),
      perSecond: try integer(at: perSecond, FieldPath("rainStart", "perSecond")),
      countdown: try integer(at: countdown, FieldPath("rainStart", "countdown"), absent: EventRules.defaultCountdown),
      budget: try integer(at: budget, FieldPath("rainStart", "budget")),
      winEvery: try integer(at: winEvery, FieldPath("rainStart", "winEvery")),
      prizes: storage.keptPrizes)
    try EventRules.check(&start, prizeCount: storage.prizeCount)
    return storage.lend(start)
  }

  private func rainGrab(keeping storage: inout EventStorage) throws(NotUnderstood) -> RainGrab {
    var rainId = 0, packet = 0, userId = 0
    for member in try members(of: "rainGrab") {
      switch JSONName(of: member) {
      case "rainId": rainId = member.place
      case "packet": packet = member.place
      case "userId": userId = member.place
      default: break
      }
    }
    let grab = RainGrab(
      rainId: try id(at: rainId, FieldPath("rainGrab", "rainId"), &storage),
      packet: try integer(at: packet, FieldPath("rainGrab", "packet")),
      userId: try id(at: userId, FieldPath("rainGrab", "userId"), &storage))
    try EventRules.check(grab)
    return grab
  }
}
