/// The place where a group begins in an input topic of which it has committed nothing.
package enum GroupBegin: Equatable, Sendable {
  case beginning
  case end
  /// The first record of that time or later; milliseconds since 1970, and how it was written.
  case time(Int64, as: String)

  /// `beginning`, `end`, or a time as in `2026-11-21T20:31:00Z`; nil: none of these.
  package init?(_ text: String) {
    switch text {
    case "beginning": self = .beginning
    case "end": self = .end
    default:
      guard let time = Self.time(text) else { return nil }
      self = .time(time, as: text)
    }
  }

  /// The text that `init` takes.
  package var text: String {
    switch self {
    case .beginning: "beginning"
    case .end: "end"
    case .time(_, let text): text
    }
  }

  private static func time(_ text: String) -> Int64? {
    guard let match = text.wholeMatch(of: #/(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?Z/#),
      let year = Int64(match.1), let month = Int64(match.2), let day = Int64(match.3), let hour = Int64(match.4),
      let minute = Int64(match.5), let second = Int64(match.6 ?? "0"),
      (1970...9999).contains(year), (1...12).contains(month), day > 0, day <= length(of: month, in: year),
      hour < 24, minute < 60, second < 60
    else { return nil }
    // Days since 1970, in years that begin with March.
    let (shifted, fromMarch) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    let days =
      365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + (153 * fromMarch + 2) / 5 + day - 1 - 719_468
    return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000
  }

  /// Days.
  private static func length(of month: Int64, in year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
