import Glibc
import RoomModel

extension UnsafeRawBufferPointer {
  /// Whether the bytes are the same. It compares words, where `elementsEqual` takes byte by byte.
  func isSame(as other: [UInt8]) -> Bool {
    other.withUnsafeBytes { other in
      guard count == other.count, let start = baseAddress, let otherStart = other.baseAddress else {
        return count == other.count
      }
      return Text(start: start, count: count) == Text(start: otherStart, count: count)
    }
  }

  /// Whether these bytes stand somewhere in it, in a row.
  func contains(_ wanted: [UInt8]) -> Bool {
    guard var start = baseAddress, let first = wanted.first else { return wanted.isEmpty }
    return wanted.withUnsafeBytes { wanted in
      let end = start + count
      while end - start >= wanted.count,
        let found = memchr(start, Int32(first), end - start - wanted.count + 1)
      {
        if memcmp(found, wanted.baseAddress!, wanted.count) == 0 { return true }
        start = UnsafeRawPointer(found) + 1
      }
      return false
    }
  }
}
