package import JSON
package import RoomModel

/// Records in, events out (STAGES.md, section 2). One for each thread.
package struct EventDecoder: ~Copyable {
  private var patterns = GiftPatterns()
  private var document = JSONDocument()
  private var storage = EventStorage()

  package init() {}

  /// The event that a record holds; its texts are good until the next call and as long as `value` is.
  ///
  /// `key` and `value` are the record's, nil if it has none; `contentType` is the value of its last header
  /// `content-type`, nil if there is no such header.
  package mutating func decode(
    key: UnsafeRawBufferPointer?, value: UnsafeRawBufferPointer?, contentType: UnsafeRawBufferPointer?,
    keyRule: KeyRule
  ) throws(NotUnderstood) -> RoomEvent {
    guard let value else { throw NotUnderstood(.noValue, "the record has no value") }
    switch try Format(ofRecordWith: contentType) {
    case .json:
      storage.reset()
      if patterns.matches(value) { return try patterns.event(key: key, keyRule: keyRule, keeping: &storage) }
      let root = try document.value(of: value)
      let event = try root.event(key: key, keyRule: keyRule, keeping: &storage)
      if let places = storage.giftPlaces { patterns.learn(value, root, places) }
      return event
    case .protobuf:
      storage.reset()
      let event = try ProtobufEvent(value, keeping: &storage)
      return try event.event(key: key, keyRule: keyRule, keeping: &storage)
    }
  }

  /// The same of an event that stands within a document that was read already, as in a line of a saved log. Its texts
  /// are good as long as the document is, and until the next call.
  package mutating func decode(
    _ json: JSONValue, key: UnsafeRawBufferPointer?, keyRule: KeyRule
  ) throws(NotUnderstood) -> RoomEvent {
    storage.reset()
    return try json.event(key: key, keyRule: keyRule, keeping: &storage)
  }
}
