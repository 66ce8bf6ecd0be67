import RoomModel

/// Data lines as they may stand within a page's script element: JSON whose strings have no `<`.
extension Array where Element == UInt8 {
  /// A line with `k` and what `members` adds; a comma ends it.
  mutating func object(_ kind: StaticString, _ members: (inout [UInt8]) -> Void) {
    append(contentsOf: #"{"k":""#.utf8)
    append(contentsOf: "\(kind)".utf8)
    append(UInt8(ascii: "\""))
    members(&self)
    append(contentsOf: "},\n".utf8)
  }

  mutating func member(_ name: StaticString, _ number: some BinaryInteger) {
    append(contentsOf: ",\"\(name)\":\(number)".utf8)
  }

  mutating func member(_ name: StaticString, _ text: String) {
    append(contentsOf: ",\"\(name)\":".utf8)
    string(text)
  }

  mutating func member(_ name: StaticString, _ steps: [(at: LogTime, count: Int64)]) {
    append(contentsOf: ",\"\(name)\":[".utf8)
    for (index, step) in steps.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      append(contentsOf: "[\(step.at),\(step.count)]".utf8)
    }
    append(UInt8(ascii: "]"))
  }

  mutating func person(_ id: String, _ name: String) {
    member("u", id)
    member("n", name)
  }

  mutating func string(_ text: String) {
    append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": append(contentsOf: "\\\(scalar)".utf8)
      case "<", ">", "&", "\u{0}"..<"\u{20}", "\u{7f}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
      default: append(contentsOf: String(scalar).utf8)
      }
    }
    append(UInt8(ascii: "\""))
  }
}
