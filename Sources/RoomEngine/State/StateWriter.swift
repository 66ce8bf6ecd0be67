import RoomModel

/// Why bytes are no state of a room.
package enum StateError: Error, Equatable {
  /// Another version of the program wrote them.
  case unknownVersion(UInt8)
  /// They are cut short, or not what any version writes.
  case damaged
}

/// Writes a room's state: numbers as varints of seven bits a byte (the sign in the lowest bit), times as the distance
/// from the clock, which is short, texts with their length before them.
struct StateWriter: ~Copyable {
  private(set) var bytes: [UInt8]
  private let base: LogTime

  init(_ bytes: consuming [UInt8], base: LogTime) {
    self.bytes = bytes
    self.base = base
  }

  consuming func finish() -> [UInt8] { bytes }

  mutating func number(_ number: Int64) {
    var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func time(_ time: LogTime) { number(time &- base) }

  mutating func text(_ text: Text) {
    number(Int64(text.count))
    bytes.append(contentsOf: text.bytes)
  }
}
