import RoomModel

extension Text {
  /// Whether `test` holds for words that together have every byte of it, some of them twice, and no other byte.
  @inline(__always) func allWords(_ test: (UInt64) -> Bool) -> Bool {
    let start = self.start
    let count = self.count
    if count >= 8 {
      var i = 0
      while i < count &- 8 {
        if !test(start.loadUnaligned(fromByteOffset: i, as: UInt64.self)) { return false }
        i &+= 8
      }
      return test(start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
    }
    if count >= 4 {
      let first = UInt64(start.loadUnaligned(as: UInt32.self))
      let last = UInt64(start.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
      return test(first | last &<< 32)
    }
    if count == 0 { return true }
    let first = UInt64(start.load(as: UInt8.self))
    let middle = UInt64(start.load(fromByteOffset: count &>> 1, as: UInt8.self))
    let last = UInt64(start.load(fromByteOffset: count &- 1, as: UInt8.self))
    let three = first | middle &<< 8 | last &<< 16
    return test(three | three &<< 24 | three &<< 48)
  }
}

extension UInt64 {
  @inline(__always) static func everyByte(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }
}
