import RoomModel
import Testing
import Wire

/// STAGES.md, section 2, in Protobuf. (Tests/Integration/schema holds it against Protobuf's own readers.)
struct ProtobufEventTests {
  private var decoding: Decoding {
    var decoding = Decoding()
    decoding.contentType = "application/x-protobuf"
    return decoding
  }

  private func read(_ fields: [UInt8]...) throws(NotUnderstood) -> String {
    try decoding.of(fields.flatMap { $0 }) { $0.json }
  }

  private func refusal(_ fields: [UInt8]...) -> NotUnderstood.Reason? {
    decoding.refusal(fields.flatMap { $0 })?.reason
  }

  private let room = bytes(2, "r1")
  private let tap = message(6, bytes(1, "7"))
  private let read = #"{"eventId":"","roomId":"r1","tap":{"userId":"7","x":0,"y":0}}"#

  @Test func aFieldThatComesTwiceCountsAsItCameLast() throws {
    #expect(try read(bytes(2, "r2"), room, tap) == read)
    #expect(try read(message(6, bytes(1, "8") + varint(2, 5) + bytes(1, "7") + varint(2, 0)), room) == read)
  }

  @Test func aBodyThatComesTwiceIsMergedAndAnotherReplacesIt() throws {
    #expect(try read(message(6, varint(2, 5)), room, tap) == read.replacing(#""x":0"#, with: #""x":5"#))
    #expect(try read(message(6, varint(2, 5)), message(3, []), room, tap) == read)
    let grab = message(8, bytes(1, "x") + bytes(3, "7"))
    #expect(
      try read(tap, room, grab) == #"{"eventId":"","roomId":"r1","rainGrab":{"rainId":"x","packet":0,"userId":"7"}}"#)
  }

  @Test func unknownFieldsAreIgnoredWhateverTheirKind() throws {
    let unknown: [UInt8] =
      varint(100, 5) + [0x49, 1, 2, 3, 4, 5, 6, 7, 8] + bytes(31, "\u{0}") + [0xfa, 1, 2, 0xff, 0xfe]
      + [0xfb, 1, 0xfb, 1, 0x08, 0x01, 0xfc, 1, 0xfc, 1] + [0x4d, 1, 2, 3, 4] + [0xf8, 0xff, 0xff, 0xff, 0x0f, 0x00]
    #expect(try read(unknown, room, unknown, message(6, unknown + bytes(1, "7") + unknown), unknown) == read)
    #expect(refusal(unknown, room, message(99, [])) == .noBody)
  }

  @Test func aFieldOfAnotherWireTypeIsAnUnknownOne() throws {
    #expect(
      try read(room, varint(2, 7), message(6, bytes(1, "7") + bytes(2, "abc") + [0x19] + [9, 9, 9, 9, 9, 9, 9, 9]))
        == read)
    #expect(refusal(varint(2, 7), tap) == .noRoom)
  }

  @Test func listsArePackedOrNotOrBoth() throws {
    let prizes = varint(7, 24) + message(7, [0, 31, 0x80, 0x01]) + varint(7, 1) + message(7, [])
    let rain = try read(room, message(7, bytes(1, "x") + prizes))
    #expect(rain.hasSuffix(#""prizes":[24,0,31,128,1]}}"#))
    // Nothing is left of a body that was replaced, and everything of one that is merged.
    #expect(try read(room, message(7, varint(7, 5)), message(7, bytes(1, "x") + prizes)).contains("[5,24,"))
    #expect(try read(room, message(7, varint(7, 5)), tap, message(7, bytes(1, "x") + prizes)).contains("[24,"))
  }

  @Test func onlyTheCountdownTells0FromAbsent() throws {
    #expect(try read(room, message(7, bytes(1, "x"))).contains(#""perSecond":4,"countdown":5,"#))
    #expect(
      try read(room, message(7, bytes(1, "x") + varint(3, 0) + varint(4, 0))).contains(#""perSecond":4,"countdown":0,"#)
    )
  }

  @Test func aNumberIsNeverCutToFit() {
    #expect(refusal(room, message(6, bytes(1, "7") + varint(2, 1 << 32))) == .outOfRange)
    #expect(refusal(room, message(6, bytes(1, "7") + varint(2, .max))) == .outOfRange)
  }

  @Test func whatIsCutShortOrNoUTF8IsNoProtobuf() {
    let whole = room + tap
    for count in 1..<whole.count where count != room.count {
      #expect(refusal(Array(whole[..<count])) == .notProtobuf)
    }
    for broken: [UInt8] in [
      [0x12, 1, 0xff], [0x12, 3, 0xed, 0xa0, 0x80], [0x00], [0x07], [0x0e], [0x0c], [0x0b], [0x0b, 0x14],
      [0x2a, 0xff, 0xff, 0xff, 0xff, 0x0f], Array(repeating: 0x80, count: 11),
      [0x10] + Array(repeating: 0xff, count: 10),
      Array(repeating: 0x0b, count: 200) + Array(repeating: 0x0c, count: 200),
    ] {
      #expect(refusal(whole + broken) == .notProtobuf)
    }
  }

  /// A reader that went beyond the inner message would take bytes of the message around it.
  @Test func nothingEndsBeyondTheMessageThatItIsIn() throws {
    let unknown = bytes(31, "abc")
    for inner in [bytes(1, "7"), bytes(1, "7") + unknown] {
      let last = inner.lastIndex { $0 == 1 || $0 == 3 }!
      for more in 1...3 as ClosedRange<UInt8> {
        var longer = inner
        longer[last] += more
        #expect(try read(room, message(6, inner), unknown) == read)
        #expect(refusal(room, message(6, longer), unknown) == .notProtobuf)
      }
    }
  }

  /// Other readers have the same limit: five bytes hold each number.
  @Test func aFieldsNumberHasFiveBytesAtMost() throws {
    let tag: [UInt8] = [0xb2, 0x80, 0x80, 0x80]
    #expect(try read(room, tag + [0x00] + tap[1...]) == read)
    #expect(refusal(room, tag + [0x80, 0x00] + tap[1...]) == .notProtobuf)
    #expect(refusal(room, tag + [0x80, 0x80, 0x80, 0x80, 0x80, 0x00] + tap[1...]) == .notProtobuf)
  }

  @Test func theSameRulesHoldAsInJSON() {
    #expect(refusal([]) == .noRoom)
    #expect(refusal(room) == .noBody)
    #expect(refusal(room, message(6, [])) == .missing)
    #expect(refusal(bytes(2, "r2"), tap) == .key)
    #expect(refusal(room, message(6, bytes(1, String(repeating: "x", count: 257)))) == .tooLong)
    #expect(refusal(room, message(3, message(1, bytes(1, "7")) + bytes(3, "g") + bytes(7, "s"))) == .streakWithoutCount)
  }
}

private func varint(_ value: UInt64) -> [UInt8] {
  value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7f) | 0x80] + varint(value >> 7)
}

private func varint(_ field: UInt64, _ value: UInt64) -> [UInt8] { varint(field << 3) + varint(value) }

private func message(_ field: UInt64, _ content: [UInt8]) -> [UInt8] {
  varint(field << 3 | 2) + varint(UInt64(content.count)) + content
}

private func bytes(_ field: UInt64, _ content: String) -> [UInt8] { message(field, Array(content.utf8)) }
