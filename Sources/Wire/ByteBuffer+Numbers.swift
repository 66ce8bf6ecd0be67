extension ByteBuffer {
  /// In decimal. Most are a lane, a count or a place, of one digit: those need no call.
  @inline(__always) package mutating func append(_ number: Int64) {
    if UInt64(bitPattern: number) < 10 {
      append(UInt8(truncatingIfNeeded: number) | 0x30)
    } else {
      appendSigned(number)
    }
  }

  @inline(never) @usableFromInline mutating func appendSigned(_ number: Int64) {
    reserve(24)
    if number < 0 { append(UInt8(ascii: "-")) }
    appendDigits(number.magnitude)
  }

  /// In decimal.
  package mutating func append(_ number: UInt64) {
    reserve(24)
    appendDigits(number)
  }

  /// Eight digits at a time, which needs neither a loop nor a count of the digits. There must be room for them.
  @inline(__always) private mutating func appendDigits(_ number: UInt64) {
    if number < 100_000_000 { return appendFirst(number) }
    let (high, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
    if high < 100_000_000 {
      appendFirst(high)
    } else {
      let (highest, middle) = high.quotientAndRemainder(dividingBy: 100_000_000)
      appendFirst(highest)
      appendEight(Self.eightDigits(middle))
    }
    appendEight(Self.eightDigits(low))
  }

  /// A number below 10⁸ without leading zeros.
  @inline(__always) private mutating func appendFirst(_ number: UInt64) {
    let digits = Self.eightDigits(number)
    let zeros = min(digits.trailingZeroBitCount / 8, 7)
    appendEight(digits &>> UInt64(8 &* zeros))
    used &-= zeros
  }

  @inline(__always) private mutating func appendEight(_ digits: UInt64) {
    start.storeBytes(of: digits | 0x3030_3030_3030_3030, toByteOffset: used, as: UInt64.self)
    used &+= 8
  }

  /// The digits of a number below 10⁸ as eight bytes of 0…9, the first one lowest: divided in all lanes of a word at
  /// once, with reciprocals that are exact for so few digits.
  @inline(__always) private static func eightDigits(_ number: UInt64) -> UInt64 {
    let fours = (number / 10_000) | (number % 10_000) << 32
    let hundreds = ((fours &* 10_486) >> 20) & 0x0000_007f_0000_007f
    let pairs = hundreds | (fours &- 100 &* hundreds) << 16
    let tens = ((pairs &* 103) >> 10) & 0x000f_000f_000f_000f
    return tens | (pairs &- 10 &* tens) << 8
  }
}
