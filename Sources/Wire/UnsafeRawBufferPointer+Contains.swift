import CSimdjson
import Glibc
package import RoomModel

extension UnsafeRawBufferPointer {
  /// Whether these bytes stand somewhere in it, in a row.
  package func contains(_ wanted: Text) -> Bool {
    guard let start = baseAddress else { return wanted.isEmpty }
    return text_contains(start, count, wanted.start, wanted.count)
  }

  /// Whether JSON in it may write some character as an escape.
  package var mayHoldEscapes: Bool { baseAddress.map { memchr($0, Int32(UInt8(ascii: "\\")), count) != nil } ?? false }
}
