import RoomModel

extension Sender: EventFieldList {
  static func list(_ fields: inout some EventFieldCoder<Sender>) {
    fields.id("userId", 1, \.userId, .requiredId)
    fields.text("name", 2, \.name, .upTo(1024, drawn: .name))
    fields.text("avatarUrl", 3, \.avatarUrl, .upTo(2048))
  }
}

extension Gift: EventBody {
  static var name: StaticString { "gift" }
  static var number: UInt32 { 3 }

  @inline(__always) init() { self.init(sender: Sender(), giftId: .empty, count: 0) }

  static func list(_ fields: inout some EventFieldCoder<Gift>) {
    fields.message("sender", 1, \.sender)
    fields.id("receiverId", 2, \.receiverId, .optionalId)
    fields.text("receiverName", 10, \.receiverName, .upTo(1024, .optional, drawn: .receiver))
    fields.id("giftId", 3, \.giftId, .requiredId)
    fields.text("giftName", 4, \.giftName, .upTo(1024, drawn: .text))
    // Its range depends on whether there is a streak: see `complete`.
    fields.integer("count", 5, \.count, .within(.min ... .max))
    fields.integer("value", 6, \.value, .within(0...EventRules.valueLimit))
    fields.id("streakId", 7, \.streakId, .optionalId)
    fields.integer("apart", 11, \.apart, .within(0...1, .optional))
    fields.integer("holdMs", 8, \.holdMs, .within(0...60_000, .optional))
    fields.text("extra", 9, \.extra, .extra)
  }

  @inline(__always) mutating func complete(eventId: Text) throws(NotUnderstood) {
    var path: FieldPath { FieldPath("gift", "count") }
    if streakId.isEmpty {
      try EventRules.range(count, 0...1_000_000, path)
      if count == 0 { count = 1 }
    } else {
      try EventRules.range(count, 0...1_000_000_000, path)
      if count == 0 {
        throw NotUnderstood(.streakWithoutCount, "\(path): with a streakId it says how many so far, 1 or more")
      }
    }
  }
}

extension Wish: EventBody {
  static var name: StaticString { "wish" }
  static var number: UInt32 { 4 }

  @inline(__always) init() { self.init(sender: Sender(), text: .empty, wishId: .empty) }

  static func list(_ fields: inout some EventFieldCoder<Wish>) {
    fields.message("sender", 1, \.sender)
    fields.text("text", 2, \.text, .upTo(16384, .required, drawn: .text))
    fields.id("wishId", 3, \.wishId, .optionalId)
    fields.text("style", 4, \.style, .upTo(256, .optional))
    fields.text("extra", 5, \.extra, .extra)
  }

  @inline(__always) mutating func complete(eventId: Text) throws(NotUnderstood) {
    if !wishId.isEmpty { return }
    if eventId.isEmpty { throw NotUnderstood(.missing, "wish.wishId or eventId must be there, and not be empty") }
    wishId = eventId
  }
}

extension WishLike: EventBody {
  static var name: StaticString { "wishLike" }
  static var number: UInt32 { 5 }

  @inline(__always) init() { self.init(userId: .empty, wishId: .empty) }

  static func list(_ fields: inout some EventFieldCoder<WishLike>) {
    fields.id("userId", 1, \.userId, .requiredId)
    fields.id("wishId", 2, \.wishId, .requiredId)
  }
}

extension Tap: EventBody {
  static var name: StaticString { "tap" }
  static var number: UInt32 { 6 }

  @inline(__always) init() { self.init(userId: .empty, x: 0, y: 0) }

  static func list(_ fields: inout some EventFieldCoder<Tap>) {
    fields.id("userId", 1, \.userId, .requiredId)
    fields.integer("x", 2, \.x, .within(0...999))
    fields.integer("y", 3, \.y, .within(0...999))
  }
}

extension Taps: EventBody {
  static var name: StaticString { "taps" }
  static var number: UInt32 { 13 }

  @inline(__always) init() { self.init(userId: .empty, runId: .empty, count: 0) }

  static func list(_ fields: inout some EventFieldCoder<Taps>) {
    fields.id("userId", 1, \.userId, .requiredId)
    fields.id("runId", 2, \.runId, .requiredId)
    fields.integer("count", 3, \.count, .within(1...1_000_000_000, .required))
    fields.points("points", 4, \.points)
  }
}

extension Point: EventFieldList {
  static func list(_ fields: inout some EventFieldCoder<Point>) {
    fields.integer("x", 1, \.x, .within(0...999))
    fields.integer("y", 2, \.y, .within(0...999))
  }
}

extension RainStart: EventBody {
  static var name: StaticString { "rainStart" }
  static var number: UInt32 { 7 }

  @inline(__always) init() {
    self.init(
      rainId: .empty, durationMs: 0, perSecond: 0, countdown: 0, budget: 0, winEvery: 0,
      prizes: UnsafeBufferPointer(start: nil, count: 0))
  }

  static func list(_ fields: inout some EventFieldCoder<RainStart>) {
    fields.id("rainId", 1, \.rainId, .requiredId)
    fields.integer("durationMs", 2, \.durationMs, .within(0...600_000))
    fields.integer("perSecond", 3, \.perSecond, .within(0...100, zero: 4))
    fields.integer("countdown", 4, \.countdown, .within(0...60, absent: 5))
    fields.integer("budget", 5, \.budget, .within(0...1_000_000_000_000_000))
    fields.integer("winEvery", 6, \.winEvery, .within(0...1_000_000, zero: 3))
    fields.integers("prizes", 7, \.prizes, 0...1_000_000_000, limit: EventRules.prizeLimit)
    fields.text("extra", 8, \.extra, .extra)
  }
}

extension RainGrab: EventBody {
  static var name: StaticString { "rainGrab" }
  static var number: UInt32 { 8 }

  @inline(__always) init() { self.init(rainId: .empty, packet: 0, userId: .empty) }

  static func list(_ fields: inout some EventFieldCoder<RainGrab>) {
    fields.id("rainId", 1, \.rainId, .requiredId)
    fields.integer("packet", 2, \.packet, .within(0...1_000_000))
    fields.id("userId", 3, \.userId, .requiredId)
  }
}

extension Spot: EventBody {
  static var name: StaticString { "spot" }
  static var number: UInt32 { 12 }

  @inline(__always) init() { self.init(sender: Sender(), kind: .empty, spotId: .empty) }

  static func list(_ fields: inout some EventFieldCoder<Spot>) {
    fields.message("sender", 1, \.sender)
    fields.text("kind", 2, \.kind, .upTo(256, .required))
    fields.id("spotId", 3, \.spotId, .upTo(RoomEvent.comboIdLimit, .optional))
    fields.text("text", 4, \.text, .upTo(1024, .optional, drawn: .text))
    fields.text("style", 5, \.style, .upTo(256, .optional))
    fields.integer("value", 6, \.value, .within(0...EventRules.valueLimit, .optional))
    fields.integer("durationMs", 7, \.durationMs, .within(0...60_000, .optional))
    fields.text("extra", 8, \.extra, .extra)
  }

  @inline(__always) mutating func complete(eventId: Text) throws(NotUnderstood) {
    if durationMs > 0 { try EventRules.range(durationMs, 100...60_000, FieldPath("spot", "durationMs")) }
    if !spotId.isEmpty { return }
    if eventId.isEmpty { throw NotUnderstood(.missing, "spot.spotId or eventId must be there, and not be empty") }
    spotId = eventId
  }
}
