import RoomModel

/// The fields of a message, asked for one after the other by their numbers.
///
/// They mostly stand once each, in the order of their numbers, and are found in one walk then. Only where they don't, each
/// is looked for: the last of a scalar counts, and a message that comes twice is merged.
struct ProtobufWalk {
  private let message: ProtobufReader
  /// The fields that the walk has not come to; nil if fields are looked for.
  private var ahead: ProtobufReader?

  @inline(__always) init(_ message: ProtobufReader) {
    self.message = message
    ahead = message
  }

  /// Looks for each field.
  @inline(__always) init(lookingIn message: ProtobufReader) { self.message = message }

  /// None is left over, so each was there once.
  @inline(__always) var isAtEnd: Bool { ahead?.isAtEnd ?? true }

  /// The place where the next field is looked for.
  @inline(__always) var cursor: ProtobufCursor {
    get { ProtobufCursor(reader: ahead ?? message, isWalk: ahead != nil) }
    set { if newValue.isWalk { ahead = newValue.reader } }
  }

  @inline(__always) mutating func text(_ number: UInt32, _ path: FieldPath) throws(ProtobufError) -> Text? {
    var found: Text?
    var cursor = cursor
    while try cursor.comesTo(number, .bytes) { found = try cursor.reader.text(path) }
    self.cursor = cursor
    return found
  }

  @inline(__always) mutating func integer(_ number: UInt32) throws(ProtobufError) -> Int64? {
    var found: Int64?
    var cursor = cursor
    while try cursor.comesTo(number, .varint) { found = try cursor.reader.integer() }
    self.cursor = cursor
    return found
  }
}

/// A place in a message, before a field.
struct ProtobufCursor {
  fileprivate(set) var reader: ProtobufReader
  /// Whether it stops at any other field, and doesn't go past it.
  fileprivate let isWalk: Bool

  /// Whether there is such a field; its value is next then.
  @inline(__always) fileprivate mutating func comesTo(
    _ number: UInt32, _ type: ProtobufReader.WireType
  ) throws(ProtobufError) -> Bool {
    var after = reader
    while let tag = try after.tag() {
      if tag.number == number, tag.type == type {
        reader = after
        return true
      }
      if isWalk { return false }
      try after.skip(tag)
    }
    return false
  }

  /// The next message of this number; nil if there is none.
  @inline(__always) mutating func message(_ number: UInt32) throws(ProtobufError) -> ProtobufReader? {
    try comesTo(number, .bytes) ? reader.message() : nil
  }

  /// The next text of this number; nil if there is none.
  @inline(__always) mutating func text(_ number: UInt32, _ path: FieldPath) throws(ProtobufError) -> Text? {
    try comesTo(number, .bytes) ? reader.text(path) : nil
  }

  /// The next integers of this number, one or packed, to `take`; false if there are none.
  mutating func integers(_ number: UInt32, _ take: (Int64) -> Void) throws(ProtobufError) -> Bool {
    var after = reader
    while let tag = try after.tag() {
      if tag.number == number, tag.type == .varint || tag.type == .bytes {
        if tag.type == .varint {
          take(try after.integer())
        } else {
          var packed = try after.message()
          while !packed.isAtEnd { take(try packed.integer()) }
        }
        reader = after
        return true
      }
      if isWalk { return false }
      try after.skip(tag)
    }
    return false
  }
}
