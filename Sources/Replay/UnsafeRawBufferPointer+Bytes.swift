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
}
