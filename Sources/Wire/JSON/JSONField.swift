import RoomModel

/// Fields of an event as JSON has them. Absent (nil) is 0 or empty.
extension JSONValue? {
  /// A string, or an integer: its digits are the id then.
  @inline(__always) func id(_ path: FieldPath, _ storage: inout EventStorage) throws(NotUnderstood) -> Text {
    guard let value = self else { return .empty }
    return if let text = value.text { text } else { try value.integerId(path, &storage) }
  }

  @inline(__always) func string(_ path: FieldPath) throws(NotUnderstood) -> Text {
    guard let value = self else { return .empty }
    guard let text = value.text else { throw .wrongType(path, value.described, wanted: "a string") }
    return text
  }

  @inline(__always) func integer(_ path: FieldPath, absent: Int64 = 0) throws(NotUnderstood) -> Int64 {
    guard let value = self else { return absent }
    if let integer = value.integer { return integer }
    return value.isEmptyText ? absent : try value.asInteger(path)
  }

  @inline(__always) func sender(
    _ owner: StaticString, _ storage: inout EventStorage
  ) throws(NotUnderstood) -> Sender {
    var userId, name, avatarUrl: JSONValue?
    if let value = self {
      for member in try value.members(of: owner) {
        switch JSONName(member.name) {
        case "userId": userId = member.value.unlessNull
        case "name": name = member.value.unlessNull
        case "avatarUrl": avatarUrl = member.value.unlessNull
        default: break
        }
      }
    }
    return Sender(
      userId: try userId.id(FieldPath(owner, "userId"), &storage),
      name: try name.string(FieldPath(owner, "name")),
      avatarUrl: try avatarUrl.string(FieldPath(owner, "avatarUrl")))
  }
}

extension JSONValue {
  @inline(__always) var unlessNull: JSONValue? { isNull ? nil : self }

  /// The members of the message `owner`.
  @inline(__always) func members(of owner: StaticString) throws(NotUnderstood) -> Members {
    guard let members else { throw NotUnderstood(.wrongType, "\(owner): \(described) is not an object") }
    return members
  }

  /// Like a string, an integer in a string may be empty: that is the same as absent.
  fileprivate var isEmptyText: Bool { text?.isEmpty ?? false }

  /// An integer, or a string of its digits, as Protobuf's JSON has it; 0 if there are none. One beyond 64 bits comes as
  /// their bound.
  @inline(__always) func asInteger(_ path: FieldPath) throws(NotUnderstood) -> Int64 {
    if let integer { return integer }
    if let integer = text?.integer { return integer }
    if isEmptyText { return 0 }
    throw .wrongType(path, described, wanted: "an integer")
  }

  @inline(never) fileprivate func integerId(
    _ path: FieldPath, _ storage: inout EventStorage
  ) throws(NotUnderstood) -> Text {
    guard kind == .integer else { throw .wrongType(path, described, wanted: "a string or an integer") }
    return if let unsigned { storage.digits(of: unsigned) } else { storage.digits(of: integer!) }
  }

  /// As messages show it.
  var described: String {
    switch kind {
    case .object: "an object"
    case .list: "a list"
    case .string: text!.quoted
    case .integer: if let unsigned { "\(unsigned)" } else { "\(integer!)" }
    case .number: "\(double!)"
    case .bool: "\(bool!)"
    case .null: "null"
    }
  }
}

extension Text {
  /// The integer whose digits it is, after a `-` or not; nil if it is anything else, a bound of 64 bits if beyond it.
  fileprivate var integer: Int64? {
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
