extension ByteBuffer {
  /// Appends a number in decimal. Most are a lane, a count or a place, of one digit: those need no call.
  @inlinable @inline(__always) public mutating func append(_ number: Int64) {
    if UInt64(bitPattern: number) < 10 {
      append(UInt8(truncatingIfNeeded: number) | 0x30)
    } else {
      appendSigned(number)
    }
  }

  @inline(never) @usableFromInline mutating func appendSigned(_ number: Int64) {
    var out = cursor(forUpTo: JSONCursor.integerLimit)
    out.put(number)
    end(out)
  }

  /// Appends a number in decimal.
  public mutating func append(_ number: UInt64) {
    var out = cursor(forUpTo: JSONCursor.integerLimit)
    out.putDigits(number)
    end(out)
  }
}
