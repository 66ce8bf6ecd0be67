import JSON
import RoomModel
import Settings
import Wire

/// Reads lines of a saved log, one after the other.
package struct LogLineReader: ~Copyable {
  private var document = JSONDocument(depth: JSONDocument.lineDepth)
  /// Decoded keys and values that were in base64.
  private var decodedKey = ByteBuffer()
  private var decodedValue = ByteBuffer()
  private var isBegun = false
  /// Whether the first line tells all that is in force: the number of the rules comes with all settings.
  private(set) var beginsWhole = false

  package init() {}

  /// `bytes` are those of one line, without its end. Nil: there are only blanks.
  package mutating func read(_ bytes: UnsafeRawBufferPointer) throws(BrokenLog) -> LogLine? {
    if bytes.allSatisfy(\.isBlank) { return nil }
    let json: JSONValue
    do { json = try document.parse(bytes) } catch { throw BrokenLog("it is not JSON: \(error.description)") }
    guard let all = json.members else { throw BrokenLog("it is no JSON object, as every line of a log is") }

    var members = LogLineMembers()
    for member in all { members.take(member) }
    let line = LogLine(
      topic: try members.topicName(), partition: try members.partitionNumber(), content: try content(members, bytes))
    if !isBegun {
      beginsWhole = line.content.tellsSettings && (members.state != nil || members.rules != nil)
      isBegun = true
    }
    return line
  }

  private mutating func content(
    _ members: LogLineMembers, _ line: UnsafeRawBufferPointer
  ) throws(BrokenLog) -> LogLine.Content {
    if let state = members.state {
      guard let offset = members.offset?.integer, offset >= 0 else {
        throw BrokenLog(
          "offset must be there, that of the record before which the rooms stood so: an integer of 0 or more")
      }
      return .state(try LogState(state, offset: offset))
    }
    if let firedTo = members.firedToMs {
      guard let time = firedTo.time else { throw BrokenLog("firedToMs must be a time in milliseconds") }
      guard let clock = members.clockMs else { return .firedTo(time) }
      guard let clock = clock.time else { throw BrokenLog("clockMs must be a time in milliseconds") }
      return .firedTo(time, clock: clock)
    }
    if let settings = members.settings {
      return .settings(try settings.settings(rules: members.rules, mapping: members.mapping))
    }
    if let doubt = members.doubt {
      guard let why = doubt.text else { throw BrokenLog("doubt must be a string") }
      return .doubt(why.description)
    }
    guard let offset = members.offset?.integer, offset >= 0 else {
      throw BrokenLog("offset must be there: an integer of 0 or more")
    }
    guard let timestamp = members.timestampMs?.time else {
      throw BrokenLog("timestampMs must be there: a time in milliseconds")
    }
    return .record(
      LogRecord(
        offset: offset, timestampMs: timestamp, key: try key(members), value: try value(members),
        headers: try members.allHeaders(), line: line))
  }

  private mutating func key(_ members: LogLineMembers) throws(BrokenLog) -> UnsafeRawBufferPointer? {
    switch (members.key, members.keyBase64) {
    case (nil, nil): return nil
    case (let key?, nil):
      guard let text = key.text else { throw BrokenLog("key must be a string or null") }
      return text.bytes
    case (nil, let key?):
      try Self.decode(key, into: &decodedKey, "keyBase64")
      return decodedKey.bytes
    default: throw BrokenLog("key and keyBase64 are both there; a record has one key")
    }
  }

  private mutating func value(_ members: LogLineMembers) throws(BrokenLog) -> LogRecord.Value {
    switch (members.value, members.valueText, members.valueBase64) {
    case (nil, nil, nil): return .none
    case (let value?, nil, nil): return .json(value)
    case (nil, let value?, nil):
      guard let text = value.text else { throw BrokenLog("valueText must be a string") }
      return .bytes(text.bytes)
    case (nil, nil, let value?):
      try Self.decode(value, into: &decodedValue, "valueBase64")
      return .bytes(decodedValue.bytes)
    default: throw BrokenLog("value, valueText and valueBase64: more than one is there; a record has one value")
    }
  }

  private static func decode(_ json: JSONValue, into bytes: inout ByteBuffer, _ name: String) throws(BrokenLog) {
    guard let text = json.text, Base64.decode(text.bytes, into: &bytes) else {
      throw BrokenLog("\(name) must be a string of base64")
    }
  }
}

extension LogLine.Content {
  /// The line tells the settings in force before all else of its partition.
  var tellsSettings: Bool {
    switch self {
    case .settings, .state: true
    case .record, .firedTo, .doubt: false
    }
  }
}

extension UInt8 {
  /// Blanks of JSON within a line.
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0d }
}
