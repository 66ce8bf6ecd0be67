/// A member's name as two words, so that names are told apart by comparing integers: up to 15 bytes, which all names
/// of the schema have, and their count. Longer names are all alike, and like no shorter one.
public struct JSONName: Equatable, Sendable {
  @usableFromInline let first: UInt64
  @usableFromInline let rest: UInt64

  /// Reads beyond the name's end: simdjson pads its strings.
  @inlinable @inline(__always) public init(of member: JSONMember) {
    let (start, count) = member.nameValue.unescapedBytes
    let low = start.loadUnaligned(as: UInt64.self)
    let high = start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    if count < 8 {
      first = low & ~(UInt64.max &<< UInt64(8 &* count))
      rest = UInt64(count) &<< 56
    } else if count < 16 {
      first = low
      rest = high & ~(UInt64.max &<< UInt64(8 &* (count &- 8))) | UInt64(count) &<< 56
    } else {
      first = .max
      rest = .max
    }
  }

  /// Unrolled and without branches, because only so the compiler makes two constants of a literal.
  @inlinable @inline(__always) public init(_ literal: StaticString) {
    let count = literal.utf8CodeUnitCount
    first =
      literal.byte(0) | literal.byte(1) &<< 8 | literal.byte(2) &<< 16 | literal.byte(3) &<< 24
      | literal.byte(4) &<< 32 | literal.byte(5) &<< 40 | literal.byte(6) &<< 48 | literal.byte(7) &<< 56
    rest =
      literal.byte(8) | literal.byte(9) &<< 8 | literal.byte(10) &<< 16 | literal.byte(11) &<< 24
      | literal.byte(12) &<< 32 | literal.byte(13) &<< 40 | literal.byte(14) &<< 48
      | UInt64(truncatingIfNeeded: count) &<< 56
  }

  @inlinable @inline(__always) public static func == (a: JSONName, b: JSONName) -> Bool {
    (a.first ^ b.first) | (a.rest ^ b.rest) == 0
  }

  @inlinable @inline(__always) public static func ~= (literal: StaticString, name: JSONName) -> Bool {
    let other = JSONName(literal)
    return (name.first ^ other.first) | (name.rest ^ other.rest) == 0
  }
}

extension StaticString {
  /// 0 beyond its end.
  @inlinable @inline(__always) func byte(_ place: Int) -> UInt64 {
    let isWithin = (place &- utf8CodeUnitCount) &>> 63
    return UInt64(truncatingIfNeeded: utf8Start[place & isWithin]) & UInt64(truncatingIfNeeded: isWithin)
  }
}
