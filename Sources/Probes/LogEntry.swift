import Glibc
import Platform

/// A line, field by field: `level=info message="a text"`, or `{"level":"info","message":"a text"}`.
struct LogEntry {
  private var bytes: [UInt8] = []
  private let format: Log.Format

  init(_ format: Log.Format) {
    self.format = format
    bytes.reserveCapacity(200)
    if format == .json { append("{") }
  }

  mutating func add(_ key: String, _ value: LogField.Value) {
    switch format {
    case .logfmt:
      if !bytes.isEmpty { append(" ") }
      append(key)
      append("=")
      switch value {
      case .number(let number): append(String(number))
      case .text(let text): Self.isBare(text) ? append(text) : quote(text)
      }
    case .json:
      if bytes.count > 1 { append(",") }
      quote(key)
      append(":")
      switch value {
      case .number(let number): append(String(number))
      case .text(let text): quote(text)
      }
    }
  }

  consuming func finish() -> [UInt8] {
    append(format == .json ? "}\n" : "\n")
    return bytes
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// JSON's notation; readers of logfmt take it, too.
  private mutating func quote(_ text: String) {
    append("\"")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case UInt8(ascii: "\n"): append("\\n")
      case UInt8(ascii: "\t"): append("\\t")
      case UInt8(ascii: "\r"): append("\\r")
      case 0..<0x20, 0x7F:
        let hex = String(byte, radix: 16)
        append("\\u00" + (hex.count == 1 ? "0" : "") + hex)
      default: bytes.append(byte)
      }
    }
    append("\"")
  }

  private static func isBare(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "\\")
      }
  }

  /// `2026-11-21T12:57:03.123Z`.
  static func now() -> String {
    let nowMs = WallClock.nowMs()
    var seconds = time_t(nowMs / 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func padded(_ number: some BinaryInteger, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
      + "T\(padded(parts.tm_hour, 2)):\(padded(parts.tm_min, 2)):\(padded(parts.tm_sec, 2))"
      + ".\(padded(nowMs % 1000, 3))Z"
  }
}
