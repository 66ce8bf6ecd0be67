/// The words after a command's name: settings, the command's own options, and operands.
package struct Arguments: Equatable, Sendable {
  package private(set) var operands: [String] = []
  /// `--config`.
  package private(set) var configFile: String?
  package private(set) var settings: [SettingFlag] = []
  package private(set) var wantsHelp = false
  private var options: [String: String] = [:]

  /// `--name value` and `--name=value`; the last of a name counts, and `--config` comes once; after `--` everything is an operand.
  package init(
    _ words: some Sequence<String>, options known: [CommandOption], settings names: [String]
  ) throws(SettingsError) {
    var words = words.makeIterator()
    while let word = words.next() {
      if word == "--" {
        while let operand = words.next() { operands.append(operand) }
      } else if word == "-h" || word == "--help" {
        wantsHelp = true
      } else if word.hasPrefix("--") {
        let (name, value) = Self.split(word)
        if let option = known.first(where: { $0.name == name }), option.value == nil {
          if value != nil { throw SettingsError("--\(name) takes no value; write it alone") }
          options[name] = ""
          continue
        }
        guard name == "config" || known.contains(where: { $0.name == name }) || names.contains(name) else {
          let nearest = NearestName.of(name, among: known.map(\.name) + ["config", "help"] + names) ?? "help"
          throw SettingsError("there is no flag --\(name); the nearest is --\(nearest)")
        }
        // Only a setting may be empty: `--room "$ROOM"` with a name that the shell doesn't know is a mistake.
        guard let value = value ?? words.next().flatMap({ $0.hasPrefix("--") ? nil : $0 }),
          !value.isEmpty || names.contains(name)
        else { throw SettingsError("--\(name) needs a value: --\(name) VALUE") }
        try take(name, value, isOption: known.contains { $0.name == name })
      } else if word.hasPrefix("-"), word != "-" {
        throw SettingsError("there is no flag \(word); flags begin with --, and --help shows them")
      } else {
        operands.append(word)
      }
    }
  }

  private mutating func take(_ name: String, _ value: String, isOption: Bool) throws(SettingsError) {
    if isOption {
      options[name] = value
    } else if name == "config" {
      if configFile != nil { throw SettingsError("--config is there twice; put all settings in one file") }
      configFile = value
    } else {
      settings.append(SettingFlag(name: name, value: value))
    }
  }

  private static func split(_ word: String) -> (name: String, value: String?) {
    // By bytes: with an accent that combines `=` is another Character.
    let flag = word.utf8.dropFirst(2)
    guard let equals = flag.firstIndex(of: UInt8(ascii: "=")) else { return (String(Substring(flag)), nil) }
    return (String(Substring(flag[..<equals])), String(Substring(flag[flag.index(after: equals)...])))
  }

  /// The command's own option; "" for one that takes no value.
  package subscript(option: String) -> String? { options[option] }

  /// The items of the command's own option, which have commas between them; empty ones are left out.
  package func list(_ option: String) throws(SettingsError) -> [String]? {
    guard let text = options[option] else { return nil }
    // By bytes: with an accent that combines a comma is another Character.
    let items = text.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) }
    if items.isEmpty { throw SettingsError("--\(option): '\(text)' names none; give one, or several with commas") }
    return items
  }

  package func has(_ option: String) -> Bool { options[option] != nil }

  package func integer<Number: FixedWidthInteger>(
    _ option: String, _ range: ClosedRange<Number>
  ) throws(SettingsError) -> Number? {
    guard let text = options[option] else { return nil }
    guard let number = wholeNumber(text) as Number?, range.contains(number) else {
      throw SettingsError(
        "--\(option): '\(text)' will not do; give a whole number, \(range.lowerBound)…\(range.upperBound)")
    }
    return number
  }

  package func required(_ option: String) throws(SettingsError) -> String {
    if let value = options[option] { return value }
    throw SettingsError("--\(option) is missing; --help shows what is needed")
  }
}

/// An option of one command, which is no setting.
package struct CommandOption: Equatable, Sendable {
  /// The name without `--`.
  package let name: String
  /// The word for its value in the help: `N`; nil: it takes none.
  package let value: String?
  package let help: String

  package init(_ name: String, _ value: String? = nil, _ help: String) {
    self.name = name
    self.value = value
    self.help = help
  }
}
