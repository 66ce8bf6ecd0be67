import Glibc
import JSON
import RoomModel
import Wire

/// Our readers and writers for programs that know the schema from elsewhere: a request a line on stdin, an answer a
/// line on stdout. What is bytes (VALUE, KEY, TYPE: a content-type) is in hexadecimal, `-` where there is none.
///
///     read-event TYPE KEY RULE VALUE    the event as JSON, or `! reason: description`
///     read-command TYPE VALUE           the command as JSON, `!` if it is of an unknown kind
///     read-result TYPE VALUE            the result as JSON, `!` if its outcome is unknown
///     write-event FORMAT VALUE          the event that VALUE holds as JSON, written in that format
///     write-command FORMAT VALUE        the command, likewise
///     write-result FORMAT VALUE         the result, likewise
///     partition KEY COUNT               of how many partitions which
@main
enum WireTool {
  static func main() {
    var exchange = Exchange()
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      let answer: String
      do throws(NotUnderstood) {
        answer = try exchange.answer(words) ?? "!"
      } catch {
        answer = "! \(error.reason.rawValue): \(error.description)"
      }
      print(answer)
      fflush(nil)
    }
  }
}

struct Exchange: ~Copyable {
  private var events = EventDecoder()
  private var commands = CommandDecoder()
  private var results = ResultDecoder()

  mutating func answer(_ words: [String]) throws(NotUnderstood) -> String? {
    switch words.first {
    case "read-event":
      return try event(type: words[1], key: words[2], rule: KeyRule(rawValue: words[3])!, value: words[4], .json).string
    case "read-command": return try command(type: words[1], value: words[2], .json)?.string
    case "write-event":
      return try event(type: "-", key: "-", rule: .any, value: words[2], Format(rawValue: words[1])!).hex
    case "write-command": return try command(type: "-", value: words[2], Format(rawValue: words[1])!)?.hex
    case "read-result": return try result(type: words[1], value: words[2], .json)?.string
    case "write-result": return try result(type: "-", value: words[2], Format(rawValue: words[1])!)?.hex
    case "partition":
      return "\(Bytes(words[1]).with { Murmur2.partition(key: $0!, partitions: Int32(words[2])!) })"
    default: fatalError("no such request: \(words)")
    }
  }

  private mutating func event(
    type: String, key: String, rule: KeyRule, value: String, _ format: Format
  ) throws(NotUnderstood) -> Bytes {
    try Bytes(type).with { type throws(NotUnderstood) in
      try Bytes(key).with { key throws(NotUnderstood) in
        try Bytes(value).with { value throws(NotUnderstood) in
          let event = try events.decode(key: key, value: value, contentType: type, keyRule: rule)
          var buffer = ByteBuffer()
          EventEncoder(format: format).encode(event, into: &buffer)
          return Bytes(of: buffer)
        }
      }
    }
  }

  private mutating func command(type: String, value: String, _ format: Format) throws(NotUnderstood) -> Bytes? {
    try Bytes(type).with { type throws(NotUnderstood) in
      try Bytes(value).with { value throws(NotUnderstood) in
        guard let published = try commands.decode(value: value, contentType: type) else { return nil }
        let topic = published.topic.description
        let encoder = CommandEncoder(topic: topic, partition: published.partition, format: format)
        var buffer = ByteBuffer()
        encoder.encode(published.command, into: &buffer)
        return Bytes(of: buffer)
      }
    }
  }

  private mutating func result(type: String, value: String, _ format: Format) throws(NotUnderstood) -> Bytes? {
    try Bytes(type).with { type throws(NotUnderstood) in
      try Bytes(value).with { value throws(NotUnderstood) in
        guard let published = try results.decode(value: value, contentType: type) else { return nil }
        let topic = published.topic.description
        let encoder = CommandEncoder(topic: topic, partition: published.partition, format: format)
        var buffer = ByteBuffer()
        encoder.encode(published.result, into: &buffer)
        return Bytes(of: buffer)
      }
    }
  }
}

/// A piece of a request or an answer.
struct Bytes {
  private let bytes: [UInt8]

  init(of buffer: borrowing ByteBuffer) { bytes = Array(buffer.bytes) }

  /// Nil for `-`. No digits are no bytes, which `=` stands for.
  init?(_ hex: String) {
    if hex == "-" { return nil }
    let digits = hex == "=" ? [] : Array(hex.utf8).map { UInt8(String(UnicodeScalar($0)), radix: 16)! }
    bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  var string: String { String(decoding: bytes, as: UTF8.self) }

  var hex: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  fileprivate func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // A copy of just the size, so that reading beyond it is found out where memory is watched.
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: bytes)
    return try body(UnsafeRawBufferPointer(copy))
  }
}

extension Bytes? {
  func with<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let self { try self.withBytes(body) } else { try body(nil) }
  }
}
