import JSON
import RoomModel

/// The fields of one message in Protobuf's wire format, one after the other. A view: the bytes are somebody else's.
struct ProtobufReader {
  private var next: UnsafeRawPointer
  private let end: UnsafeRawPointer
  /// The number of messages that it stands in.
  private let depth: Int

  /// Messages and groups nest no deeper, as with Protobuf's own readers.
  private static var depthLimit: Int { 100 }

  init(_ bytes: UnsafeRawBufferPointer, depth: Int = 0) {
    next = bytes.baseAddress ?? Text.empty.start
    end = next + bytes.count
    self.depth = depth
  }

  struct Tag {
    let number: UInt32
    let type: WireType
  }

  enum WireType: UInt8 { case varint, fixed64, bytes, groupStart, groupEnd, fixed32 }

  /// The next field's tag; nil at the message's end. Its value has to be read, or skipped, before the next.
  @inline(__always) mutating func tag() throws(ProtobufError) -> Tag? {
    if isAtEnd { return nil }
    let tag = try nextTag()
    if tag.type == .groupEnd { throw .strayGroupEnd }
    return tag
  }

  @inline(__always) var isAtEnd: Bool { next == end }

  @inline(__always) mutating func integer() throws(ProtobufError) -> Int64 { Int64(bitPattern: try varint()) }

  @inline(__always) mutating func bytes() throws(ProtobufError) -> UnsafeRawBufferPointer {
    let count = try varint()
    guard count <= UInt64(end - next) else { throw .cutShort }
    defer { next += Int(count) }
    return UnsafeRawBufferPointer(start: next, count: Int(count))
  }

  @inline(__always) mutating func message() throws(ProtobufError) -> ProtobufReader {
    ProtobufReader(try bytes(), depth: depth &+ 1)
  }

  @inline(__always) mutating func text(_ path: FieldPath) throws(ProtobufError) -> Text {
    let bytes = try bytes()
    let text = Text(start: bytes.baseAddress!, count: bytes.count)
    let isASCII = text.allWords { $0 & UInt64.everyByte(0x80) == 0 }
    if !isASCII, !text.isUTF8(before: end) { throw .notUTF8(path) }
    return text
  }

  /// All of the message, which says all by being there.
  func skipAll() throws(ProtobufError) {
    var message = self
    while let tag = try message.tag() { try message.skip(tag) }
  }

  /// The bytes that were not read yet.
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: next, count: end - next) }

  /// Reads past a field that nobody here knows.
  @inline(never) mutating func skip(_ tag: Tag) throws(ProtobufError) { try skip(tag, depth: depth + 1) }

  private mutating func skip(_ tag: Tag, depth: Int) throws(ProtobufError) {
    switch tag.type {
    case .varint: _ = try varint()
    case .fixed64: try advance(8)
    case .bytes: _ = try bytes()
    case .fixed32: try advance(4)
    case .groupEnd: throw .strayGroupEnd
    case .groupStart:
      if depth > Self.depthLimit { throw .tooDeep }
      while true {
        let inner = try nextTag()
        if inner.type == .groupEnd {
          if inner.number != tag.number { throw .strayGroupEnd }
          return
        }
        try skip(inner, depth: depth + 1)
      }
    }
  }

  private mutating func advance(_ count: Int) throws(ProtobufError) {
    guard count <= end - next else { throw .cutShort }
    next += count
  }

  @inline(__always) private mutating func nextTag() throws(ProtobufError) -> Tag {
    let start = next
    let tag = try varint()
    // Five bytes have room for every number, so no reader takes more.
    guard tag <= UInt32.max, next - start <= 5, tag >> 3 > 0, let type = WireType(rawValue: UInt8(tag & 7)) else {
      throw .badTag
    }
    return Tag(number: UInt32(tag >> 3), type: type)
  }

  @inline(__always) private mutating func varint() throws(ProtobufError) -> UInt64 {
    if next < end {
      let byte = next.load(as: UInt8.self)
      if byte < 0x80 {
        next += 1
        return UInt64(byte)
      }
    }
    return try longVarint()
  }

  @inline(never) private mutating func longVarint() throws(ProtobufError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 70 {
      guard next < end else { throw .cutShort }
      let byte = next.load(as: UInt8.self)
      next += 1
      // Of the tenth byte only one bit has a place; Protobuf's readers drop the others.
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw .longVarint
  }
}

/// The reason why bytes are no Protobuf.
enum ProtobufError: Error {
  case cutShort, longVarint, badTag, strayGroupEnd, tooDeep
  case notUTF8(FieldPath)

  @inline(never) var notUnderstood: NotUnderstood {
    let why =
      switch self {
      case .cutShort: "it is cut short"
      case .longVarint: "a varint has more than 10 bytes"
      case .badTag: "a field has no valid number and type"
      case .strayGroupEnd: "a group ends that did not begin"
      case .tooDeep: "groups nest too deep"
      case .notUTF8(let path): "\(path) is not UTF-8"
      }
    return NotUnderstood(.notProtobuf, "not Protobuf: \(why)")
  }
}
