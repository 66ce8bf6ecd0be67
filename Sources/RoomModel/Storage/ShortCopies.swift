extension UnsafeMutableRawPointer {
  /// Copies bytes that don't overlap with these. Most texts are short, and a call costs more than copying them: the
  /// last word may overlap the one before.
  @inlinable @inline(__always) public func copyShort(from: UnsafeRawPointer, count: Int) {
    switch count {
    case 0: break
    case 1...3:
      copyWord(UInt8.self, from: from, at: 0)
      copyWord(UInt8.self, from: from, at: count &>> 1)
      copyWord(UInt8.self, from: from, at: count &- 1)
    case 4...7:
      copyWord(UInt32.self, from: from, at: 0)
      copyWord(UInt32.self, from: from, at: count &- 4)
    case 8...64:
      var i = 0
      while i < count &- 8 {
        copyWord(UInt64.self, from: from, at: i)
        i &+= 8
      }
      copyWord(UInt64.self, from: from, at: count &- 8)
    default: copyMemory(from: from, byteCount: count)
    }
  }

  @inlinable @inline(__always) func copyWord<Word: FixedWidthInteger>(
    _: Word.Type, from source: UnsafeRawPointer, at place: Int
  ) {
    storeBytes(of: source.loadUnaligned(fromByteOffset: place, as: Word.self), toByteOffset: place, as: Word.self)
  }
}
