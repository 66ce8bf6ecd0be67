import JSON

/// All paths of a mapping as one tree, so that a message is walked once however many paths lead through it.
struct PathTree: Sendable {
  struct Node: Sendable {
    let parent: Int
    let step: MappingPath.Step
    /// A name's bytes.
    let name: Mapping.StaticText?
    /// The number of the document that its value stands in: 0 is the message, the others are texts read as JSON.
    let document: Int
    /// Members by their names' bytes; elements by their places.
    var children: [Int] = []
  }

  enum Source: Sendable {
    case node(Int)
    case key
    /// The place in `headers`.
    case header(Int)
  }

  private(set) var nodes = [Node(parent: 0, step: .json, name: nil, document: 0)]
  private(set) var sources: [Source] = []
  /// The paths of the sources, as they were written.
  private(set) var texts: [String] = []
  private(set) var headers: [String] = []
  private(set) var documentCount = 1

  private var sourceOfText: [String: Int] = [:]
  private var childOfStep: [[MappingPath.Step: Int]] = [[:]]

  /// The number of a path's source.
  mutating func add(_ text: String) throws(MappingPath.Mistake) -> Int {
    if let known = sourceOfText[text] { return known }
    let path = try MappingPath(text)
    let source: Source
    switch path.root {
    case .key: source = .key
    case .header(let name):
      if let place = headers.firstIndex(of: name) {
        source = .header(place)
      } else {
        headers.append(name)
        source = .header(headers.count - 1)
      }
    case .message:
      var node = 0
      for step in path.steps { node = child(of: node, step) }
      source = .node(node)
    }
    sources.append(source)
    texts.append(text)
    sourceOfText[text] = sources.count - 1
    return sources.count - 1
  }

  private mutating func child(of parent: Int, _ step: MappingPath.Step) -> Int {
    if let known = childOfStep[parent][step] { return known }
    var name: Mapping.StaticText?
    if case .member(let bytes) = step { name = Mapping.StaticText(bytes) }
    var document = nodes[parent].document
    if step == .json {
      document = documentCount
      documentCount += 1
    }
    nodes.append(Node(parent: parent, step: step, name: name, document: document))
    childOfStep.append([:])
    let new = nodes.count - 1
    childOfStep[parent][step] = new
    nodes[parent].children.append(new)
    return new
  }

  /// Brings children into the order in which they are looked up.
  mutating func finish() {
    for i in nodes.indices {
      let sorted = nodes[i].children.sorted { a, b in
        switch (nodes[a].step, nodes[b].step) {
        case (.member(let a), .member(let b)): Self.isBefore(a, b)
        case (.element(let a), .element(let b)): a < b
        case (.member, _): true
        case (.element, .json): true
        case (.element, .member), (.json, _): false
        }
      }
      nodes[i].children = sorted
    }
    sourceOfText = [:]
    childOfStep = []
  }

  private static func isBefore(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count != b.count ? a.count < b.count : a.lexicographicallyPrecedes(b)
  }
}
