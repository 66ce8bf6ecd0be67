package import JSON
import RoomModel

/// A value of a mapping's file (MAPPING.md), with its line.
package struct MappingNode: Sendable {
  package indirect enum Content: Sendable {
    case text(String)
    /// Its digits, as JSON has them: −2⁶³…2⁶⁴−1.
    case integer(String)
    case bool(Bool)
    /// What no mapping has: null, or a number that is no integer of JSON; as it stands.
    case other(String)
    case list([MappingNode])
    case object([Member])
  }

  package struct Member: Sendable {
    package let name: String
    package let line: Int
    package let value: MappingNode

    package init(name: String, line: Int, value: MappingNode) {
      self.name = name
      self.line = line
      self.value = value
    }
  }

  package let content: Content
  /// From 1; 0: it has none, as in a journal.
  package let line: Int

  package init(_ content: Content, line: Int) {
    self.content = content
    self.line = line
  }

  /// A value of a document, such as a line of a journal.
  package init(_ json: JSONValue) {
    self.init(Self.content(json), line: 0)
  }

  /// A file of JSON, with its lines; nil: it is none, or no object.
  package init?(json bytes: [UInt8]) {
    var document = JSONDocument()
    guard
      let root = bytes.withUnsafeBytes({ bytes in
        (try? document.parse(bytes)).flatMap { json in
          guard json.kind == .object else { return nil as MappingNode? }
          var places = JSONPlaces()
          places.read(bytes)
          var lines = LineNumbers(bytes: bytes, places: places)
          return lines.node(json)
        }
      })
    else { return nil }
    self = root
  }

  /// Counts lines as values are asked for in their order.
  private struct LineNumbers {
    let bytes: UnsafeRawBufferPointer
    let places: JSONPlaces
    var line = 1
    var next = 0

    mutating func line(of value: JSONValue) -> Int {
      let offset = places.offset(of: value)
      while next < offset {
        if bytes[next] == UInt8(ascii: "\n") { line += 1 }
        next += 1
      }
      return line
    }

    mutating func node(_ json: JSONValue) -> MappingNode {
      let line = line(of: json)
      switch json.kind {
      case .object:
        var members: [Member] = []
        for member in json.members! {
          let line = self.line(of: member.nameValue)
          members.append(Member(name: member.name.description, line: line, value: node(member.value)))
        }
        return MappingNode(.object(members), line: line)
      case .list:
        var elements: [MappingNode] = []
        for element in json.elements! { elements.append(node(element)) }
        return MappingNode(.list(elements), line: line)
      default: return MappingNode(MappingNode.content(json), line: line)
      }
    }
  }

  private static func content(_ json: JSONValue) -> Content {
    switch json.kind {
    case .object:
      .object(json.members!.map { Member(name: $0.name.description, line: 0, value: MappingNode($0.value)) })
    case .list: .list(json.elements!.map { MappingNode($0) })
    case .string: .text(json.text!.description)
    case .integer: .integer(json.unsigned.map { "\($0)" } ?? "\(json.integer!)")
    case .bool: .bool(json.bool!)
    case .number, .null: .other(json.described)
    }
  }
}

/// A mistake in a mapping.
package struct MappingMistake: Error, Equatable, Sendable {
  /// From 1; 0: it stands in no file.
  package let line: Int
  /// The place of the mistake, and what is wrong there: `im.gifts.shapes[0].gift.count: …`.
  package let description: String
}
