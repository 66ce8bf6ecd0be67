/// A request's address, taken apart: a path's segments and a query's parameters, decoded.
package struct RequestTarget: Equatable, Sendable {
  /// The path's segments: `rooms`, `a/b`, `commands` for `/rooms/a%2Fb/commands`, none for `/`. Empty segments count,
  /// so that an address has one spelling: a proxy that keeps `/metrics` to itself would let `/metrics/` through.
  package let segments: [String]
  /// The same segments as they are spelled. What has a name of its own, as `metrics`, is found by these: a proxy that
  /// keeps `/metrics` to itself would let `/%6detrics` through.
  package let words: [String]
  /// The parameters in the order in which they came; names may repeat.
  package let parameters: [Parameter]

  package struct Parameter: Equatable, Sendable {
    package let name: String
    package let value: String
    /// The value's items, which have commas between them; a comma of an item's own is encoded, so it separates nothing.
    package let items: [String]
  }

  /// Nil where a `%` is not followed by two hexadecimal digits, or what they stand for is no UTF-8 or a NUL.
  package init?(path: String, query: String?) {
    var segments: [String] = []
    var words: [String] = []
    // `OPTIONS *` is of the server as a whole.
    let rest =
      path == "*" ? "".utf8[...] : path.utf8.first == UInt8(ascii: "/") ? path.utf8.dropFirst() : path.utf8[...]
    for part in rest.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) where !rest.isEmpty {
      guard let segment = Self.decoded(part, plusIsBlank: false) else { return nil }
      segments.append(segment)
      words.append(String(Substring(part)))
    }
    var parameters: [Parameter] = []
    for part in (query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
      let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let told = halves.count > 1 ? halves[1] : Substring().utf8
      guard let name = Self.decoded(halves[0], plusIsBlank: true), let value = Self.decoded(told, plusIsBlank: true)
      else { return nil }
      // By bytes: with an accent that combines a comma is another Character.
      let items = told.split(separator: UInt8(ascii: ",")).compactMap { Self.decoded($0, plusIsBlank: true) }
      parameters.append(Parameter(name: name, value: value, items: items))
    }
    self.segments = segments
    self.words = words
    self.parameters = parameters
  }

  /// The first of this name.
  package subscript(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The items of all parameters of this name.
  package func list(_ name: String) -> [String] { parameters.filter { $0.name == name }.flatMap(\.items) }

  private static func decoded(_ text: Substring.UTF8View, plusIsBlank: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst()?.hexadecimal, let low = rest.popFirst()?.hexadecimal else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsBlank: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    if bytes.contains(0) { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var hexadecimal: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
