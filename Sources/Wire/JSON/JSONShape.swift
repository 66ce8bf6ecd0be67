/// How a document is built: what its elements are, one after the other, and what its members are called.
///
/// Whoever sends events builds them all alike, mostly. What is built as another document has its members at the same
/// places, and they need not be looked for.
struct JSONShape: ~Copyable {
  private struct Element {
    var place: Int
    var tag: UInt8
    /// Of a member's name.
    var name: JSONName?
  }

  /// More than a gift has with all that it can say. What has more is looked through each time.
  private static var limit: Int { 64 }

  private let elements = UnsafeMutablePointer<Element>.allocate(capacity: Self.limit)
  /// 0: it is none.
  private var count = 0

  deinit { elements.deallocate() }

  /// Whether this value is built so.
  @inline(__always) func matches(_ value: JSONValue) -> Bool {
    guard count > 0, elements[0].place == value.place else { return false }
    for i in 0..<count {
      let element = elements[i]
      let found = value.at(element.place)
      guard found.tag == element.tag else { return false }
      if let name = element.name, name != JSONName(of: JSONMember(nameValue: found)) { return false }
    }
    return true
  }

  /// Takes this value's shape in place of what it had.
  @inline(never) mutating func learn(_ value: JSONValue) {
    count = 0
    if append(value) == nil { count = 0 }
  }

  /// The place after the value; nil: there are too many elements.
  private mutating func append(_ value: JSONValue) -> Int? {
    guard append(value.place, value.tag, nil) else { return nil }
    let isObject = value.tag == UInt8(ascii: "{")
    guard isObject || value.tag == UInt8(ascii: "[") else { return value.after }
    let end = value.after &- 1
    var place = value.place &+ 1
    while place < end {
      if isObject {
        let name = value.at(place)
        guard append(place, name.tag, JSONName(of: JSONMember(nameValue: name))) else { return nil }
        place &+= 1
      }
      guard let after = append(value.at(place)) else { return nil }
      place = after
    }
    return append(end, value.at(end).tag, nil) ? value.after : nil
  }

  private mutating func append(_ place: Int, _ tag: UInt8, _ name: JSONName?) -> Bool {
    guard count < Self.limit else { return false }
    (elements + count).initialize(to: Element(place: place, tag: tag, name: name))
    count += 1
    return true
  }
}
