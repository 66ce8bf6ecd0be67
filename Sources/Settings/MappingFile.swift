import Platform
package import Wire

/// The file that `topics.mapping` names (MAPPING.md): entries of input topics.
package struct MappingFile: Equatable, Sendable {
  /// The entry for topics that are not named.
  package static let anyTopic = "*"

  package let path: String
  private let entries: [String: Mapping]

  private static let byteLimit = 8 << 20

  package init(path: String) throws(SettingsError) {
    let bytes: [UInt8]
    do { bytes = try ShortFile.read(path, mostBytes: Self.byteLimit) } catch {
      throw SettingsError("file \(path) can't be read: \(error)")
    }
    if bytes.count > Self.byteLimit {
      throw SettingsError("file \(path) has more than \(Self.byteLimit) bytes, too many for a mapping")
    }
    try self.init(bytes, path: path)
  }

  package init(_ bytes: [UInt8], path: String) throws(SettingsError) {
    self.path = path
    let root = try Self.root(bytes, path)
    guard case .object(let members) = root.content else {
      throw SettingsError(
        .file(path, line: root.line), "a mapping has topics with their shapes, as in 'im.gifts: {shapes: […]}'")
    }
    var entries: [String: Mapping] = [:]
    for member in members {
      let origin = Origin.file(path, line: member.line)
      guard entries[member.name] == nil else { throw SettingsError(origin, "\(member.name): it is given twice") }
      if member.name != Self.anyTopic {
        do throws(Refusal) { try TopicName.check(member.name) } catch { throw SettingsError(origin, error.reason) }
      }
      do throws(MappingMistake) {
        entries[member.name] = try Mapping(member.value, at: member.name)
      } catch {
        throw SettingsError(.file(path, line: error.line), error.description)
      }
    }
    self.entries = entries
  }

  /// The mapping of a topic; nil: its messages are the project's own.
  package subscript(topic: String) -> Mapping? { entries[topic] ?? entries[Self.anyTopic] }

  /// The one entry, where there is no other; nil: there are several, or none.
  package var only: Mapping? { entries.count == 1 ? entries.first?.value : entries[Self.anyTopic] }

  /// The names of its entries.
  package var topics: [String] { entries.keys.sorted() }

  /// Warnings, of what is likely no mistake of spelling, a line each.
  package var warnings: [String] {
    topics.flatMap { topic in
      entries[topic]!.shapesWithoutEventId.map {
        "\(path): \(topic): shape \($0) has no eventId: what Kafka brings twice then counts twice"
      }
    }
  }

  // MARK: YAML and JSON

  private static func root(_ bytes: [UInt8], _ path: String) throws(SettingsError) -> MappingNode {
    // libyaml knows no surrogates as JSON escapes them.
    if let json = MappingNode(json: bytes) { return json }
    let parser = YAMLEvents(bytes) { .file(path, line: $0) }
    try parser.expect(.streamStart)
    let first = try parser.next()
    if first.kind == .streamEnd { return MappingNode(.other(""), line: 1) }
    let root = try node(first, parser, depth: 0)
    try parser.expect(.documentEnd)
    let end = try parser.next()
    guard case .streamEnd = end.kind else {
      throw SettingsError(end.origin, "a second document begins; put all topics in one")
    }
    return root
  }

  private static let depthLimit = 64

  private static func node(
    _ event: YAMLEvents.Event, _ parser: YAMLEvents, depth: Int
  ) throws(SettingsError) -> MappingNode {
    if depth > depthLimit { throw SettingsError(event.origin, "it is nested too deep for a mapping") }
    switch event.kind {
    case .mappingStart:
      var members: [MappingNode.Member] = []
      while true {
        let key = try parser.next()
        if case .mappingEnd = key.kind { return MappingNode(.object(members), line: event.line) }
        let name: String
        switch key.kind {
        case .scalar(let text?): name = text
        case .scalar(nil): name = key.text
        default: throw SettingsError(key.origin, "a name must be a text")
        }
        let value = try node(parser.next(), parser, depth: depth + 1)
        members.append(MappingNode.Member(name: name, line: key.line, value: value))
      }
    case .sequenceStart:
      var elements: [MappingNode] = []
      while true {
        let element = try parser.next()
        if case .sequenceEnd = element.kind { return MappingNode(.list(elements), line: event.line) }
        elements.append(try node(element, parser, depth: depth + 1))
      }
    case .scalar(nil): return MappingNode(.other("null"), line: event.line)
    case .scalar(let text?): return MappingNode(event.isPlain ? content(ofPlain: text) : .text(text), line: event.line)
    case .streamStart, .documentEnd, .streamEnd, .mappingEnd, .sequenceEnd:
      throw SettingsError(event.origin, "a value is missing")
    }
  }

  /// What a scalar without quotes is in YAML. Numbers that YAML and JSON spell differently are none here.
  private static func content(ofPlain text: String) -> MappingNode.Content {
    switch text {
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: break
    }
    if text.wholeMatch(of: #/-?(0|[1-9][0-9]*)/#) != nil {
      if let number = Int64(text) { return .integer("\(number)") }
      return UInt64(text).map { .integer("\($0)") } ?? .other(text)
    }
    let isNumber = text.wholeMatch(of: #/[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0[xo][0-9a-fA-F]+/#) != nil
    return isNumber ? .other(text) : .text(text)
  }
}
