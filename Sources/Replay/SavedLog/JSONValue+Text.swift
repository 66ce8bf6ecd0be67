import Wire

extension JSONValue {
  /// The same value with no blanks: one line, whatever stood between its parts.
  func write(into bytes: inout ByteBuffer) {
    switch kind {
    case .object:
      bytes.append("{")
      for (i, member) in members!.enumerated() {
        if i > 0 { bytes.append(",") }
        bytes.append(#"""#)
        bytes.appendEscaped(member.name)
        bytes.append(#"":"#)
        member.value.write(into: &bytes)
      }
      bytes.append("}")
    case .list:
      bytes.append("[")
      for (i, element) in elements!.enumerated() {
        if i > 0 { bytes.append(",") }
        element.write(into: &bytes)
      }
      bytes.append("]")
    case .string:
      bytes.append(#"""#)
      bytes.appendEscaped(text!)
      bytes.append(#"""#)
    case .integer:
      if let unsigned { bytes.append(unsigned) } else { bytes.append(integer!) }
    case .number: bytes.append(string: "\(double!)")
    case .bool: bytes.append(string: bool! ? "true" : "false")
    case .null: bytes.append("null")
    }
  }
}
