public import RoomModel

/// A value in a document, as a place on simdjson's tape (doc/tape.md): an element's first byte says what it is, the
/// other seven where it ends or where its text begins; numbers take a second element.
public struct JSONValue {
  @usableFromInline let tape: UnsafePointer<UInt64>
  @usableFromInline let strings: UnsafePointer<UInt8>
  public let place: Int

  /// No value is at place 0.
  @inlinable @inline(__always) init(tape: UnsafePointer<UInt64>, strings: UnsafePointer<UInt8>, place: Int) {
    self.tape = tape
    self.strings = strings
    self.place = place
  }

  public enum Kind { case object, list, string, integer, number, bool, null }

  public var kind: Kind {
    switch tag {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .list
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "l"), UInt8(ascii: "u"): .integer
    case UInt8(ascii: "d"): .number
    case UInt8(ascii: "n"): .null
    default: .bool
    }
  }

  /// Compares two values of the same document.
  public func isSame(as other: JSONValue) -> Bool { place == other.place }

  @inlinable @inline(__always) public var isNull: Bool { tag == UInt8(ascii: "n") }

  /// The string without quotes and escapes; nil: it is no string.
  @inlinable @inline(__always) public var text: Text? { tag == UInt8(ascii: "\"") ? unescaped : nil }

  /// Nil if it is no integer, `max` if it is beyond.
  @inlinable @inline(__always) public var integer: Int64? {
    switch tag {
    case UInt8(ascii: "l"): Int64(bitPattern: tape[place &+ 1])
    case UInt8(ascii: "u"): .max
    default: nil
    }
  }

  /// Nil if it is no integer, or below 0.
  public var unsigned: UInt64? {
    switch tag {
    case UInt8(ascii: "u"): tape[place &+ 1]
    case UInt8(ascii: "l"): UInt64(exactly: Int64(bitPattern: tape[place &+ 1]))
    default: nil
    }
  }

  /// Nil if it is no number with a fraction or an exponent.
  public var double: Double? { tag == UInt8(ascii: "d") ? Double(bitPattern: tape[place &+ 1]) : nil }

  public var bool: Bool? {
    switch tag {
    case UInt8(ascii: "t"): true
    case UInt8(ascii: "f"): false
    default: nil
    }
  }

  /// Nil if it is no object.
  @inlinable @inline(__always) public var members: Members? { tag == UInt8(ascii: "{") ? Members(self) : nil }

  /// Nil if it is no list.
  @inlinable @inline(__always) public var elements: Elements? { tag == UInt8(ascii: "[") ? Elements(self) : nil }

  /// The last member of this name, which has up to 15 bytes; nil if there is none, or this is no object.
  public subscript(name: StaticString) -> JSONValue? {
    guard let members else { return nil }
    var found: JSONValue?
    for member in members where name ~= JSONName(of: member) { found = member.value }
    return found
  }

  /// The members of an object, in their order; one that comes twice comes twice.
  public struct Members: Sequence, IteratorProtocol {
    @usableFromInline let object: JSONValue
    @usableFromInline var place: Int
    @usableFromInline let end: Int

    @inlinable @inline(__always) init(_ object: JSONValue) {
      self.object = object
      place = object.place &+ 1
      end = object.after &- 1
    }

    @inlinable @inline(__always) public mutating func next() -> JSONMember? {
      guard place < end else { return nil }
      let member = JSONMember(nameValue: object.at(place))
      place = member.value.after
      return member
    }
  }

  /// The elements of a list, in their order.
  public struct Elements: Sequence, IteratorProtocol {
    @usableFromInline let list: JSONValue
    @usableFromInline var place: Int
    @usableFromInline let end: Int

    @inlinable @inline(__always) init(_ list: JSONValue) {
      self.list = list
      place = list.place &+ 1
      end = list.after &- 1
    }

    @inlinable @inline(__always) public mutating func next() -> JSONValue? {
      guard place < end else { return nil }
      let value = list.at(place)
      place = value.after
      return value
    }
  }

  @inlinable @inline(__always) var tag: UInt8 { UInt8(truncatingIfNeeded: tape[place] >> 56) }

  /// Another value of the same document.
  @inlinable @inline(__always) public func at(_ place: Int) -> JSONValue {
    JSONValue(tape: tape, strings: strings, place: place)
  }

  @inlinable @inline(__always) var unescaped: Text {
    let bytes = unescapedBytes
    return Text(start: bytes.start, count: bytes.count)
  }

  /// A string's bytes; their count stands before them.
  @inlinable @inline(__always) var unescapedBytes: (start: UnsafeRawPointer, count: Int) {
    let count = UnsafeRawPointer(strings) + Int(tape[place] & 0x00ff_ffff_ffff_ffff)
    return (count + 4, Int(count.loadUnaligned(as: UInt32.self)))
  }

  /// The place after it.
  @inlinable @inline(__always) var after: Int {
    switch tag {
    case UInt8(ascii: "{"), UInt8(ascii: "["): Int(tape[place] & 0xffff_ffff)
    case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): place &+ 2
    default: place &+ 1
    }
  }
}

public struct JSONMember {
  /// The name, as a string before its value.
  /// The name as a value of its own, which knows where it stands.
  public let nameValue: JSONValue

  @inlinable @inline(__always) init(nameValue: JSONValue) { self.nameValue = nameValue }

  public var name: Text { nameValue.unescaped }

  @inlinable @inline(__always) public var value: JSONValue { nameValue.at(nameValue.place &+ 1) }
}
