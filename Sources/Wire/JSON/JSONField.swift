import JSON
import RoomModel

/// Fields of an event as JSON has them, by the places of their values; at place 0 there is none, which is 0 or empty.
protocol JSONFields {
  /// A string, or an integer: its digits are the id then.
  func id(
    at place: Int, _ path: @autoclosure () -> FieldPath, _ storage: inout EventStorage
  ) throws(NotUnderstood) -> Text
  func string(at place: Int, _ path: @autoclosure () -> FieldPath) throws(NotUnderstood) -> Text
  func integer(at place: Int, _ path: @autoclosure () -> FieldPath, absent: Int64) throws(NotUnderstood) -> Int64
}

/// The fields of this value's document, by their places on the tape.
extension JSONValue: JSONFields {
  @inline(__always) func id(
    at place: Int, _ path: @autoclosure () -> FieldPath, _ storage: inout EventStorage
  ) throws(NotUnderstood) -> Text {
    if place == 0 { return .empty }
    return if let text = at(place).text { text } else { try at(place).integerId(path(), &storage) }
  }

  @inline(__always) func string(
    at place: Int, _ path: @autoclosure () -> FieldPath
  ) throws(NotUnderstood) -> Text {
    if place == 0 { return .empty }
    guard let text = at(place).text else { throw .wrongType(path(), at(place).described, wanted: "a string") }
    return text
  }

  @inline(__always) func integer(
    at place: Int, _ path: @autoclosure () -> FieldPath, absent: Int64
  ) throws(NotUnderstood) -> Int64 {
    if place == 0 { return absent }
    return try at(place).asInteger(path(), absent: absent)
  }
}

extension JSONMember {
  /// The place of its value; 0 if that is `null`.
  @inline(__always) var place: Int { value.isNull ? 0 : value.place }
}

extension JSONValue {
  /// The members of the message `owner`.
  @inline(__always) func members(of owner: StaticString) throws(NotUnderstood) -> Members {
    guard let members else { throw NotUnderstood(.wrongType, "\(owner): \(described) is not an object") }
    return members
  }

  /// An integer, or a string of its digits, as Protobuf's JSON has it. One beyond 64 bits comes as their bound.
  @inline(__always) func asInteger(_ path: FieldPath, absent: Int64) throws(NotUnderstood) -> Int64 {
    if let integer { return integer }
    if let text { return try text.asInteger(path, absent: absent) }
    throw .wrongType(path, described, wanted: "an integer")
  }

  @inline(never) fileprivate func integerId(
    _ path: FieldPath, _ storage: inout EventStorage
  ) throws(NotUnderstood) -> Text {
    guard kind == .integer else { throw .wrongType(path, described, wanted: "a string or an integer") }
    return if let unsigned { storage.digits(of: unsigned) } else { storage.digits(of: integer!) }
  }

  /// The text that messages show for it.
  var described: String {
    switch kind {
    case .object: "an object"
    case .list: "a list"
    case .string: text!.quoted
    case .integer: if let unsigned { "\(unsigned)" } else { "\(integer!)" }
    // The spelling is lost: 1.0 and 1e0 are refused for it.
    case .number:
      Int64(exactly: double!).map { "\($0), written with a fraction or an exponent," } ?? "\(double!)"
    case .bool: "\(bool!)"
    case .null: "null"
    }
  }
}

extension Text {
  /// Like every string, one that is to have digits may be empty, which is the same as absent.
  func asInteger(_ path: FieldPath, absent: Int64) throws(NotUnderstood) -> Int64 {
    if isEmpty { return absent }
    guard let integer else { throw .wrongType(path, quoted, wanted: "an integer") }
    return integer
  }

  /// The integer whose digits it is, after a `-` or not; nil if it is anything else, a bound of 64 bits if beyond it.
  var integer: Int64? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    let digits = isNegative ? bytes[1...] : bytes[...]
    if digits.isEmpty { return nil }
    var value: Int64 = 0
    for byte in digits {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
      // Downwards, because there is one more below 0 than above.
      let (tens, over) = value.multipliedReportingOverflow(by: 10)
      let (next, beyond) = tens.subtractingReportingOverflow(Int64(byte & 15))
      value = over || beyond ? .min : next
    }
    if isNegative { return value }
    return value == .min ? .max : -value
  }
}

extension JSONDocument {
  /// The value of a record, which must be JSON.
  @inline(__always) mutating func value(of record: UnsafeRawBufferPointer) throws(NotUnderstood) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try parse(record)
    } catch {
      throw NotUnderstood(.notJSON, "not JSON: \(error.description)")
    }
  }
}
