import RoomModel

/// Protobuf's wire format. As proto3 has it, a field that is 0 or empty is left out.
extension ByteBuffer {
  mutating func append<Field: RawRepresentable>(_ field: Field, _ value: Int64) where Field.RawValue == UInt32 {
    if value != 0 { appendPresent(field, value) }
  }

  /// A field that tells 0 from absent.
  mutating func appendPresent<Field: RawRepresentable>(
    _ field: Field, _ value: Int64
  ) where Field.RawValue == UInt32 {
    appendTag(field, .varint)
    append(varint: UInt64(bitPattern: value))
  }

  mutating func append<Field: RawRepresentable>(_ field: Field, _ text: Text) where Field.RawValue == UInt32 {
    if text.isEmpty { return }
    appendTag(field, .bytes)
    append(varint: UInt64(text.count))
    append(text)
  }

  /// Begins a message within the message, or packed values; what it returns is for `endMessage`.
  mutating func beginMessage<Field: RawRepresentable>(_ field: Field) -> Int where Field.RawValue == UInt32 {
    appendTag(field, .bytes)
    append(UInt8(0))
    return count
  }

  /// Writes the count of bytes before them; most fit in the one byte that was left for it.
  mutating func endMessage(_ begin: Int) {
    let size = UInt64(count - begin)
    if size < 0x80 {
      start.storeBytes(of: UInt8(size), toByteOffset: begin - 1, as: UInt8.self)
    } else {
      insert(varint: size, before: begin)
    }
  }

  mutating func append(varint: UInt64) {
    reserve(10)
    var rest = varint
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  private mutating func insert(varint: UInt64, before begin: Int) {
    let size = count - begin
    let more = (varint.bitWidth - varint.leadingZeroBitCount + 6) / 7 - 1
    reserve(more + 10)
    (start + begin + more).copyMemory(from: start + begin, byteCount: size)
    used = begin - 1
    append(varint: varint)
    used += size
  }

  @inline(__always) private mutating func appendTag<Field: RawRepresentable>(
    _ field: Field, _ type: ProtobufReader.WireType
  ) where Field.RawValue == UInt32 {
    append(varint: UInt64(field.rawValue << 3 | UInt32(type.rawValue)))
  }
}
