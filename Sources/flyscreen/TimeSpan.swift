import RoomModel
import Settings

/// Spans of time as flags have them: `500ms`, `90s`, `15m`, `2h`, `1d`.
enum TimeSpan {
  /// What to write, for a refusal.
  static let spansThatDo = "a span of time like 10m, 90s, 2h or 500ms"

  private static let units: [(name: String, ms: Int64)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]

  /// Nil: it is none.
  static func milliseconds(_ text: some StringProtocol) -> Milliseconds? {
    guard let unit = units.first(where: { text.hasSuffix($0.name) }),
      let number = Int64(text.dropLast(unit.name.count)), 0...1_000_000_000 ~= number
    else { return nil }
    return number * unit.ms
  }

  /// A span in the longest unit of which it is a whole number.
  static func text(_ milliseconds: Milliseconds) -> String {
    if milliseconds == 0 { return "0s" }
    let unit = units.last { milliseconds % $0.ms == 0 }!
    return "\(milliseconds / unit.ms)\(unit.name)"
  }
}

extension Arguments {
  /// An option for how long a command runs, up to a year: a span, or a number of seconds.
  func runTime(_ option: String) throws(SettingsError) -> Milliseconds? {
    guard let text = self[option] else { return nil }
    guard let span = TimeSpan.milliseconds(text) ?? Int64(text).flatMap({ TimeSpan.milliseconds("\($0)s") }),
      1...31_536_000_000 ~= span
    else { throw SettingsError("--\(option): '\(text)' will not do; give \(TimeSpan.spansThatDo), at most 365d") }
    return span
  }
}
