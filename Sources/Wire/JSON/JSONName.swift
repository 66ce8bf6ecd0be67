package import RoomModel

/// A member's name as two words, so that names are told apart by comparing integers: up to 15 bytes, which all names
/// of the schema have, and their count. Longer names are all alike, and like no shorter one.
package struct JSONName {
  private let first: UInt64
  private let rest: UInt64

  /// `text` is that of a document: it may be read past its end, because simdjson pads its strings.
  @inline(__always) package init(_ text: Text) {
    let count = text.count
    let low = text.start.loadUnaligned(as: UInt64.self)
    let high = text.start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    if count < 8 {
      first = low & ~(UInt64.max &<< UInt64(8 &* count))
      rest = UInt64(count) << 56
    } else if count < 16 {
      first = low
      rest = high & ~(UInt64.max &<< UInt64(8 &* (count &- 8))) | UInt64(count) << 56
    } else {
      first = .max
      rest = .max
    }
  }

  /// Unrolled, because only so a literal becomes two constants.
  @inline(__always) private init(_ literal: StaticString) {
    let bytes = literal.utf8Start
    let count = literal.utf8CodeUnitCount
    var first: UInt64 = 0
    if count > 0 { first |= UInt64(bytes[0]) }
    if count > 1 { first |= UInt64(bytes[1]) << 8 }
    if count > 2 { first |= UInt64(bytes[2]) << 16 }
    if count > 3 { first |= UInt64(bytes[3]) << 24 }
    if count > 4 { first |= UInt64(bytes[4]) << 32 }
    if count > 5 { first |= UInt64(bytes[5]) << 40 }
    if count > 6 { first |= UInt64(bytes[6]) << 48 }
    if count > 7 { first |= UInt64(bytes[7]) << 56 }
    var rest = UInt64(count) << 56
    if count > 8 { rest |= UInt64(bytes[8]) }
    if count > 9 { rest |= UInt64(bytes[9]) << 8 }
    if count > 10 { rest |= UInt64(bytes[10]) << 16 }
    if count > 11 { rest |= UInt64(bytes[11]) << 24 }
    if count > 12 { rest |= UInt64(bytes[12]) << 32 }
    if count > 13 { rest |= UInt64(bytes[13]) << 40 }
    if count > 14 { rest |= UInt64(bytes[14]) << 48 }
    self.first = first
    self.rest = rest
  }

  @inline(__always) package static func ~= (literal: StaticString, name: JSONName) -> Bool {
    let other = JSONName(literal)
    return name.first == other.first && name.rest == other.rest
  }
}
