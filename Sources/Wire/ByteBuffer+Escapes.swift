package import RoomModel

extension ByteBuffer {
  /// The inside of a JSON string: `"`, `\` and what is below U+0020 is escaped, nothing else (STAGES.md, section 10).
  package mutating func appendEscaped(_ text: Text) {
    if text.allWords({ !($0.holdsByte(below: 0x20) || $0.holdsByte(0x22) || $0.holdsByte(0x5c)) }) {
      append(text.start, count: text.count)
    } else {
      appendEscapes(of: text)
    }
  }

  /// The same, and the quote that ends the string.
  mutating func appendEscapedAndQuote(_ text: Text) {
    if text.allWords({ !($0.holdsByte(below: 0x20) || $0.holdsByte(0x22) || $0.holdsByte(0x5c)) }) {
      append(text.start, count: text.count, and: UInt8(ascii: "\""))
    } else {
      appendEscapes(of: text)
      append(UInt8(ascii: "\""))
    }
  }

  package mutating func appendEscaped(string: String) {
    var string = string
    string.withUTF8 { bytes in
      if let start = bytes.baseAddress { appendEscaped(Text(start: start, count: bytes.count)) }
    }
  }

  @inline(never) private mutating func appendEscapes(of text: Text) {
    for byte in text.bytes {
      if byte.isEscaped { appendEscape(byte) } else { append(byte) }
    }
  }

  private mutating func appendEscape(_ byte: UInt8) {
    switch byte {
    case 0x08: append(#"\b"#)
    case 0x09: append(#"\t"#)
    case 0x0a: append(#"\n"#)
    case 0x0c: append(#"\f"#)
    case 0x0d: append(#"\r"#)
    case 0x22: append(#"\""#)
    case 0x5c: append(#"\\"#)
    default:
      append(#"\u00"#)
      append(UInt8(hexDigit: byte >> 4))
      append(UInt8(hexDigit: byte & 15))
    }
  }
}

extension UInt8 {
  @inline(__always) fileprivate var isEscaped: Bool { self < 0x20 || self == 0x22 || self == 0x5c }

  fileprivate init(hexDigit value: UInt8) {
    self = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }
}
