import RoomModel

/// The reason why bytes are no state of a room.
package enum StateError: Error, Equatable {
  /// Another version of the program wrote them.
  case unknownVersion(UInt8)
  /// They are cut short, or not what any version writes.
  case damaged
}

/// Writes a room's state: numbers as varints of seven bits a byte (the sign in the lowest bit), times as the distance
/// from a base, which is short, texts with their length before them.
struct StateWriter: ~Copyable {
  private(set) var bytes: [UInt8]
  /// Places in `bytes` where something long begins or ends.
  private(set) var cuts: [Int] = []
  private let base: LogTime

  init(_ bytes: consuming [UInt8], base: LogTime) {
    self.bytes = bytes
    self.base = base
  }

  consuming func finish() -> (bytes: [UInt8], cuts: [Int]) { (bytes, cuts) }

  /// The part between two of these changes by itself; `count` says how many things it has.
  mutating func cut(around count: Int) {
    if count >= 16 { cuts.append(bytes.count) }
  }

  mutating func number(_ number: Int64) {
    var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func time(_ time: LogTime) { number(time &- base) }

  mutating func text(_ text: String) {
    number(Int64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func text(_ text: Text) {
    number(Int64(text.count))
    bytes.append(contentsOf: text.bytes)
  }
}
