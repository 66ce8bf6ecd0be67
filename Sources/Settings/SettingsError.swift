/// Settings or arguments that can't be used: one line, which says where they came from and what to do.
package struct SettingsError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  init(_ origin: Origin, _ reason: String) { description = "\(origin): \(reason)" }
}

/// The origin of a setting's value.
package enum Origin: Equatable, Sendable, CustomStringConvertible {
  case byDefault
  case file(String, line: Int)
  case environment(String)
  case flag(String)
  /// Somewhere else, in the words of who reads there: `log.ndjson line 17`.
  case place(String)

  package var description: String {
    switch self {
    case .byDefault: "the default"
    case .file(let path, let line): "file \(path) line \(line)"
    case .environment(let name): "environment \(name)"
    case .flag(let name): "flag --\(name)"
    case .place(let words): words
    }
  }

  /// Whether it names the setting in words: an error about its value need not.
  var namesSetting: Bool {
    switch self {
    case .flag, .environment: true
    case .byDefault, .file, .place: false
    }
  }
}

/// The origin of each setting that was given.
struct SettingOrigins {
  private(set) var given: [String: Origin] = [:]

  subscript(name: String) -> Origin {
    get { given[name] ?? .byDefault }
    set { given[name] = newValue }
  }
}
