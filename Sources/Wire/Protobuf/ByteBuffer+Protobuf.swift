import JSON
import RoomModel

/// Protobuf's wire format. As proto3 has it, a field that is 0 or empty is left out.
extension ByteBuffer {
  @inline(__always) mutating func append(_ number: UInt32, _ value: Int64) {
    if value != 0 { appendPresent(number, value) }
  }

  /// A field that tells 0 from absent.
  @inline(__always) mutating func appendPresent(_ number: UInt32, _ value: Int64) {
    appendTag(number, .varint)
    append(varint: UInt64(bitPattern: value))
  }

  @inline(__always) mutating func append(_ number: UInt32, _ text: Text) {
    if text.isEmpty { return }
    appendTag(number, .bytes)
    append(varint: UInt64(text.count))
    append(text)
  }

  /// Begins a message within the message, or packed values; what it returns is for `endMessage`.
  @inline(__always) mutating func beginMessage(_ number: UInt32) -> Int {
    appendTag(number, .bytes)
    append(UInt8(0))
    return count
  }

  /// Writes the count of bytes before them; most fit in the one byte that was left for it.
  mutating func endMessage(_ begin: Int) {
    let size = UInt64(count - begin)
    if size < 0x80 {
      replaceByte(at: begin - 1, with: UInt8(size))
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
    let more = (varint.bitWidth - varint.leadingZeroBitCount + 6) / 7 - 1
    insertRoom(more, at: begin)
    let last = begin - 1 + more
    for place in begin - 1...last {
      let rest = UInt8(truncatingIfNeeded: varint >> (7 * UInt64(place - begin + 1))) & 0x7f
      replaceByte(at: place, with: place == last ? rest : rest | 0x80)
    }
  }

  /// Hardly any number of the schema is above 15, so it mostly is one byte.
  @inline(__always) private mutating func appendTag(_ number: UInt32, _ type: ProtobufReader.WireType) {
    append(varint: UInt64(number << 3 | UInt32(type.rawValue)))
  }
}

/// The same of fields that stand in no list.
extension ByteBuffer {
  @inline(__always) mutating func append<Field: RawRepresentable<UInt32>>(_ field: Field, _ value: Int64) {
    append(field.rawValue, value)
  }

  @inline(__always) mutating func append<Field: RawRepresentable<UInt32>>(_ field: Field, _ text: Text) {
    append(field.rawValue, text)
  }

  @inline(__always) mutating func beginMessage<Field: RawRepresentable<UInt32>>(_ field: Field) -> Int {
    beginMessage(field.rawValue)
  }
}
