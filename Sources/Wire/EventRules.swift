import RoomModel

/// The rules of an event that its fields share, however it was written (STAGES.md, section 2). Those of one field stand in
/// the list of its message.
enum EventRules {
  static var idLimit: Int { RoomEvent.idLimit }
  static var prizeLimit: Int { 10_000 }
  static var extraLimit: Int { 4096 }
  /// The greatest price.
  static var valueLimit: Int64 { 1_000_000_000_000 }
  /// The longest time of a pin or a goal.
  static var longestMs: Milliseconds { 21_600_000 }

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

  @inline(__always) static func limit(
    _ text: Text, _ limit: Int, _ path: @autoclosure () -> FieldPath
  ) throws(NotUnderstood) {
    if text.count > limit { throw .tooLong(path(), text.count, limit: limit) }
  }

  @inline(__always) static func range(
    _ value: Int64, _ range: ClosedRange<Int64>, _ path: @autoclosure () -> FieldPath
  ) throws(NotUnderstood) {
    if !range.contains(value) { throw .outOfRange(path(), value, range) }
  }
}
