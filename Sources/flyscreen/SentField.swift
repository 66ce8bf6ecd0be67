import RoomModel
import Settings
import Wire

/// A field of an event's body that a flag gives.
struct SentField {
  let option: CommandOption
  let isNeeded: Bool
  private let field: ListedField

  /// The names from the body to the field: `sender`, `userId`.
  var path: [String] { field.path }

  /// - Parameter meaning: of the field, for the help; nil: its name says enough.
  init(_ field: ListedField, meaning: String?) {
    self.field = field
    isNeeded = field.isRequired
    let name = Self.flag(field.name)
    let help = meaning ?? "its \(name.replacing("-", with: " "))"
    let otherwise =
      isNeeded || help.hasSuffix("]") ? nil : field.otherwise.map { field.isSpan ? TimeSpan.text($0) : String($0) }
    option = CommandOption(name, Self.placeholder(field, name), help + (otherwise.map { " [\($0)]" } ?? ""))
  }

  /// The last word of a field's path, as a flag: `giftName` is `gift-name`, `giftId` is `gift`, `holdMs` is `hold`.
  private static func flag(_ name: String) -> String {
    let suffix = ["Id", "Ms", "Url"].first { name.hasSuffix($0) } ?? ""
    return name.dropLast(suffix.count).map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
  }

  private static func placeholder(_ field: ListedField, _ flag: String) -> String {
    switch field.value {
    case .id: "\(flag.uppercased())-ID"
    case .text: field.name.hasSuffix("Url") ? "URL" : String(flag.uppercased().split(separator: "-").last!)
    case .integer: field.isSpan ? "SPAN" : "N"
    case .integers: "N,…"
    case .ids: "ID,…"
    case .points: "X:Y,…"
    case .settings: ""
    }
  }

  /// The field as JSON; nil: it was not given.
  func json(_ arguments: Arguments) throws(SettingsError) -> EventJSON? {
    guard let text = arguments[option.name] else { return nil }
    switch field.value {
    case .id, .text, .settings: return .text(text)
    case .integer: return .integer(field.isSpan ? try milliseconds(text) : try integer(text))
    case .integers, .ids, .points:
      var elements: [EventJSON] = []
      for item in text.split(separator: ",", omittingEmptySubsequences: false) {
        elements.append(try element(String(item)))
      }
      return .list(elements)
    }
  }

  private func element(_ text: String) throws(SettingsError) -> EventJSON {
    switch field.value {
    case .integers: return .integer(try integer(text))
    case .points:
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw refusal(of: text, "two whole numbers with a colon between") }
      return .object([("x", .integer(try integer(String(parts[0])))), ("y", .integer(try integer(String(parts[1]))))])
    case .ids, .id, .text, .integer, .settings: return .text(text)
    }
  }

  private func integer(_ text: String) throws(SettingsError) -> Int64 {
    guard let number = Int64(text) else { throw refusal(of: text, "a whole number") }
    return number
  }

  private func milliseconds(_ text: String) throws(SettingsError) -> Milliseconds {
    guard let span = TimeSpan.milliseconds(text) else { throw refusal(of: text, TimeSpan.spansThatDo) }
    return span
  }

  private func refusal(of text: String, _ what: String) -> SettingsError {
    SettingsError("--\(option.name): '\(text)' will not do; give \(what)")
  }
}

extension ListedField {
  fileprivate var name: String { path.last! }
  /// It is a span of time, which a flag gives with a unit.
  fileprivate var isSpan: Bool { value == .integer && name.hasSuffix("Ms") }
}
