import CSimdjson
import Glibc
public import RoomModel

extension UnsafeRawBufferPointer {
  /// Whether these bytes stand somewhere in it, in a row.
  public func contains(_ wanted: Text) -> Bool {
    guard let start = baseAddress else { return wanted.isEmpty }
    return text_contains(start, count, wanted.start, wanted.count)
  }

  /// Whether JSON in it may write some character as an escape.
  public var mayHoldEscapes: Bool { baseAddress.map { memchr($0, Int32(UInt8(ascii: "\\")), count) != nil } ?? false }
}
