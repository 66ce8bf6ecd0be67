import RoomModel
import Wire

extension EventDecoder {
  /// The event of a record in a saved log.
  mutating func decode(_ record: LogRecord, keyRule: KeyRule) throws(NotUnderstood) -> RoomEvent {
    let (key, type) = (record.key, record.contentType)
    switch record.value {
    case .none: return try decode(key: key, value: nil, contentType: type, keyRule: keyRule)
    case .bytes(let value): return try decode(key: key, value: value, contentType: type, keyRule: keyRule)
    case .json(let json):
      if let type, Format(contentType: type) != .json {
        // Its bytes were JSON, which no other format reads further than the first.
        return try decode(key: key, value: Text("{").bytes, contentType: type, keyRule: keyRule)
      }
      return try decode(json, key: key, keyRule: keyRule)
    }
  }
}
