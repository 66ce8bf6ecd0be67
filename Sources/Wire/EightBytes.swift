/// Eight bytes looked at in one go. Both answers are exact for the word as a whole (which byte it was, they don't say).
extension UInt64 {
  @inline(__always) static func everyByte(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

  /// `limit` is at most 128.
  @inline(__always) func holdsByte(below limit: UInt8) -> Bool {
    (self &- Self.everyByte(limit)) & ~self & Self.everyByte(0x80) != 0
  }

  @inline(__always) func holdsByte(_ byte: UInt8) -> Bool {
    let difference = self ^ Self.everyByte(byte)
    return (difference &- Self.everyByte(1)) & ~difference & Self.everyByte(0x80) != 0
  }
}
