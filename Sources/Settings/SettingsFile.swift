import CYaml
import Platform

/// A file of settings, flattened: YAML, and so JSON too. Names may be nested or dotted, each at most once.
struct SettingsFile {
  struct Entry {
    /// The name, with dots.
    let name: String
    /// nil: nothing stands there, or null.
    let text: SettingText?
    let origin: Origin
  }

  private(set) var entries: [Entry] = []

  /// The most bytes of a settings file.
  private static var maxBytes: Int { 1 << 20 }
  private static var maxDepth: Int { 16 }
  private static var maxEntries: Int { 1000 }

  init(path: String) throws(SettingsError) {
    let bytes: [UInt8]
    do { bytes = try ShortFile.read(path, mostBytes: Self.maxBytes) } catch {
      throw SettingsError("file \(path) can't be read: \(error)")
    }
    if bytes.count > Self.maxBytes {
      throw SettingsError("file \(path) has more than \(Self.maxBytes) bytes, too many for settings")
    }
    try self.init(bytes) { .file(path, line: $0) }
  }

  /// `origin` makes a line's number (from 1) an origin.
  private init(_ bytes: [UInt8], origin: @escaping (Int) -> Origin) throws(SettingsError) {
    let parser = YAMLEvents(bytes, origin: origin)
    try parser.expect(.streamStart)
    let first = try parser.next()
    switch first.kind {
    case .streamEnd: return
    case .mappingStart: try readMapping(under: "", depth: 1, parser)
    case .scalar(let text) where text == nil: break
    default: throw SettingsError(first.origin, "settings are names with values, as in 'gift: {lanes: 3}'")
    }
    try parser.expect(.documentEnd)
    let end = try parser.next()
    guard case .streamEnd = end.kind else {
      throw SettingsError(end.origin, "a second document begins; put all settings in one")
    }
  }

  private mutating func readMapping(under prefix: String, depth: Int, _ parser: YAMLEvents) throws(SettingsError) {
    while true {
      let key = try parser.next()
      if case .mappingEnd = key.kind { return }
      guard case .scalar(let word?) = key.kind else { throw SettingsError(key.origin, "a name must be a text") }
      let name = prefix + word
      let value = try parser.next()
      switch value.kind {
      case .mappingStart:
        if depth == Self.maxDepth { throw SettingsError(value.origin, "\(name) is nested too deep for a setting") }
        try readMapping(under: name + ".", depth: depth + 1, parser)
      case .sequenceStart:
        try add(Entry(name: name, text: .list(readList(name, parser)), origin: key.origin))
      case .scalar(let text):
        try add(Entry(name: name, text: text.map { .one($0) }, origin: key.origin))
      default:
        throw SettingsError(value.origin, "\(name) must have a value, a list or names with values")
      }
    }
  }

  private func readList(_ name: String, _ parser: YAMLEvents) throws(SettingsError) -> [String] {
    var items: [String] = []
    while true {
      let item = try parser.next()
      switch item.kind {
      case .sequenceEnd: return items
      case .scalar(let text?): items.append(text)
      default: throw SettingsError(item.origin, "\(name): an item of a list must be a single value")
      }
    }
  }

  private mutating func add(_ entry: Entry) throws(SettingsError) {
    if let earlier = entries.first(where: { $0.name == entry.name }) {
      throw SettingsError(entry.origin, "\(entry.name) is set already in \(earlier.origin); leave one out")
    }
    if entries.count == Self.maxEntries {
      throw SettingsError(entry.origin, "more than \(Self.maxEntries) names are no settings")
    }
    entries.append(entry)
  }
}
