public import CSimdjson
public import RoomModel

/// A place in a buffer where JSON is written. Its maker has made room for all that comes, and for `slack` bytes more:
/// so no piece has to look for room, and the place stays in a register.
public struct JSONCursor {
  /// The bytes behind the end that may be written over: digits are written eight at a time.
  @inlinable public static var slack: Int { 8 }
  /// The most bytes that an integer takes.
  @inlinable public static var integerLimit: Int { 20 }
  /// The most bytes that a byte of a string takes: `\u0000`.
  @inlinable public static var escapeLimit: Int { 6 }

  public var next: UnsafeMutableRawPointer

  @inlinable @inline(__always) public init(_ place: UnsafeMutableRawPointer) { next = place }

  @inlinable @inline(__always) public mutating func put(_ byte: UInt8) {
    next.storeBytes(of: byte, as: UInt8.self)
    next += 1
  }

  /// A literal's size is known to the compiler: a few stores of constants.
  @inlinable @inline(__always) public mutating func put(_ literal: StaticString) {
    next.copyMemory(from: literal.utf8Start, byteCount: literal.utf8CodeUnitCount)
    next += literal.utf8CodeUnitCount
  }

  /// A text as it is.
  @inlinable @inline(__always) public mutating func put(_ text: Text) {
    plain_text_copy(next, text.start, text.count)
    next += text.count
  }

  // MARK: Objects

  /// Members come with a comma before each, so that none has to know whether it is the first.
  @inlinable @inline(__always) public mutating func endObject(begunAt begin: UnsafeMutableRawPointer) {
    if next == begin { return put("{}") }
    begin.storeBytes(of: UInt8(ascii: "{"), as: UInt8.self)
    put(UInt8(ascii: "}"))
  }

  /// `,"name":`
  @inlinable @inline(__always) public mutating func putMember(_ name: StaticString) {
    put(#",""#)
    put(name)
    put(#"":"#)
  }

  /// `,"name":"`
  @inlinable @inline(__always) public mutating func putTextMember(_ name: StaticString) {
    put(#",""#)
    put(name)
    put(#"":""#)
  }

  // MARK: Strings

  /// The inside of a string: `"`, `\` and what is below U+0020 is escaped, nothing else (STAGES.md, section 10).
  @inlinable @inline(__always) public mutating func putEscaped(_ text: Text) {
    if plain_text_copy(next, text.start, text.count) { next += text.count } else { putEscapes(of: text) }
  }

  @inline(never) @usableFromInline mutating func putEscapes(of text: Text) {
    for byte in text.bytes { putEscaped(byte) }
  }

  mutating func putEscaped(_ byte: UInt8) {
    switch byte {
    case 0x08: put(#"\b"#)
    case 0x09: put(#"\t"#)
    case 0x0a: put(#"\n"#)
    case 0x0c: put(#"\f"#)
    case 0x0d: put(#"\r"#)
    case 0x22: put(#"\""#)
    case 0x5c: put(#"\\"#)
    case ..<0x20:
      put(#"\u00"#)
      put(UInt8(hexDigit: byte >> 4))
      put(UInt8(hexDigit: byte & 15))
    default: put(byte)
    }
  }

  // MARK: Integers

  /// Writes a number in decimal. Most are a lane, a count or a place, of one digit: those need no call.
  @inlinable @inline(__always) public mutating func put(_ number: Int64) {
    if UInt64(bitPattern: number) < 10 {
      put(UInt8(truncatingIfNeeded: number) | 0x30)
    } else {
      self = withDigits(of: number)
    }
  }

  /// A value comes back, so that the place may stay in a register.
  @inline(never) @usableFromInline func withDigits(of number: Int64) -> JSONCursor {
    var after = self
    if number < 0 { after.put(UInt8(ascii: "-")) }
    after.putDigits(number.magnitude)
    return after
  }

  /// Eight digits at a time, which needs neither a loop nor a count of the digits.
  @inlinable @inline(__always) public mutating func putDigits(_ number: UInt64) {
    if number < 100_000_000 { return putFirst(number) }
    let (high, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
    if high < 100_000_000 {
      putFirst(high)
    } else {
      let (highest, middle) = high.quotientAndRemainder(dividingBy: 100_000_000)
      putFirst(highest)
      putEight(Self.eightDigits(middle))
    }
    putEight(Self.eightDigits(low))
  }

  /// A number below 10⁸ without leading zeros.
  @inlinable @inline(__always) mutating func putFirst(_ number: UInt64) {
    let digits = Self.eightDigits(number)
    let zeros = min(digits.trailingZeroBitCount / 8, 7)
    putEight(digits &>> UInt64(8 &* zeros))
    next -= zeros
  }

  @inlinable @inline(__always) mutating func putEight(_ digits: UInt64) {
    next.storeBytes(of: (digits | 0x3030_3030_3030_3030).littleEndian, as: UInt64.self)
    next += 8
  }

  /// The digits of a number below 10⁸ as eight bytes of 0…9, the first one lowest: divided in all lanes of a word at
  /// once, with reciprocals that are exact for so few digits.
  @inlinable @inline(__always) static func eightDigits(_ number: UInt64) -> UInt64 {
    let fours = (number / 10_000) | (number % 10_000) << 32
    let hundreds = ((fours &* 10_486) >> 20) & 0x0000_007f_0000_007f
    let pairs = hundreds | (fours &- 100 &* hundreds) << 16
    let tens = ((pairs &* 103) >> 10) & 0x000f_000f_000f_000f
    return tens | (pairs &- 10 &* tens) << 8
  }
}

extension UInt8 {
  fileprivate init(hexDigit value: UInt8) {
    self = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }
}
