package import RoomModel

extension ByteBuffer {
  /// The inside of a JSON string: `"`, `\` and what is below U+0020 is escaped, nothing else (STAGES.md, section 8).
  package mutating func appendEscaped(_ text: Text) {
    reserve(text.count)
    var i = 0
    while text.count &- i >= 8 {
      let word = text.start.loadUnaligned(fromByteOffset: i, as: UInt64.self)
      if word.holdsEscaped { return appendEscapes(of: text, from: i) }
      start.storeBytes(of: word, toByteOffset: used &+ i, as: UInt64.self)
      i &+= 8
    }
    while i < text.count {
      let byte = text.start.load(fromByteOffset: i, as: UInt8.self)
      if byte.isEscaped { return appendEscapes(of: text, from: i) }
      start.storeBytes(of: byte, toByteOffset: used &+ i, as: UInt8.self)
      i &+= 1
    }
    used &+= text.count
  }

  /// The rest of `text`, whose first `place` bytes are written but not counted yet.
  @inline(never) private mutating func appendEscapes(of text: Text, from place: Int) {
    used &+= place
    for byte in text.bytes[place...] {
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

extension UInt64 {
  /// Whether one of its eight bytes has to be escaped.
  @inline(__always) fileprivate var holdsEscaped: Bool {
    holdsByte(below: 0x20) || holdsByte(0x22) || holdsByte(0x5c)
  }
}
