/// Bytes ↔ their text in base64 (RFC 4648).
public enum Base64 {
  /// Reads the alphabet of section 4, padded or not. Returns false, with anything in `bytes`, for other text.
  public static func decode(_ text: UnsafeRawBufferPointer, into bytes: inout ByteBuffer) -> Bool {
    bytes.removeAll()
    var digits = text[...]
    if digits.count % 4 == 0 {
      for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits = digits.dropLast() }
    }
    return read(digits, plus: UInt8(ascii: "+"), slash: UInt8(ascii: "/")) { bytes.append($0) } != nil
  }

  /// Reads base64url as tokens have it (RFC 7515, section 2): that of RFC 4648, section 5, without padding. Only one of
  /// all texts for the same bytes is taken; otherwise a changed token could be as good as the one that was signed.
  ///
  /// - Returns: nil: it is not base64url.
  public static func decodeURL(_ text: Substring.UTF8View) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    let rest = read(text, plus: UInt8(ascii: "-"), slash: UInt8(ascii: "_")) { bytes.append($0) }
    return rest == 0 ? bytes : nil
  }

  /// Writes the alphabet of section 4, padded.
  public static func encode(_ bytes: UnsafeRawBufferPointer, into text: inout ByteBuffer) {
    var place = 0
    while place < bytes.count {
      let count = min(3, bytes.count - place)
      var bits: UInt32 = 0
      for i in 0..<3 { bits = bits << 8 | (i < count ? UInt32(bytes[place + i]) : 0) }
      for i in 0..<4 { text.append(i <= count ? character(bits >> (18 - 6 * UInt32(i)) & 63) : UInt8(ascii: "=")) }
      place += 3
    }
  }

  /// - Parameters plus, slash: the characters for 62 and 63.
  /// - Returns: the bits that make no byte any more; nil: a character is none of base64's, or one too many.
  private static func read(
    _ digits: some Collection<UInt8>, plus: UInt8, slash: UInt8, _ append: (UInt8) -> Void
  ) -> UInt32? {
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for character in digits {
      guard let digit = digit(character, plus, slash) else { return nil }
      bits = bits << 6 | digit
      count += 6
      if count >= 8 {
        count -= 8
        append(UInt8(truncatingIfNeeded: bits >> count))
        bits &= (1 << count) - 1
      }
    }
    return count == 6 ? nil : bits
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

  private static func digit(_ character: UInt8, _ plus: UInt8, _ slash: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case plus: 62
    case slash: 63
    default: nil
    }
  }
}
