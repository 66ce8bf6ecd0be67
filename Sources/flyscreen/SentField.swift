import RoomModel
import Settings

/// A field of an event's body that a flag gives.
struct SentField {
  enum Value {
    case text, integer
    /// `10m`, in milliseconds.
    case span
    /// Integers with commas between.
    case integers
  }

  let option: CommandOption
  let isNeeded: Bool
  /// From the body: `sender.userId`.
  let path: [String]
  private let value: Value

  init(
    _ flag: String, _ placeholder: String, _ path: String, as value: Value = .text, isNeeded: Bool = false,
    _ help: String
  ) {
    option = CommandOption(flag, placeholder, help)
    self.isNeeded = isNeeded
    self.path = path.split(separator: ".").map(String.init)
    self.value = value
  }

  /// The field as JSON; nil: it was not given.
  func json(_ arguments: Arguments) throws(SettingsError) -> EventJSON? {
    guard let text = arguments[option.name] else { return nil }
    switch value {
    case .text: return .text(text)
    case .integer: return .integers([try integer(text)], isList: false)
    case .span: return .integers([try milliseconds(text)], isList: false)
    case .integers:
      var numbers: [Int64] = []
      for item in text.split(separator: ",", omittingEmptySubsequences: false) {
        numbers.append(try integer(String(item)))
      }
      return .integers(numbers, isList: true)
    }
  }

  private func integer(_ text: String) throws(SettingsError) -> Int64 {
    guard let number = Int64(text) else { throw refusal(of: text, "a whole number") }
    return number
  }

  private func milliseconds(_ text: String) throws(SettingsError) -> Milliseconds {
    let units: [(name: String, ms: Int64)] = [
      ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]
    guard let unit = units.first(where: { text.hasSuffix($0.name) }),
      let number = Int64(text.dropLast(unit.name.count)), 0...1_000_000_000 ~= number
    else { throw refusal(of: text, "a span of time like 10m, 90s, 2h or 500ms") }
    return number * unit.ms
  }

  private func refusal(of text: String, _ what: String) -> SettingsError {
    SettingsError("--\(option.name): '\(text)' will not do; give \(what)")
  }
}
