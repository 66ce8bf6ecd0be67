import RoomModel

/// What an event must be like, however it was written (STAGES.md, section 2). A reader gives every field as it came,
/// and what is absent as 0 or empty; here ranges and lengths are held against it and defaults are filled in.
enum EventRules {
  static var idLimit: Int { RoomEvent.idLimit }
  static var nameLimit: Int { 1024 }
  static var avatarLimit: Int { 2048 }
  static var textLimit: Int { 16384 }
  static var prizeLimit: Int { 10_000 }

  @inline(__always) static func check(
    eventId: Text, roomId: Text, key: UnsafeRawBufferPointer?, rule: KeyRule
  ) throws(NotUnderstood) {
    if roomId.isEmpty { throw NotUnderstood(.noRoom, "roomId must be there, and not be empty") }
    try limit(eventId, idLimit, FieldPath("", "eventId"))
    try limit(roomId, idLimit, FieldPath("", "roomId"))
    if rule == .roomId { try check(key: key, is: roomId) }
  }

  @inline(__always) private static func check(
    key: UnsafeRawBufferPointer?, is roomId: Text
  ) throws(NotUnderstood) {
    guard let key else { throw NotUnderstood(.key, "the record has no key; it must be the roomId, \(roomId.quoted)") }
    guard let start = key.baseAddress, Text(start: start, count: key.count) == roomId else {
      throw NotUnderstood(.key, "the record's key must be the roomId, \(roomId.quoted)")
    }
  }

  @inline(__always) static func check(
    _ gift: inout Gift, keeping storage: inout EventStorage
  ) throws(NotUnderstood) {
    try check(&gift.sender, of: "gift.sender", keeping: &storage)
    try limit(gift.receiverId, idLimit, FieldPath("gift", "receiverId"))
    try require(gift.giftId, FieldPath("gift", "giftId"))
    storage.stripText(&gift.giftName)
    try limit(gift.giftName, nameLimit, FieldPath("gift", "giftName"))
    try limit(gift.streakId, idLimit, FieldPath("gift", "streakId"))
    try range(gift.value, 0...1_000_000_000, FieldPath("gift", "value"))
    try range(gift.holdMs, 0...60_000, FieldPath("gift", "holdMs"))
    let path = FieldPath("gift", "count")
    if gift.streakId.isEmpty {
      try range(gift.count, 0...1_000_000, path)
      if gift.count == 0 { gift.count = 1 }
    } else {
      try range(gift.count, 0...1_000_000_000, path)
      if gift.count == 0 {
        throw NotUnderstood(.streakWithoutCount, "\(path): with a streakId it says how many so far, 1 or more")
      }
    }
  }

  @inline(__always) static func check(
    _ wish: inout Wish, eventId: Text, keeping storage: inout EventStorage
  ) throws(NotUnderstood) {
    try check(&wish.sender, of: "wish.sender", keeping: &storage)
    storage.stripText(&wish.text)
    if wish.text.isEmpty { throw .missing(FieldPath("wish", "text")) }
    try limit(wish.text, textLimit, FieldPath("wish", "text"))
    if wish.wishId.isEmpty {
      if eventId.isEmpty { throw NotUnderstood(.missing, "wish.wishId or eventId must be there, and not be empty") }
      wish.wishId = eventId
    }
    try limit(wish.wishId, idLimit, FieldPath("wish", "wishId"))
    try limit(wish.style, idLimit, FieldPath("wish", "style"))
  }

  static func check(_ like: WishLike) throws(NotUnderstood) {
    try require(like.userId, FieldPath("wishLike", "userId"))
    try require(like.wishId, FieldPath("wishLike", "wishId"))
  }

  static func check(_ tap: Tap) throws(NotUnderstood) {
    try require(tap.userId, FieldPath("tap", "userId"))
    try range(tap.x, 0...999, FieldPath("tap", "x"))
    try range(tap.y, 0...999, FieldPath("tap", "y"))
  }

  /// Its `countdown` comes with the default filled in already, since 0 is not the same as absent.
  static func check(_ start: inout RainStart, prizeCount: Int) throws(NotUnderstood) {
    try require(start.rainId, FieldPath("rainStart", "rainId"))
    try range(start.durationMs, 0...600_000, FieldPath("rainStart", "durationMs"))
    try range(start.perSecond, 0...100, FieldPath("rainStart", "perSecond"))
    if start.perSecond == 0 { start.perSecond = defaultPerSecond }
    try range(start.countdown, 0...60, FieldPath("rainStart", "countdown"))
    try range(start.budget, 0...1_000_000_000_000_000, FieldPath("rainStart", "budget"))
    try range(start.winEvery, 0...1_000_000, FieldPath("rainStart", "winEvery"))
    if start.winEvery == 0 { start.winEvery = defaultWinEvery }
    if prizeCount > prizeLimit {
      throw NotUnderstood(.tooLong, "rainStart.prizes: \(prizeCount) prizes are more than \(prizeLimit)")
    }
    for prize in start.prizes { try range(prize, 0...1_000_000_000, FieldPath("rainStart", "prizes")) }
  }

  static func check(_ grab: RainGrab) throws(NotUnderstood) {
    try require(grab.rainId, FieldPath("rainGrab", "rainId"))
    try range(grab.packet, 0...1_000_000, FieldPath("rainGrab", "packet"))
    try require(grab.userId, FieldPath("rainGrab", "userId"))
  }

  static var defaultPerSecond: Int64 { 4 }
  static var defaultCountdown: Int64 { 5 }
  static var defaultWinEvery: Int64 { 3 }

  @inline(__always) private static func check(
    _ sender: inout Sender, of owner: StaticString, keeping storage: inout EventStorage
  ) throws(NotUnderstood) {
    try require(sender.userId, FieldPath(owner, "userId"))
    storage.stripName(&sender.name)
    try limit(sender.name, nameLimit, FieldPath(owner, "name"))
    try limit(sender.avatarUrl, avatarLimit, FieldPath(owner, "avatarUrl"))
  }

  /// An id that must be there.
  @inline(__always) private static func require(_ id: Text, _ path: FieldPath) throws(NotUnderstood) {
    if id.isEmpty { throw .missing(path) }
    try limit(id, idLimit, path)
  }

  @inline(__always) static func limit(
    _ text: Text, _ limit: Int, _ path: FieldPath
  ) throws(NotUnderstood) {
    if text.count > limit { throw .tooLong(path, text.count, limit: limit) }
  }

  @inline(__always) static func range(
    _ value: Int64, _ range: ClosedRange<Int64>, _ path: FieldPath
  ) throws(NotUnderstood) {
    if !range.contains(value) { throw .outOfRange(path, value, range) }
  }
}
