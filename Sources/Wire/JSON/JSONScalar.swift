package import JSON

/// A string or an integer of a document, and where it is written.
package struct JSONScalar {
  /// The place on the tape.
  let place: Int
  package let isString: Bool
  /// The bytes, without a string's quotes.
  package let bytes: Range<Int>

  /// All that `document` has, of which `root` was read, in their order; nil if it nests deeper than any event that is
  /// like others.
  static func all(of root: JSONValue, in document: UnsafeRawBufferPointer) -> [JSONScalar]? {
    var walk = Walk(document: document)
    return walk.append(root, depth: 0) ? walk.scalars : nil
  }

  /// Goes through a document's bytes and its tape side by side.
  private struct Walk {
    let document: UnsafeRawBufferPointer
    private(set) var scalars: [JSONScalar] = []
    private var next = 0

    init(document: UnsafeRawBufferPointer) { self.document = document }

    mutating func append(_ value: JSONValue, depth: Int) -> Bool {
      skipToToken()
      let start = next
      switch value.kind {
      case .object, .list:
        if depth == 8 { return false }
        next += 1
        if let members = value.members {
          for member in members {
            skipToToken()
            skipString()
            guard append(member.value, depth: depth + 1) else { return false }
          }
        } else if let elements = value.elements {
          for element in elements {
            guard append(element, depth: depth + 1) else { return false }
          }
        }
        skipToToken()
        next += 1
      case .string:
        skipString()
        scalars.append(JSONScalar(place: value.place, isString: true, bytes: start + 1..<next - 1))
      case .integer:
        skipWord()
        scalars.append(JSONScalar(place: value.place, isString: false, bytes: start..<next))
      case .number, .bool, .null:
        skipWord()
      }
      return true
    }

    private mutating func skipToToken() {
      while " \t\r\n,:".utf8.contains(document[next]) { next += 1 }
    }

    private mutating func skipString() {
      next += 1
      while document[next] != UInt8(ascii: "\"") { next += document[next] == UInt8(ascii: "\\") ? 2 : 1 }
      next += 1
    }

    private mutating func skipWord() {
      while next < document.count, !" \t\r\n,]}".utf8.contains(document[next]) { next += 1 }
    }
  }
}

extension [JSONScalar] {
  /// The slot of the value at a place on the tape; 0: it is none of these.
  func slot(of place: Int) -> Int { firstIndex { $0.place == place }.map { $0 + 1 } ?? 0 }

  package func slot(of value: JSONValue?) -> Int { value.map { slot(of: $0.place) } ?? 0 }

  /// The number of scalars before the value.
  package func count(before value: JSONValue) -> Int { count { $0.place < value.place } }
}
