package import JSON
import Wire
internal import RoomModel
internal import Settings

/// Writes lines of a saved log (STAGES.md, section 11), which ``LogLineReader`` reads.
package struct LogLineWriter: ~Copyable {
  private var document = JSONDocument()
  private var places = JSONPlaces()

  package init() {}

  /// Appends `line` and its end.
  package mutating func write(_ line: LogLine, into bytes: inout ByteBuffer) {
    bytes.append(#"{"topic":""#)
    bytes.appendEscaped(line.topic)
    bytes.append(#"","partition":"#)
    bytes.append(Int64(line.partition))
    switch line.content {
    case .record(let record): write(record, into: &bytes)
    case .firedTo(let time, let clock):
      bytes.append(#","firedToMs":"#)
      bytes.append(time)
      if let clock {
        bytes.append(#","clockMs":"#)
        bytes.append(clock)
      }
    case .settings(let settings):
      bytes.append(",")
      bytes.append(string: settings.members)
    case .state(let state):
      bytes.append(#","offset":"#)
      bytes.append(state.offset)
      bytes.append(#","state":"#)
      state.write(into: &bytes)
    case .doubt(let why):
      bytes.append(#","doubt":"#)
      bytes.appendString(why)
    }
    bytes.append("}\n")
  }

  private mutating func write(_ record: LogRecord, into bytes: inout ByteBuffer) {
    bytes.append(#","offset":"#)
    bytes.append(record.offset)
    bytes.append(#","timestampMs":"#)
    bytes.append(record.timestampMs)
    if let key = record.key {
      if let text = String(validating: key, as: UTF8.self) {
        bytes.append(#","key":"#)
        bytes.appendString(text)
      } else {
        Self.write(#","keyBase64":""#, key, into: &bytes)
      }
    }
    switch record.value {
    case .none: break
    case .json(let json): write(json, in: record.line, into: &bytes)
    case .bytes(let value): write(value: value, into: &bytes)
    }
    if !record.headers.isEmpty { Self.write(record.headers, into: &bytes) }
  }

  private mutating func write(value: UnsafeRawBufferPointer, into bytes: inout ByteBuffer) {
    if let json = try? document.parse(value) {
      write(json, in: value, into: &bytes)
    } else if let text = String(validating: value, as: UTF8.self) {
      bytes.append(#","valueText":"#)
      bytes.appendString(text)
    } else {
      Self.write(#","valueBase64":""#, value, into: &bytes)
    }
  }

  /// Writes a value as it came: a mapping may look at how a number is written.
  private mutating func write(
    _ json: JSONValue, in document: UnsafeRawBufferPointer, into bytes: inout ByteBuffer
  ) {
    // A record that holds `null` is one with a value, which a member that is null would not tell.
    if json.isNull {
      bytes.append(#","valueText":"null""#)
      return
    }
    bytes.append(#","value":"#)
    places.read(document)
    places.append(json, to: &bytes)
  }

  private static func write(_ member: StaticString, _ value: UnsafeRawBufferPointer, into bytes: inout ByteBuffer) {
    bytes.append(member)
    Base64.encode(value, into: &bytes)
    bytes.append(#"""#)
  }

  private static func write(_ headers: [LogRecord.Header], into bytes: inout ByteBuffer) {
    bytes.append(#","headers":["#)
    for (i, header) in headers.enumerated() {
      if i > 0 { bytes.append(",") }
      bytes.append("[")
      bytes.appendString(header.name)
      bytes.append(",")
      if let value = header.value {
        bytes.appendString(String(decoding: value, as: UTF8.self))
      } else {
        bytes.append("null")
      }
      bytes.append("]")
    }
    bytes.append("]")
  }
}
