import RoomModel

/// The Protobuf form of events. What comes twice counts as Protobuf has it: the last of a scalar, and of the bodies;
/// a message that comes twice in a row is merged.
struct ProtobufEvent {
  private var eventId = Text.empty
  private var roomId = Text.empty
  private var body: RoomEvent.Body?
  /// Its fields, while the body is a retract.
  private var retract = WrittenRetract()

  init(_ bytes: UnsafeRawBufferPointer, keeping storage: inout EventStorage) throws(NotUnderstood) {
    do throws(ProtobufError) {
      try read(ProtobufReader(bytes), &storage)
    } catch {
      throw error.notUnderstood
    }
  }

  /// As it is understood.
  func event(
    key: UnsafeRawBufferPointer?, keyRule: KeyRule, keeping storage: inout EventStorage
  ) throws(NotUnderstood) -> RoomEvent {
    try EventRules.check(eventId: eventId, roomId: roomId, key: key, rule: keyRule)
    guard var body else { throw NotUnderstood(.noBody, "an event has one body, and this has none that is known") }
    switch body {
    case .gift(let lent):
      var gift = lent.whole
      try EventRules.check(&gift, keeping: &storage)
      body = .gift(storage.lend(gift))
    case .wish(let lent):
      var wish = lent.whole
      try EventRules.check(&wish, eventId: eventId, keeping: &storage)
      body = .wish(storage.lend(wish))
    case .wishLike(let like): try EventRules.check(like)
    case .tap(let tap): try EventRules.check(tap)
    case .rainStart(let lent):
      var start = lent.whole
      start.prizes = storage.keptPrizes
      try EventRules.check(&start, prizeCount: storage.prizeCount)
      body = .rainStart(storage.lend(start))
    case .rainGrab(let grab): try EventRules.check(grab)
    case .retract: body = .retract(try retract.checked())
    case .roomSettings(let settings):
      body = .roomSettings(try EventRules.roomSettings(forMs: settings.forMs, keeping: &storage))
    case .roomEnd: break
    }
    return RoomEvent(eventId: eventId, roomId: roomId, body: body)
  }

  @inline(__always) private mutating func read(
    _ message: ProtobufReader, _ storage: inout EventStorage
  ) throws(ProtobufError) {
    var message = message
    while let tag = try message.tag() {
      switch (Fields.Event(rawValue: tag.number), tag.type) {
      case (.eventId, .bytes): eventId = try message.text(FieldPath("", "eventId"))
      case (.roomId, .bytes): roomId = try message.text(FieldPath("", "roomId"))
      case (.gift, .bytes):
        var gift = Gift(sender: Sender(userId: .empty), giftId: .empty, count: 0)
        if case .gift(let before) = body { gift = before.whole }
        try gift.merge(message.message())
        body = .gift(storage.lend(gift))
      case (.wish, .bytes):
        var wish = Wish(sender: Sender(userId: .empty), text: .empty, wishId: .empty)
        if case .wish(let before) = body { wish = before.whole }
        try wish.merge(message.message())
        body = .wish(storage.lend(wish))
      case (.wishLike, .bytes):
        var like = WishLike(userId: .empty, wishId: .empty)
        if case .wishLike(let before) = body { like = before }
        try like.merge(message.message())
        body = .wishLike(like)
      case (.tap, .bytes):
        var tap = Tap(userId: .empty, x: 0, y: 0)
        if case .tap(let before) = body { tap = before }
        try tap.merge(message.message())
        body = .tap(tap)
      case (.rainStart, .bytes):
        var start = RainStart.empty
        if case .rainStart(let before) = body { start = before.whole } else { storage.removePrizes() }
        try start.merge(message.message(), &storage)
        body = .rainStart(storage.lend(start))
      case (.rainGrab, .bytes):
        var grab = RainGrab(rainId: .empty, packet: 0, userId: .empty)
        if case .rainGrab(let before) = body { grab = before }
        try grab.merge(message.message())
        body = .rainGrab(grab)
      case (.retract, .bytes):
        if case .retract = body {} else { retract = WrittenRetract() }
        try retract.merge(message.message())
        body = .retract(Retract(.wish(.empty)))
      case (.roomSettings, .bytes):
        var settings = RoomSettings(set: UnsafeBufferPointer(start: nil, count: 0), forMs: 0)
        if case .roomSettings(let before) = body { settings = before } else { storage.removeSettings() }
        try settings.merge(message.message(), &storage)
        body = .roomSettings(settings)
      case (.roomEnd, .bytes):
        try message.message().skipAll()
        body = .roomEnd
      default: try message.skip(tag)
      }
    }
  }
}

extension Gift {
  @inline(__always) fileprivate mutating func merge(_ message: ProtobufReader) throws(ProtobufError) {
    var message = message
    while let tag = try message.tag() {
      switch (Fields.Gift(rawValue: tag.number), tag.type) {
      case (.sender, .bytes): try sender.merge(message.message(), "gift.sender")
      case (.receiverId, .bytes): receiverId = try message.text(FieldPath("gift", "receiverId"))
      case (.giftId, .bytes): giftId = try message.text(FieldPath("gift", "giftId"))
      case (.giftName, .bytes): giftName = try message.text(FieldPath("gift", "giftName"))
      case (.count, .varint): count = try message.integer()
      case (.value, .varint): value = try message.integer()
      case (.streakId, .bytes): streakId = try message.text(FieldPath("gift", "streakId"))
      case (.holdMs, .varint): holdMs = try message.integer()
      default: try message.skip(tag)
      }
    }
  }
}

extension Wish {
  fileprivate mutating func merge(_ message: ProtobufReader) throws(ProtobufError) {
    var message = message
    while let tag = try message.tag() {
      switch (Fields.Wish(rawValue: tag.number), tag.type) {
      case (.sender, .bytes): try sender.merge(message.message(), "wish.sender")
      case (.text, .bytes): text = try message.text(FieldPath("wish", "text"))
      case (.wishId, .bytes): wishId = try message.text(FieldPath("wish", "wishId"))
      case (.style, .bytes): style = try message.text(FieldPath("wish", "style"))
      default: try message.skip(tag)
      }
    }
  }
}

extension WishLike {
  fileprivate mutating func merge(_ message: ProtobufReader) throws(ProtobufError) {
    var message = message
    while let tag = try message.tag() {
      switch (Fields.WishLike(rawValue: tag.number), tag.type) {
      case (.userId, .bytes): userId = try message.text(FieldPath("wishLike", "userId"))
      case (.wishId, .bytes): wishId = try message.text(FieldPath("wishLike", "wishId"))
      default: try message.skip(tag)
      }
    }
  }
}

extension Tap {
  fileprivate mutating func merge(_ message: ProtobufReader) throws(ProtobufError) {
    var message = message
    while let tag = try message.tag() {
      switch (Fields.Tap(rawValue: tag.number), tag.type) {
      case (.userId, .bytes): userId = try message.text(FieldPath("tap", "userId"))
      case (.x, .varint): x = try message.integer()
      case (.y, .varint): y = try message.integer()
      default: try message.skip(tag)
      }
    }
  }
}

extension RainStart {
  fileprivate static var empty: RainStart {
    RainStart(
      rainId: .empty, durationMs: 0, perSecond: 0, countdown: EventRules.defaultCountdown, budget: 0, winEvery: 0,
      prizes: UnsafeBufferPointer(start: nil, count: 0))
  }

  fileprivate mutating func merge(
    _ message: ProtobufReader, _ storage: inout EventStorage
  ) throws(ProtobufError) {
    var message = message
    while let tag = try message.tag() {
      switch (Fields.RainStart(rawValue: tag.number), tag.type) {
      case (.rainId, .bytes): rainId = try message.text(FieldPath("rainStart", "rainId"))
      case (.durationMs, .varint): durationMs = try message.integer()
      case (.perSecond, .varint): perSecond = try message.integer()
      case (.countdown, .varint): countdown = try message.integer()
      case (.budget, .varint): budget = try message.integer()
      case (.winEvery, .varint): winEvery = try message.integer()
      case (.prizes, .varint): storage.appendPrize(try message.integer())
      case (.prizes, .bytes):
        var packed = try message.message()
        while !packed.isAtEnd { storage.appendPrize(try packed.integer()) }
      default: try message.skip(tag)
      }
    }
  }
}

extension RainGrab {
  fileprivate mutating func merge(_ message: ProtobufReader) throws(ProtobufError) {
    var message = message
    while let tag = try message.tag() {
      switch (Fields.RainGrab(rawValue: tag.number), tag.type) {
      case (.rainId, .bytes): rainId = try message.text(FieldPath("rainGrab", "rainId"))
      case (.packet, .varint): packet = try message.integer()
      case (.userId, .bytes): userId = try message.text(FieldPath("rainGrab", "userId"))
      default: try message.skip(tag)
      }
    }
  }
}

extension Sender {
  @inline(__always) fileprivate mutating func merge(
    _ message: ProtobufReader, _ owner: StaticString
  ) throws(ProtobufError) {
    var message = message
    while let tag = try message.tag() {
      switch (Fields.Sender(rawValue: tag.number), tag.type) {
      case (.userId, .bytes): userId = try message.text(FieldPath(owner, "userId"))
      case (.name, .bytes): name = try message.text(FieldPath(owner, "name"))
      case (.avatarUrl, .bytes): avatarUrl = try message.text(FieldPath(owner, "avatarUrl"))
      default: try message.skip(tag)
      }
    }
  }
}
