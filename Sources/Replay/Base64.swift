import Wire

/// The bytes that a text in base64 stands for (RFC 4648, section 4).
enum Base64 {
  /// False, with anything in `bytes`, if `text` is none. It is padded, or not.
  static func decode(_ text: UnsafeRawBufferPointer, into bytes: inout ByteBuffer) -> Bool {
    bytes.removeAll()
    var digits = text[...]
    if digits.count % 4 == 0 {
      for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits = digits.dropLast() }
    }
    if digits.count % 4 == 1 { return false }
    var bits: UInt32 = 0
    var count = 0
    for character in digits {
      guard let digit = digit(character) else { return false }
      bits = bits << 6 | digit
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return true
  }

  private static func digit(_ character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
