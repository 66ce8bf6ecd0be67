import JSON
import RoomModel
import Wire

/// Lines that are good after their source has gone on: copies of what it lent, until `removeAll()`.
struct LineCopies: ~Copyable {
  private var arena = TextArena()
  private var json = ByteBuffer()
  private var places = JSONPlaces()
  /// Whether values are kept as they are written: a mapping may look at how a number is.
  var keepsText = false
  /// The count of copied bytes.
  private(set) var bytes = 0

  mutating func removeAll() {
    arena.removeAll()
    bytes = 0
  }

  mutating func keep(_ line: LogLine) -> LogLine {
    LogLine(topic: keep(line.topic), partition: line.partition, content: keep(line.content))
  }

  private mutating func keep(_ content: LogLine.Content) -> LogLine.Content {
    guard case .record(let record) = content else { return content }
    return .record(
      LogRecord(
        offset: record.offset, timestampMs: record.timestampMs, key: record.key.map { keep($0) },
        value: keep(record.value, in: record.line, contentType: record.contentType),
        headers: record.headers.isEmpty ? [] : record.headers.map { ($0.name, $0.value.map { keep($0) }) }))
  }

  /// JSON is left as bytes, which a decoder reads in the same way.
  private mutating func keep(
    _ value: LogRecord.Value, in line: UnsafeRawBufferPointer, contentType: UnsafeRawBufferPointer?
  ) -> LogRecord.Value {
    switch value {
    case .none: return .none
    case .bytes(let bytes): return .bytes(keep(bytes))
    case .json(let value):
      // The record's content type is another: its decoder gets JSON's first byte, and reads no further.
      if let contentType, Format(contentType: contentType) != .json { return .bytes(keep(LogRecord.noJSON)) }
      json.removeAll()
      if keepsText {
        places.read(line)
        places.append(value, to: &json)
      } else {
        json.append(json: value)
      }
      return .bytes(keep(json.bytes))
    }
  }

  private mutating func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard let start = bytes.baseAddress else { return bytes }
    return keep(Text(start: start, count: bytes.count)).bytes
  }

  private mutating func keep(_ text: Text) -> Text {
    bytes += text.count
    return arena.keep(text)
  }
}
