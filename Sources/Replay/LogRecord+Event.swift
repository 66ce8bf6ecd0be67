import JSON
package import RoomModel
import RoomScreen
package import Wire

extension EventDecoder {
  /// The event of a record in a saved log.
  package mutating func decode(
    _ record: LogRecord, keyRule: KeyRule, mapping: Mapping? = nil
  ) throws(NotUnderstood) -> RoomEvent {
    let (key, type) = (record.key, record.contentType)
    switch record.value {
    case .none: return try decode(key: key, value: nil, contentType: type, keyRule: keyRule)
    case .bytes(let value):
      return try decode(
        key: key, value: value, contentType: type, keyRule: keyRule, mapping: mapping, headers: record.headers)
    case .json(let json):
      if let type, Format(contentType: type) != .json {
        return try decode(key: key, value: LogRecord.noJSON, contentType: type, keyRule: keyRule)
      }
      return try decode(
        json, in: record.line, key: key, keyRule: keyRule, mapping: mapping, headers: record.headers)
    }
  }

  /// What a mapping makes of a record in a saved log.
  package mutating func map(_ record: LogRecord, keyRule: KeyRule, mapping: Mapping) -> MappedRecord {
    let (key, type) = (record.key, record.contentType)
    switch record.value {
    case .json(let json) where type.flatMap({ Format(contentType: $0) }) ?? .json == .json:
      return map(json, in: record.line, key: key, keyRule: keyRule, mapping: mapping, headers: record.headers)
    case .json:
      return map(key: key, value: LogRecord.noJSON, contentType: type, keyRule: keyRule, mapping: mapping)
    case .none: return map(key: key, value: nil, contentType: type, keyRule: keyRule, mapping: mapping)
    case .bytes(let value):
      return map(
        key: key, value: value, contentType: type, keyRule: keyRule, mapping: mapping, headers: record.headers)
    }
  }
}

extension LogRecord {
  /// JSON where another format is told: no reader of that format gets further than its first byte.
  static var noJSON: UnsafeRawBufferPointer { Text("{").bytes }

  /// What a mapping makes of it.
  func mapped(by mapping: Mapping) -> MappedRecord {
    var decoder = EventDecoder()
    return decoder.map(self, keyRule: .any, mapping: mapping)
  }

  /// The value as it came.
  var valueText: String {
    var out = ByteBuffer()
    switch value {
    case .none: break
    case .bytes(let bytes): out.append(bytes)
    case .json(let json):
      var places = JSONPlaces()
      places.read(line)
      places.append(json, to: &out)
    }
    return String(decoding: out.bytes, as: UTF8.self)
  }

  /// The id of an event that can't be understood, where it is JSON that has one.
  var eventId: ID? {
    switch value {
    case .none: return nil
    case .json(let json): return json.eventId
    case .bytes(let bytes):
      var document = JSONDocument()
      return (try? document.parse(bytes))?.eventId
    }
  }
}

extension JSONValue {
  /// An id may be an integer.
  var idText: String? { text?.description ?? integer.map(String.init) }

  fileprivate var eventId: ID? {
    guard let id = self["eventId"]?.idText, !id.isEmpty else { return nil }
    return ID(id)
  }
}

extension ForeignMessage {
  /// Nil: it is in the project's own form, or passed over.
  init?(_ record: LogRecord, _ mapped: MappedRecord) {
    switch mapped {
    case .event(let json, _, _): self.init(cameAs: record.valueText, readAs: json)
    case .refused: self.init(cameAs: record.valueText, readAs: nil)
    case .ignored, .own: return nil
    }
  }
}
