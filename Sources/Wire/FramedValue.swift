import RoomModel

/// A record's value as the serializers of a schema registry write it (MAPPING.md, "Framing"): a byte 0, four bytes of the
/// schema's id, and behind them JSON, or the indexes of a message and Protobuf.
struct FramedValue {
  let format: Format
  let content: UnsafeRawBufferPointer

  /// Whether a value is framed: neither JSON nor an event in Protobuf can begin so.
  @inline(__always) static func isFramed(_ value: UnsafeRawBufferPointer) -> Bool { value.first == 0 }

  init(_ value: UnsafeRawBufferPointer) throws(NotUnderstood) {
    guard value.count > 5 else {
      throw NotUnderstood(
        .notProtobuf, "behind a schema registry's byte 0 and the four of the schema's id stands nothing")
    }
    var rest = value[5...]
    if rest.first == UInt8(ascii: "{") {
      format = .json
      content = UnsafeRawBufferPointer(rebasing: rest)
      return
    }
    format = .protobuf
    // Zigzag has the sign in the lowest bit.
    guard let count = Self.varint(&rest), count & 1 == 0 else { throw Self.noIndexes }
    var left = count >> 1
    while left > 0 {
      guard Self.varint(&rest) != nil else { throw Self.noIndexes }
      left -= 1
    }
    content = UnsafeRawBufferPointer(rebasing: rest)
  }

  private static var noIndexes: NotUnderstood {
    NotUnderstood(
      .notProtobuf,
      "behind a schema registry's byte 0 and the schema's id stand neither JSON nor the indexes of a message")
  }

  private static func varint(_ rest: inout Slice<UnsafeRawBufferPointer>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      value |= shift < 64 ? UInt64(byte & 0x7f) << shift : 0
      if byte < 0x80 { return value }
    }
    return nil
  }
}
