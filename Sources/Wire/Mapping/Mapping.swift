import RoomModel

/// What an input topic's messages of a platform's own have for an event: an entry of `topics.mapping` (MAPPING.md), checked.
package final class Mapping: Sendable {
  /// The most shapes, and bytes of the canonical form, of a topic.
  package static let shapeLimit = 100
  package static let byteLimit = 65_536

  /// The canonical form, by which it is journalled. Equal mappings have equal texts.
  package let text: String
  /// Whether a message that no shape fits is read as an event in the project's own JSON.
  package let readsOwn: Bool
  /// Whether a message that is none of them is passed over.
  package let ignoresOthers: Bool
  let shapes: [Shape]
  let tree: PathTree

  init(text: String, readsOwn: Bool, ignoresOthers: Bool, shapes: [Shape], tree: PathTree) {
    self.text = text
    self.readsOwn = readsOwn
    self.ignoresOthers = ignoresOthers
    self.shapes = shapes
    self.tree = tree
  }

  /// A hash of the canonical form, 16 hexadecimal digits.
  package var sum: String {
    let digits = String(fnv1a(text.utf8), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  package var shapeCount: Int { shapes.count }

  /// Whether a record's headers have to be at hand.
  package var readsHeaders: Bool { !tree.headers.isEmpty }

  /// The shapes, from 1, that make events without an id: what Kafka brings twice then counts twice.
  package var shapesWithoutEventId: [Int] {
    shapes.indices.filter { shapes[$0].event != nil && shapes[$0].event?.fields[0] == nil }.map { $0 + 1 }
  }

  struct Shape: Sendable {
    let conditions: [Condition]
    /// Nil: the message is passed over.
    let event: MappedEvent?
    var kind: EventKind? { event?.kind }
  }

  struct MappedEvent: Sendable {
    let kind: EventKind
    /// `eventId`, `roomId`, and those of the body in the order of its list.
    let fields: [Field?]
    /// What is known of the fields, in the same order.
    let names: [Name]

    struct Name: Sendable {
      /// `gift.sender.userId`.
      let text: String
      let path: [String]
      let value: ListedField.Value
      var isExtra: Bool { value == .text && path.last == "extra" }
    }
  }

  struct Condition: Sendable {
    enum Wanted: Sendable {
      case present, absent
      case oneOf([Constant])
    }

    /// The number of the path in the tree.
    let source: Int
    let wanted: Wanted
  }

  indirect enum Field: Sendable {
    case path(Int)
    case list([Field])
    case constant(Constant)
    case changed(Field, Changes)

    struct Changes: Sendable {
      var words: [Word]?
      var scale: Scale?
      var otherwise: Constant?
    }

    struct Word: Sendable {
      let text: StaticText
      let result: Constant
    }

    struct Scale: Sendable {
      let times: Int64
      let per: Int64
    }
  }

  enum Constant: Sendable {
    case text(StaticText)
    /// `value`: a bound of 64 bits if it is beyond.
    case integer(value: Int64, digits: StaticText)
    case bool(Bool)
  }

  /// Bytes that live as long as somebody holds them.
  final class StaticText: Sendable {
    let text: Text

    init(_ bytes: some Collection<UInt8>) {
      let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(bytes.count, 8))
      _ = copy.initialize(from: bytes)
      text = Text(start: UnsafeRawPointer(copy.baseAddress!), count: bytes.count)
    }

    deinit { text.start.deallocate() }
  }
}

extension Mapping: Equatable {
  package static func == (a: Mapping, b: Mapping) -> Bool { a === b || a.text == b.text }
}
