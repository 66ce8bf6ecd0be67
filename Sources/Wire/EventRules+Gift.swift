import RoomModel

/// The rules of the gift's list once more, by hand: see `ProtobufGift.swift`.
extension EventRules {
  @inline(__always) static func check(
    _ gift: inout Gift, keeping storage: inout EventStorage
  ) throws(NotUnderstood) {
    try check(&gift.sender, of: "gift.sender", keeping: &storage)
    try limit(gift.receiverId, idLimit, FieldPath("gift", "receiverId"))
    storage.strip(&gift.receiverName, .receiver)
    try limit(gift.receiverName, 1024, FieldPath("gift", "receiverName"))
    try require(gift.giftId, FieldPath("gift", "giftId"))
    storage.strip(&gift.giftName, .text)
    try limit(gift.giftName, 1024, FieldPath("gift", "giftName"))
    try limit(gift.streakId, idLimit, FieldPath("gift", "streakId"))
    try range(gift.value, 0...valueLimit, FieldPath("gift", "value"))
    try range(gift.apart, 0...1, FieldPath("gift", "apart"))
    try range(gift.holdMs, 0...60_000, FieldPath("gift", "holdMs"))
    try limit(gift.extra, extraLimit, FieldPath("gift", "extra"))
    try gift.complete(eventId: .empty)
  }

  @inline(__always) private static func check(
    _ sender: inout Sender, of owner: StaticString, keeping storage: inout EventStorage
  ) throws(NotUnderstood) {
    try require(sender.userId, FieldPath(owner, "userId"))
    storage.strip(&sender.name, .name)
    try limit(sender.name, 1024, FieldPath(owner, "name"))
    try limit(sender.avatarUrl, 2048, FieldPath(owner, "avatarUrl"))
  }

  /// An id that must be there.
  @inline(__always) private static func require(
    _ id: Text, _ path: @autoclosure () -> FieldPath
  ) throws(NotUnderstood) {
    if id.isEmpty { throw .missing(path()) }
    try limit(id, idLimit, path())
  }
}
