import RoomModel

extension Mapping {
  /// Checks an entry of `topics.mapping`.
  ///
  /// - Parameter path: The entry's place, as mistakes name it: the topic.
  /// - Throws: A ``MappingMistake`` with line and path.
  package convenience init(_ node: MappingNode, at path: String) throws(MappingMistake) {
    var compiler = MappingCompiler()
    try self.init(compiler.entry(node, path), node, path)
  }

  private convenience init(
    _ entry: (own: Bool, ignores: Bool, shapes: [Shape], tree: PathTree), _ node: MappingNode, _ path: String
  ) throws(MappingMistake) {
    let text = MappingText.canonical(node)
    if text.utf8.count > Self.byteLimit {
      throw MappingMistake(
        node, path, "\(text.utf8.count) bytes in its journalled form are more than \(Self.byteLimit)")
    }
    self.init(
      text: text, readsOwn: entry.own, ignoresOthers: entry.ignores, shapes: entry.shapes, tree: entry.tree)
  }
}

extension MappingMistake {
  init(_ node: MappingNode, _ path: String, _ what: String) {
    self.init(line: node.line, description: "\(path): \(what)")
  }
}

/// Makes shapes of what a file says.
struct MappingCompiler {
  private var tree = PathTree()

  typealias Entry = (own: Bool, ignores: Bool, shapes: [Mapping.Shape], tree: PathTree)

  mutating func entry(_ node: MappingNode, _ path: String) throws(MappingMistake) -> Entry {
    var own = true
    var ignores = false
    var shapes: [Mapping.Shape]?
    for member in try Self.members(of: node, path, "an entry has `shapes`, and may have `otherwise` and `own`") {
      let (value, place) = (member.value, "\(path).\(member.name)")
      switch (member.name, value.content) {
      case ("own", .bool(let word)): own = word
      case ("own", _): throw MappingMistake(value, place, "true or false must stand here")
      case ("otherwise", .text("ignore")): ignores = true
      case ("otherwise", .text("refuse")): ignores = false
      case ("otherwise", _): throw MappingMistake(value, place, "`ignore` or `refuse` must stand here")
      case ("shapes", .list(let list)):
        if list.count > Mapping.shapeLimit {
          throw MappingMistake(value, place, "\(list.count) shapes are more than \(Mapping.shapeLimit)")
        }
        var read: [Mapping.Shape] = []
        for (i, shape) in list.enumerated() { read.append(try self.shape(shape, "\(place)[\(i)]")) }
        shapes = read
      case ("shapes", _): throw MappingMistake(value, place, "a list of shapes must stand here")
      default: throw MappingMistake(member, place, "an entry has `shapes`, `otherwise` and `own`, and nothing else")
      }
    }
    guard let shapes else { throw MappingMistake(node, path, "`shapes` is missing") }
    tree.finish()
    return (own, ignores, shapes, tree)
  }

  private mutating func shape(_ node: MappingNode, _ path: String) throws(MappingMistake) -> Mapping.Shape {
    var conditions: [Mapping.Condition] = []
    var ignores = false
    var own: [(member: MappingNode.Member, place: Int)] = []
    var body: (member: MappingNode.Member, kind: EventKind)?
    for member in try Self.members(of: node, path, "a shape is an object") {
      let place = "\(path).\(member.name)"
      switch member.name {
      case "when": conditions = try self.conditions(member.value, place)
      case "ignore":
        guard case .bool(true) = member.value.content else {
          throw MappingMistake(member.value, place, "true must stand here, or leave it out")
        }
        ignores = true
      case "eventId": own.append((member, 0))
      case "roomId": own.append((member, 1))
      default:
        guard let kind = EventKind(rawValue: member.name) else {
          throw MappingMistake(
            member, place, "a shape has `when`, `roomId`, `eventId` and one body of an event, or `ignore`")
        }
        if let body {
          throw MappingMistake(member, place, "an event has one body, and \(body.member.name) stands there already")
        }
        body = (member, kind)
      }
    }
    guard let body else {
      if !ignores { throw MappingMistake(node, path, "a body is missing, such as `gift`, or `ignore: true`") }
      if let (member, _) = own.first {
        throw MappingMistake(member, "\(path).\(member.name)", "a message that is passed over has none")
      }
      return Mapping.Shape(conditions: conditions, event: nil)
    }
    if ignores { throw MappingMistake(body.member, "\(path).\(body.member.name)", "`ignore: true` stands there, too") }
    let names = MappedNames.all(of: body.kind)
    var fields = [Mapping.Field?](repeating: nil, count: names.count)
    for (member, place) in own { fields[place] = try field(member.value, "\(path).\(member.name)") }
    if fields[1] == nil { throw MappingMistake(node, path, "`roomId` is missing") }
    try self.fields(body.member.value, "\(path).\(body.member.name)", [body.member.name], names, &fields)
    return Mapping.Shape(
      conditions: conditions, event: Mapping.MappedEvent(kind: body.kind, fields: fields, names: names))
  }

  /// - Parameter above: The names from the body to the object.
  private mutating func fields(
    _ node: MappingNode, _ path: String, _ above: [String], _ names: [Mapping.MappedEvent.Name],
    _ fields: inout [Mapping.Field?]
  ) throws(MappingMistake) {
    for member in try Self.members(of: node, path, "fields must stand here, each with its place") {
      let place = "\(path).\(member.name)"
      let full = above + member.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      if let i = names.firstIndex(where: { $0.path == full }) {
        switch names[i].value {
        case .id, .text, .integer: break
        default: throw MappingMistake(member, place, "\(full.last!) can't be mapped")
        }
        if fields[i] != nil { throw MappingMistake(member, place, "\(names[i].text) is given twice") }
        fields[i] = try field(member.value, place)
      } else if names.contains(where: { $0.path.starts(with: full) }) {
        try self.fields(member.value, place, full, names, &fields)
      } else {
        throw MappingMistake(member, place, "\(above[0]) has no such field")
      }
    }
  }

  private mutating func conditions(_ node: MappingNode, _ path: String) throws(MappingMistake) -> [Mapping.Condition] {
    var conditions: [Mapping.Condition] = []
    for member in try Self.members(of: node, path, "paths with what is asked of them must stand here") {
      let place = "\(path).\(member.name)"
      let source = try source(member.name, MappingNode(.other(""), line: member.line), place)
      let wanted: Mapping.Condition.Wanted
      switch member.value.content {
      case .text("present"): wanted = .present
      case .text("absent"): wanted = .absent
      case .list(let list):
        if list.isEmpty { throw MappingMistake(member.value, place, "the list is empty") }
        var constants: [Mapping.Constant] = []
        for node in list { constants.append(try condition(node, place)) }
        wanted = .oneOf(constants)
      default: wanted = .oneOf([try condition(member.value, place)])
      }
      conditions.append(Mapping.Condition(source: source, wanted: wanted))
    }
    return conditions
  }

  private func condition(_ node: MappingNode, _ path: String) throws(MappingMistake) -> Mapping.Constant {
    var value = node
    switch node.content {
    case .text("present"), .text("absent"):
      throw MappingMistake(node, path, "as a value this word is asked for as { is: … }")
    case .object(let members):
      guard members.count == 1, members[0].name == "is" else { break }
      value = members[0].value
    default: break
    }
    if case .text("") = value.content { throw MappingMistake(value, path, "a constant is not empty; ask for `absent`") }
    guard let constant = Self.constant(value, withBool: true) else {
      throw MappingMistake(
        value, path, "`present`, `absent`, a string, an integer, true, false, or a list of these must stand here")
    }
    return constant
  }

  // MARK: Fields

  private mutating func field(
    _ node: MappingNode, _ path: String, depth: Int = 0
  ) throws(MappingMistake) -> Mapping.Field {
    switch node.content {
    case .text(let text): return .path(try source(text, node, path))
    case .list(let list):
      if list.isEmpty { throw MappingMistake(node, path, "the list is empty") }
      try Self.check(depth, node, path)
      var fields: [Mapping.Field] = []
      for (i, entry) in list.enumerated() { fields.append(try field(entry, "\(path)[\(i)]", depth: depth + 1)) }
      return .list(fields)
    case .object(let members):
      if members.count == 1, members[0].name == "is" {
        guard let constant = Self.constant(members[0].value, withBool: false) else {
          throw MappingMistake(members[0].value, "\(path).is", "a string or an integer must stand here")
        }
        return .constant(constant)
      }
      try Self.check(depth, node, path)
      return try changed(node, path, depth: depth)
    case .integer, .bool, .other:
      throw MappingMistake(node, path, "a path must stand here, a list, { is: … } or { at: … }; a path is a text")
    }
  }

  private static func check(_ depth: Int, _ node: MappingNode, _ path: String) throws(MappingMistake) {
    if depth == 4 { throw MappingMistake(node, path, "lists and { at: … } stand within each other up to 4 deep") }
  }

  private mutating func changed(
    _ node: MappingNode, _ path: String, depth: Int
  ) throws(MappingMistake) -> Mapping.Field {
    var at: Mapping.Field?
    var changes = Mapping.Field.Changes()
    var (times, per): (Int64?, Int64?)
    for member in try Self.members(of: node, path, "") {
      let (value, place) = (member.value, "\(path).\(member.name)")
      switch member.name {
      case "at": at = try field(value, place, depth: depth + 1)
      case "words":
        var words: [Mapping.Field.Word] = []
        for word in try Self.members(of: value, place, "values with what they become must stand here") {
          guard let result = Self.constant(word.value, withBool: false) else {
            throw MappingMistake(word.value, "\(place).\(word.name)", "a string or an integer must stand here")
          }
          words.append(.init(text: Mapping.StaticText(word.name.utf8), result: result))
        }
        if words.isEmpty { throw MappingMistake(value, place, "no value stands here") }
        changes.words = words
      case "times": times = try Self.factor(value, place)
      case "per": per = try Self.factor(value, place)
      case "else":
        guard let constant = Self.constant(value, withBool: false) else {
          throw MappingMistake(value, place, "a string or an integer must stand here")
        }
        changes.otherwise = constant
      default:
        throw MappingMistake(member, place, "{ is: … } stands alone; { at: … } has `words`, `times`, `per` and `else`")
      }
    }
    guard let at else { throw MappingMistake(node, path, "`at` is missing, which says where the value stands") }
    if times != nil || per != nil { changes.scale = .init(times: times ?? 1, per: per ?? 1) }
    if changes.words == nil, changes.scale == nil, changes.otherwise == nil {
      throw MappingMistake(
        node, path, "beside `at` stands `words`, `times`, `per` or `else`; a path alone needs no `at`")
    }
    return .changed(at, changes)
  }

  private static func factor(_ node: MappingNode, _ path: String) throws(MappingMistake) -> Int64 {
    guard case .integer(let digits) = node.content, let factor = Int64(digits), 1...1_000_000_000 ~= factor else {
      throw MappingMistake(node, path, "an integer, 1…1000000000, must stand here")
    }
    return factor
  }

  private static func constant(_ node: MappingNode, withBool: Bool) -> Mapping.Constant? {
    switch node.content {
    case .text(let text): .text(Mapping.StaticText(text.utf8))
    case .integer(let digits):
      .integer(value: Int64(digits) ?? .max, digits: Mapping.StaticText(digits.utf8))
    case .bool(let word): withBool ? .bool(word) : nil
    case .other, .list, .object: nil
    }
  }

  private mutating func source(_ text: String, _ node: MappingNode, _ path: String) throws(MappingMistake) -> Int {
    do { return try tree.add(text) } catch { throw MappingMistake(node, path, "`\(text)` is no path: \(error.why)") }
  }

  private static func members(
    of node: MappingNode, _ path: String, _ wanted: String
  ) throws(MappingMistake) -> [MappingNode.Member] {
    guard case .object(let members) = node.content else { throw MappingMistake(node, path, wanted) }
    var names: Set<String> = []
    for member in members where !names.insert(member.name).inserted {
      throw MappingMistake(member, "\(path).\(member.name)", "it is given twice")
    }
    return members
  }
}

extension MappingMistake {
  fileprivate init(_ member: MappingNode.Member, _ path: String, _ what: String) {
    self.init(line: member.line, description: "\(path): \(what)")
  }
}

/// The fields of events that shapes name.
enum MappedNames {
  static func all(of kind: EventKind) -> [Mapping.MappedEvent.Name] {
    typealias Name = Mapping.MappedEvent.Name
    return [
      Name(text: "eventId", path: ["eventId"], value: .id), Name(text: "roomId", path: ["roomId"], value: .id),
    ]
      + kind.fields.map {
        let path = [kind.rawValue] + $0.path
        return Name(text: path.joined(separator: "."), path: path, value: $0.value)
      }
  }
}
