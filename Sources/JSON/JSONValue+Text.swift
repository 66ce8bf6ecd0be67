import RoomModel

/// JSON out of values that were read, or that a program has: the one place that writes a tree. (What passes by the million
/// is written by the coders of `Fields`.)
extension ByteBuffer {
  /// The same value with no blanks: one line, whatever stood between its parts.
  public mutating func append(json value: JSONValue) {
    switch value.kind {
    case .object: appendObject { $0.append(membersOf: value) }
    case .list: appendList(value.elements!) { $0.append(json: $1) }
    case .string:
      append(UInt8(ascii: "\""))
      appendEscapedAndQuote(value.text!)
    case .integer:
      if let unsigned = value.unsigned { append(unsigned) } else { append(value.integer!) }
    case .number: append(string: "\(value.double!)")
    case .bool: append(string: value.bool! ? "true" : "false")
    case .null: append("null")
    }
  }

  /// The members of an object but those of these names, within `appendObject`.
  public mutating func append(membersOf object: JSONValue, without names: [String] = []) {
    for member in object.members! where !names.contains(where: { member.name.bytes.elementsEqual($0.utf8) }) {
      append(#",""#)
      appendEscapedAndQuote(member.name)
      append(UInt8(ascii: ":"))
      append(json: member.value)
    }
  }

  public mutating func appendString(_ text: String) {
    append(UInt8(ascii: "\""))
    appendEscaped(string: text)
    append(UInt8(ascii: "\""))
  }

  /// An object of the members that `members` appends.
  public mutating func appendObject(_ members: (inout ByteBuffer) -> Void) {
    let begin = count
    members(&self)
    endObject(begin)
  }

  /// A member, within `appendObject`.
  public mutating func appendMember(_ name: String, _ value: (inout ByteBuffer) -> Void) {
    append(UInt8(ascii: ","))
    appendString(name)
    append(UInt8(ascii: ":"))
    value(&self)
  }

  @inlinable public mutating func appendList<Elements: Sequence>(
    _ elements: Elements, _ append: (inout ByteBuffer, Elements.Element) -> Void
  ) {
    self.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { self.append(UInt8(ascii: ",")) }
      isFirst = false
      append(&self, element)
    }
    self.append(UInt8(ascii: "]"))
  }
}
