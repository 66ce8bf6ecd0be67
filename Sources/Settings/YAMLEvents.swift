import CYaml

/// libyaml's events as values. YAML's own inventions (anchors, tags, merging) are refused: settings need none.
final class YAMLEvents {
  enum Kind: Equatable {
    case streamStart, documentEnd, streamEnd
    case mappingStart, mappingEnd, sequenceStart, sequenceEnd
    /// nil: YAML's null.
    case scalar(String?)
  }

  struct Event {
    let kind: Kind
    let origin: Origin
    /// From 1.
    let line: Int
    /// A scalar as it stands, and whether it stands without quotes.
    let text: String
    let isPlain: Bool
  }

  /// Kept at one place: libyaml's parser points to itself.
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let origin: (Int) -> Origin

  init(_ bytes: [UInt8], origin: @escaping (Int) -> Origin) {
    self.origin = origin
    self.bytes = .allocate(capacity: bytes.count)
    _ = self.bytes.initialize(from: bytes)
    guard yaml_parser_initialize(parser) == 1 else { fatalError("libyaml has no memory for a parser") }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, self.bytes.baseAddress, self.bytes.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    bytes.deallocate()
  }

  func expect(_ kind: Kind) throws(SettingsError) {
    let event = try next()
    if event.kind != kind { throw SettingsError(event.origin, "this is not YAML as it is used for settings") }
  }

  /// Passes over the start of a document.
  func next() throws(SettingsError) -> Event {
    var event = yaml_event_t()
    repeat {
      guard yaml_parser_parse(parser, &event) == 1 else { throw problem() }
    } while event.type == YAML_DOCUMENT_START_EVENT
    defer { yaml_event_delete(&event) }
    let line = event.start_mark.line + 1
    let origin = origin(line)
    var text = ""
    var isPlain = false
    if event.type == YAML_SCALAR_EVENT {
      let scalar = event.data.scalar
      text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
    }
    let isNull = isPlain && ["", "~", "null", "Null", "NULL"].contains(text)
    let kind: Kind =
      switch event.type {
      case YAML_STREAM_START_EVENT: .streamStart
      case YAML_DOCUMENT_END_EVENT: .documentEnd
      case YAML_STREAM_END_EVENT: .streamEnd
      case YAML_MAPPING_START_EVENT: .mappingStart
      case YAML_MAPPING_END_EVENT: .mappingEnd
      case YAML_SEQUENCE_START_EVENT: .sequenceStart
      case YAML_SEQUENCE_END_EVENT: .sequenceEnd
      case YAML_SCALAR_EVENT: .scalar(isNull ? nil : text)
      default: throw SettingsError(origin, "aliases are not read here; write the value out")
      }
    return Event(kind: kind, origin: origin, line: line, text: text, isPlain: isPlain)
  }

  private func problem() -> SettingsError {
    let line = parser.pointee.problem == nil ? parser.pointee.context_mark.line : parser.pointee.problem_mark.line
    let words = parser.pointee.problem.map { String(cString: $0) } ?? "it is not YAML"
    return SettingsError(origin(line + 1), "neither YAML nor JSON: \(words)")
  }
}
