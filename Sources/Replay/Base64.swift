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

  static func encode(_ bytes: UnsafeRawBufferPointer, into text: inout ByteBuffer) {
    var place = 0
    while place < bytes.count {
      let count = min(3, bytes.count - place)
      var bits: UInt32 = 0
      for i in 0..<3 { bits = bits << 8 | (i < count ? UInt32(bytes[place + i]) : 0) }
      for i in 0..<4 { text.append(i <= count ? character(bits >> (18 - 6 * UInt32(i)) & 63) : UInt8(ascii: "=")) }
      place += 3
    }
  }

  private static func character(_ digit: UInt32) -> UInt8 {
    let digit = UInt8(digit)
    return switch digit {
    case 0..<26: UInt8(ascii: "A") + digit
    case 26..<52: UInt8(ascii: "a") + digit - 26
    case 52..<62: UInt8(ascii: "0") + digit - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
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
