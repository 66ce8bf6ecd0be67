import JSON
import RoomModel
import Testing
import Wire

/// Commands of others' hands: fields in any order, twice, and such as only a newer worker knows.
struct FieldOrderTests {
  private static let asWritten =
    #"{"roomId":"r","id":"t/0/7/1","atMs":5,"giftShow":{"comboId":"t/0/6","lane":1,"sender":{"userId":"7","name":"ann","#
    + #""avatarUrl":""},"receiverId":"","receiverName":"","giftId":"rose","giftName":"","value":10,"from":0,"total":3,"enterMs":250,"#
    + #""tier":0,"extra":""}}"#

  @Test(arguments: [
    // In another order, at every depth.
    #"{"giftShow":{"total":3,"enterMs":250,"lane":1,"sender":{"name":"ann","userId":"7"},"giftId":"rose","value":10,"#
      + #""comboId":"t/0/6"},"atMs":5,"id":"t/0/7/1","roomId":"r"}"#,
    // The last of a name counts.
    #"{"roomId":"x","id":"t/0/7/1","atMs":5,"giftShow":{"lane":9},"giftShow":{"comboId":"?","lane":8,"sender":{},"#
      + #""giftId":"rose","value":10,"total":3,"enterMs":250,"lane":1,"sender":{"userId":"x","userId":"7","name":"ann"},"#
      + #""comboId":"t/0/6"},"roomId":"r"}"#,
    // A newer worker's.
    #"{"roomId":"r","id":"t/0/7/1","atMs":5,"mood":{},"giftShow":{"comboId":"t/0/6","glow":[],"lane":1,"sender":"#
      + #"{"userId":"7","level":3,"name":"ann"},"giftId":"rose","value":10,"from":0,"total":3,"enterMs":250,"z":1}}"#,
  ]) func jsonInAnyOrderIsReadAlike(text: String) throws {
    #expect(try written(Array(text.utf8), .json) == Self.asWritten)
  }

  @Test func protobufInAnyOrderIsReadAlike() throws {
    let head = bytes(1, "r") + bytes(2, "t/0/7/1") + varint(3, 5)
    let (combo, sender) = (bytes(1, "t/0/6"), bytes(3, bytes(1, "7") + bytes(2, "ann")))
    let rest = varint(7, 10) + varint(9, 3) + varint(10, 250)
    let inOrder = combo + varint(2, 1) + sender + bytes(5, "rose") + rest
    let reversed = rest + bytes(5, "rose") + sender + varint(2, 1) + combo
    // The last of a number counts, and messages are merged.
    let twice =
      bytes(1, "?") + varint(2, 8) + bytes(3, bytes(1, "7") + bytes(2, "x")) + bytes(3, bytes(2, "ann"))
      + bytes(5, "tulip") + inOrder.dropLast(rest.count + bytes(5, "rose").count + sender.count) + bytes(5, "rose")
      + rest
    // Bytes that are no text, and a field of a known number in another form.
    let newer =
      varint(1, 4) + combo + varint(2, 1) + sender + bytes(5, "rose") + rest + bytes(11, [0xff]) + varint(99, 1)
    for body in [inOrder, reversed, twice, newer] {
      #expect(try written(head + bytes(4, body), .protobuf) == Self.asWritten)
      #expect(try written(bytes(4, body) + head, .protobuf) == Self.asWritten)
    }
  }

  @Test func aWordOfANewerWorkerMakesItUnknown() throws {
    let head = bytes(1, "r") + bytes(2, "t/0/7/1") + varint(3, 5)
    for body in [varint(1, 9) + varint(2, 1), varint(2, 1), varint(1, 1), []] {
      #expect(try written(head + bytes(14, body), .protobuf) == nil)
    }
    #expect(try written(head + bytes(14, varint(1, 1) + varint(2, 2)), .protobuf) != nil)
    for skipped in [#""stage":"cake","reason":"expired""#, #""reason":"expired""#, #""stage":"gift""#] {
      let text = #"{"roomId":"r","id":"t/0/7/1","atMs":5,"skipped":{\#(skipped),"items":1,"units":1}}"#
      #expect(try written(Array(text.utf8), .json) == nil)
    }
  }

  @Test func textThatIsNoUTF8IsRefusedWithItsName() throws {
    let head = bytes(1, "r") + bytes(2, "t/0/7/1") + varint(3, 5)
    let error = #expect(throws: NotUnderstood.self) { try written(head + bytes(8, bytes(1, [0xff])), .protobuf) }
    #expect(error?.reason == .notProtobuf && error?.description.contains("wishId") == true)
  }

  /// Writes what was read as JSON; nil if it isn't known here.
  private func written(_ value: [UInt8], _ format: Format) throws -> String? {
    var decoder = CommandDecoder()
    return try value.withUnsafeBytes { value in
      guard let published = try decoder.decode(value: value, contentType: format.contentType.bytes) else { return nil }
      var buffer = ByteBuffer()
      CommandEncoder(topic: "\(published.topic)", partition: published.partition, format: .json)
        .encode(published.command, into: &buffer)
      return buffer.text.description
    }
  }

  private func varint(_ number: UInt8, _ value: UInt64) -> [UInt8] {
    number < 16 ? [number << 3] + varint(value) : [number << 3 | 0x80, number >> 4] + varint(value)
  }

  private func varint(_ value: UInt64) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7f) | 0x80] + varint(value >> 7)
  }

  private func bytes(_ number: UInt8, _ value: [UInt8]) -> [UInt8] {
    [number << 3 | 2] + varint(UInt64(value.count)) + value
  }

  private func bytes(_ number: UInt8, _ value: String) -> [UInt8] { bytes(number, Array(value.utf8)) }
}
