import JSON
import RoomModel

/// A message, as the paths of a mapping look into it. Each object and list is walked once, and each text read as JSON once,
/// whatever the number of paths.
struct MappedMessage {
  enum Value {
    case absent
    case text(Text)
    /// `value`: a bound of 64 bits if it is beyond; the digits, where they are written already.
    case integer(value: Int64, digits: Text?, unsigned: UInt64?)
    case bool(Bool)
    /// A number that is no integer, an object or a list of a document.
    case other(JSONValue, document: Int)
  }

  /// A text that is longer is not read as JSON.
  static var jsonLimit: Int { 65_536 }

  private var tree: PathTree?
  /// The places of the nodes' values on their tapes, 0: absent; good where `found` says so.
  private var places: [Int] = []
  private var found: [UInt32] = []
  private var expanded: [UInt32] = []
  private var message: UInt32 = 0
  private var chain: [Int] = []
  private var documents: [Document] = []
  private var key: UnsafeRawBufferPointer?
  private var headers: [RecordHeader] = []
  /// Of a message that is written as one before it: its values, and by source their slots, 0: absent.
  private var written: (values: PatternValues, slotOfSource: [Int])?

  /// A text read as JSON, or the message.
  private final class Document {
    var parser: Parser?
    var root: JSONValue?
    var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    var places = JSONPlaces()
    var placesAreOf: UInt32 = 0
  }

  private final class Parser {
    var document = JSONDocument()
  }

  mutating func take(_ mapping: PathTree) {
    tree = mapping
    places = Array(repeating: 0, count: mapping.nodes.count)
    found = Array(repeating: 0, count: mapping.nodes.count)
    expanded = found
    message = 0
    documents = (0..<mapping.documentCount).map { _ in Document() }
  }

  /// A message that is written as one before it.
  mutating func begin(
    _ values: PatternValues, ofSources slotOfSource: [Int], key: UnsafeRawBufferPointer?, headers: [RecordHeader]
  ) {
    written = (values, slotOfSource)
    self.key = key
    self.headers = headers
  }

  /// - Parameters:
  ///   - root: nil: the message is no JSON.
  ///   - bytes: those of the document that `root` stands in.
  mutating func begin(
    root: JSONValue?, bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer?, headers: [RecordHeader]
  ) {
    written = nil
    message &+= 1
    if message == 0 {
      // After 2³² messages marks of long ago would count again.
      for i in found.indices { (found[i], expanded[i]) = (0, 0) }
      message = 1
      for document in documents { document.placesAreOf = 0 }
    }
    places[0] = root?.place ?? 0
    found[0] = message
    documents[0].root = root
    documents[0].bytes = bytes
    self.key = key
    self.headers = headers
  }

  /// The value at a path.
  mutating func value(of source: Int) -> Value {
    switch tree!.sources[source] {
    case .node(let node):
      guard let written else { return value(ofNode: node) }
      let value = written.values[written.slotOfSource[source]]
      if !value.isString { return .integer(value: value.integer, digits: value.text, unsigned: nil) }
      return value.text.isEmpty ? .absent : .text(value.text)
    case .key: return Self.text(key)
    case .header(let place):
      let name = tree!.headers[place]
      return Self.text(headers.last { $0.name == name }?.value)
    }
  }

  private static func text(_ bytes: UnsafeRawBufferPointer?) -> Value {
    guard let bytes, let start = bytes.baseAddress, !bytes.isEmpty else { return .absent }
    let text = Text(start: start, count: bytes.count)
    return text.isUTF8(before: start + bytes.count) ? .text(text) : .absent
  }

  /// How the value of a path is written.
  enum Writing {
    /// A string or an integer of the message, by its place on the tape.
    case scalar(Int, JSONValue)
    /// It leads nowhere, whatever the scalars of the message are.
    case nowhere
    /// True, false, another number, an object or a list of the message: as it is in all that are written alike but for
    /// scalars, though not what is within.
    case fixed
    /// It stands in a text of the message, at that place on the tape, or would if the text were JSON.
    case within(Int)
    /// It does not stand in the message.
    case elsewhere
  }

  /// How the value of a path is written in a message that was parsed.
  mutating func writing(of source: Int) -> Writing {
    guard case .node(var node) = tree!.sources[source] else { return .elsewhere }
    if json(ofNode: node) != nil, tree!.nodes[node].document == 0 {
      let value = json(ofNode: node)!
      switch value.kind {
      case .string, .integer: return .scalar(value.place, value)
      case .null: return .nowhere
      case .bool, .number, .object, .list: return .fixed
      }
    }
    while node != 0 {
      let parent = tree!.nodes[node].parent
      if tree!.nodes[parent].document == 0, let above = json(ofNode: parent) {
        return tree!.nodes[node].step == .json && above.kind == .string ? .within(above.place) : .nowhere
      }
      node = parent
    }
    return .nowhere
  }

  private mutating func value(ofNode node: Int) -> Value {
    let document = tree!.nodes[node].document
    guard let value = json(ofNode: node) else { return .absent }
    switch value.kind {
    case .null: return .absent
    case .string: return value.text!.isEmpty ? .absent : .text(value.text!)
    case .integer: return .integer(value: value.integer!, digits: nil, unsigned: value.unsigned)
    case .bool: return .bool(value.bool!)
    case .object, .list: return value.isEmptyObjectOrList ? .absent : .other(value, document: document)
    case .number: return .other(value, document: document)
    }
  }

  private mutating func json(ofNode node: Int) -> JSONValue? {
    if found[node] != message {
      chain.removeAll(keepingCapacity: true)
      var above = tree!.nodes[node].parent
      while expanded[above] != message {
        chain.append(above)
        if above == 0 { break }
        above = tree!.nodes[above].parent
      }
      while let next = chain.popLast() { expand(next) }
    }
    if places[node] == 0 { return nil }
    return documents[tree!.nodes[node].document].root!.at(places[node])
  }

  /// Finds the values of a node's children.
  private mutating func expand(_ node: Int) {
    expanded[node] = message
    let children = tree!.nodes[node].children
    for child in children {
      places[child] = 0
      found[child] = message
    }
    guard places[node] != 0 else { return }
    let value = documents[tree!.nodes[node].document].root!.at(places[node])
    switch value.kind {
    case .object:
      for member in value.members! {
        if let child = child(of: children, named: member.name) { places[child] = member.value.place }
      }
    case .list:
      // They stand in their order.
      var wanted = children.makeIterator()
      var child = wanted.next()
      var place = 0
      for element in value.elements! {
        while let next = child, !isElement(next, atLeast: place) { child = wanted.next() }
        guard let next = child else { break }
        if tree!.nodes[next].step == .element(place) { places[next] = element.place }
        place += 1
      }
    case .string:
      guard let child = children.last, tree!.nodes[child].step == .json, let text = value.text,
        text.count <= Self.jsonLimit
      else { return }
      let document = documents[tree!.nodes[child].document]
      if document.parser == nil { document.parser = Parser() }
      guard let root = try? document.parser!.document.parse(text.bytes) else { return }
      document.root = root
      document.bytes = text.bytes
      document.placesAreOf = 0
      places[child] = root.place
    case .integer, .number, .bool, .null: break
    }
  }

  private func isElement(_ node: Int, atLeast place: Int) -> Bool {
    if case .element(let n) = tree!.nodes[node].step { n >= place } else { false }
  }

  /// The children are in the order of their names' lengths and bytes.
  private func child(of children: [Int], named name: Text) -> Int? {
    if children.count <= 8 {
      for child in children where tree!.nodes[child].name.map({ $0.text == name }) ?? false { return child }
      return nil
    }
    var (low, high) = (0, children.count)
    while low < high {
      let middle = (low + high) / 2
      if let other = tree!.nodes[children[middle]].name?.text {
        if other == name { return children[middle] }
        let isBefore =
          other.count != name.count
          ? other.count < name.count : other.bytes.lexicographicallyPrecedes(name.bytes)
        if isBefore { low = middle + 1 } else { high = middle }
      } else {
        // Elements and texts stand behind.
        high = middle
      }
    }
    return nil
  }

  // MARK: Texts of values

  /// The text of a number as it stands in its document.
  func word(_ value: JSONValue, in document: Int) -> Text {
    let bytes = withPlaces(of: document) { $0.word(value) }
    return Text(start: bytes.baseAddress!, count: bytes.count)
  }

  /// The text of an object or a list, kept in `out`; nil: it has more bytes than `limit`.
  func appendCompact(_ value: JSONValue, in document: Int, to out: inout ByteBuffer, limit: Int) -> Bool {
    withPlaces(of: document) { $0.append(value, to: &out, limit: limit) }
  }

  private func withPlaces<Result>(of number: Int, _ body: (JSONPlaces) -> Result) -> Result {
    let document = documents[number]
    if document.placesAreOf != message {
      document.places.read(document.bytes)
      document.placesAreOf = message
    }
    return body(document.places)
  }
}

/// A header of a record; its value may be null.
package typealias RecordHeader = (name: String, value: UnsafeRawBufferPointer?)

extension JSONValue {
  fileprivate var isEmptyObjectOrList: Bool {
    if var members { return members.next() == nil }
    if var elements { return elements.next() == nil }
    return false
  }
}
