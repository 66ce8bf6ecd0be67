package import JSON
package import RoomModel

/// Records in, events out (STAGES.md, section 2, and MAPPING.md). One for each thread.
package struct EventDecoder: ~Copyable {
  private var gifts = KnownPatterns<GiftPlaces>(limit: 4)
  private var document = JSONDocument()
  private var storage = EventStorage()
  private var mapped: MappedEvents?
  /// The shape of the last record's mapping that it fits, from 1; 0: none.
  package private(set) var shape = 0

  package init() {}

  /// The event that a record holds; its texts are good until the next call and as long as `value` is.
  ///
  /// `key` and `value` are the record's, nil if it has none; `contentType` is the value of its last header
  /// `content-type`, nil if there is no such header. `headers` are needed where the mapping reads some.
  ///
  /// - Throws: A reason ``NotUnderstood/Reason/passedOver`` where the mapping has the message ignored.
  package mutating func decode(
    key: UnsafeRawBufferPointer?, value: UnsafeRawBufferPointer?, contentType: UnsafeRawBufferPointer?,
    keyRule: KeyRule, mapping: Mapping? = nil, headers: [RecordHeader] = []
  ) throws(NotUnderstood) -> RoomEvent {
    begin()
    guard let value else { throw NotUnderstood(.noValue, "the record has no value") }
    var format = Format.json
    var content = value
    if FramedValue.isFramed(value) {
      let framed = try FramedValue(value)
      (format, content) = (framed.format, framed.content)
    } else {
      format = try Format(ofRecordWith: contentType)
    }
    // So most are read; all else is beyond a call, which keeps this short.
    if mapping == nil, format == .json, gifts.matches(content) {
      return try gifts.values.giftEvent(at: gifts.what, key: key, keyRule: keyRule, keeping: &storage)
    }
    return try decodeUnlearnt(content, format, key: key, keyRule: keyRule, mapping, headers)
  }

  @inline(__always) private mutating func begin() {
    shape = 0
    storage.reset()
  }

  @inline(never) private mutating func decodeUnlearnt(
    _ content: UnsafeRawBufferPointer, _ format: Format, key: UnsafeRawBufferPointer?, keyRule: KeyRule,
    _ mapping: Mapping?, _ headers: [RecordHeader]
  ) throws(NotUnderstood) -> RoomEvent {
    switch format {
    case .json:
      if let mapping { return try decode(content, key: key, keyRule: keyRule, mapping, headers) }
      let root = try document.value(of: content)
      let event = try root.event(key: key, keyRule: keyRule, keeping: &storage)
      if storage.hasGiftPlaces, gifts.isDue() {
        let places = storage.giftPlaces
        gifts.learn(content, root) { places.slots($0) }
      }
      return event
    case .protobuf:
      let event = try ProtobufEvent(content, keeping: &storage)
      return try event.event(key: key, keyRule: keyRule, keeping: &storage)
    }
  }

  /// The same of an event that stands within a document that was read already, as in a line of a saved log. Its texts
  /// are good as long as the document is, and until the next call.
  ///
  /// - Parameter bytes: the document's, where there is a mapping.
  package mutating func decode(
    _ json: JSONValue, in bytes: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
    key: UnsafeRawBufferPointer?, keyRule: KeyRule,
    mapping: Mapping? = nil, headers: [RecordHeader] = []
  ) throws(NotUnderstood) -> RoomEvent {
    begin()
    if let mapping, let event = try event(json, in: bytes, key: key, keyRule: keyRule, mapping, headers) {
      return event
    }
    return try json.event(key: key, keyRule: keyRule, keeping: &storage)
  }

  private mutating func decode(
    _ content: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer?, keyRule: KeyRule, _ mapping: Mapping,
    _ headers: [RecordHeader]
  ) throws(NotUnderstood) -> RoomEvent {
    if mapped == nil { mapped = MappedEvents() }
    if let known = try mapped!.readAsBefore(mapping, content, key: key, headers: headers, shape: &shape) {
      return try event(known, key: key, keyRule: keyRule)!
    }
    let root: JSONValue?
    var noJSON: NotUnderstood?
    do throws(NotUnderstood) { root = try document.value(of: content) } catch {
      root = nil
      noJSON = error
    }
    do throws(NotUnderstood) {
      if let event = try event(root, in: content, key: key, keyRule: keyRule, mapping, headers) {
        mapped!.learn(content, root, shape: shape - 1)
        return event
      }
    } catch {
      if error.reason == .passedOver, shape > 0 { mapped!.learn(content, root, shape: shape - 1) }
      throw error
    }
    guard let root else { throw noJSON! }
    return try root.event(key: key, keyRule: keyRule, keeping: &storage)
  }

  /// Nil: it is to be read as an event of our own.
  private mutating func event(
    _ root: JSONValue?, in bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer?, keyRule: KeyRule,
    _ mapping: Mapping, _ headers: [RecordHeader]
  ) throws(NotUnderstood) -> RoomEvent? {
    try event(read(root, in: bytes, key: key, mapping, headers), key: key, keyRule: keyRule)
  }

  private mutating func event(
    _ outcome: MappedEvents.Outcome, key: UnsafeRawBufferPointer?, keyRule: KeyRule
  ) throws(NotUnderstood) -> RoomEvent? {
    switch outcome {
    case .event(let shape): return try mapped!.event(ofShape: shape, key: key, keyRule: keyRule, keeping: &storage)
    // Most messages of a platform may be such, so no text is made for each. ``shape`` tells by which one.
    case .passedOver: throw NotUnderstood(.passedOver, "the mapping has it passed over")
    case .own: return nil
    }
  }

  private mutating func read(
    _ root: JSONValue?, in bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer?, _ mapping: Mapping,
    _ headers: [RecordHeader]
  ) throws(NotUnderstood) -> MappedEvents.Outcome {
    if mapped == nil { mapped = MappedEvents() }
    return try mapped!.read(mapping, root, bytes: bytes, key: key, headers: headers, shape: &shape)
  }
}

/// What a mapping makes of a record, for people.
package enum MappedRecord: Sendable {
  /// The event as it was mapped, in the project's own JSON, before the rules of section 2; and why they refuse it.
  case event(json: String, shape: Int, refused: NotUnderstood?)
  /// By the shape of that number, from 1; 0: by none.
  case ignored(shape: Int)
  case refused(NotUnderstood)
  /// It is read as an event of our own; and why that can't be.
  case own(refused: NotUnderstood?)
}

extension EventDecoder {
  /// What a mapping makes of a record that ``decode(key:value:contentType:keyRule:mapping:headers:)`` takes.
  package mutating func map(
    key: UnsafeRawBufferPointer?, value: UnsafeRawBufferPointer?, contentType: UnsafeRawBufferPointer?,
    keyRule: KeyRule, mapping: Mapping, headers: [RecordHeader] = []
  ) -> MappedRecord {
    do throws(NotUnderstood) {
      _ = try decode(
        key: key, value: value, contentType: contentType, keyRule: keyRule, mapping: mapping, headers: headers)
      return mappedRecord(mapping, nil)
    } catch {
      return mappedRecord(mapping, error)
    }
  }

  /// The same of one within a document.
  package mutating func map(
    _ json: JSONValue, in bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer?, keyRule: KeyRule,
    mapping: Mapping, headers: [RecordHeader] = []
  ) -> MappedRecord {
    do throws(NotUnderstood) {
      _ = try decode(json, in: bytes, key: key, keyRule: keyRule, mapping: mapping, headers: headers)
      return mappedRecord(mapping, nil)
    } catch {
      return mappedRecord(mapping, error)
    }
  }

  private mutating func mappedRecord(_ mapping: Mapping, _ error: NotUnderstood?) -> MappedRecord {
    if error?.reason == .passedOver { return .ignored(shape: shape) }
    if let error, error.reason == .noShape || error.reason == .noValue { return .refused(error) }
    guard shape > 0, let event = mapping.shapes[shape - 1].event else { return .own(refused: error) }
    var out = ByteBuffer()
    // Nil, or false: the error is of a field.
    guard mapped?.appendJSON(event, to: &out) ?? false else { return error.map { .refused($0) } ?? .own(refused: nil) }
    return .event(json: out.text.description, shape: shape, refused: error)
  }
}
