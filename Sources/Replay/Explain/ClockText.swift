package import RoomModel
import RoomScreen

/// The time zone in which log times are told.
package struct ShownZone: Sendable {
  /// The text that follows a time: `UTC`, `+08:00`, `Asia/Shanghai`.
  package let name: String
  /// The offset from UTC at a time.
  private let offsetMs: @Sendable (LogTime) -> Milliseconds

  package init(name: String, offsetMs: @escaping @Sendable (LogTime) -> Milliseconds) {
    self.name = name
    self.offsetMs = offsetMs
  }

  package static let utc = ShownZone(name: "UTC") { _ in 0 }
  @TaskLocal package static var current = ShownZone.utc

  fileprivate func shown(_ time: LogTime) -> LogTime { time &+ offsetMs(time) }
}

/// Log times as people read them, in the zone that is set.
extension LogTime {
  /// `20:31:02.550`.
  package var clock: String { ShownZone.current.shown(self).clockOfDay }

  /// `2026-11-21 20:31:02.550 UTC`.
  package var dateAndClock: String {
    let zone = ShownZone.current
    return "\(zone.shown(self).date) \(zone.name)"
  }

  private var clockOfDay: String {
    let ms = self % Self.day < 0 ? self % Self.day + Self.day : self % Self.day
    return "\((ms / 3_600_000).digits(2)):\((ms / 60_000 % 60).digits(2)):\((ms / 1000 % 60).digits(2))"
      + ".\((ms % 1000).digits(3))"
  }

  private var date: String {
    // Years of 400 begin on a March 1st, so that February's end is the end of a year.
    let days = (self >= 0 ? self / Self.day : (self + 1) / Self.day - 1) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
    return "\(year.digits(4))-\((month < 10 ? month + 3 : month - 9).digits(2))-"
      + "\((dayOfYear - (153 * month + 2) / 5 + 1).digits(2)) \(clockOfDay)"
  }

  private static var day: Milliseconds { 86_400_000 }

  private func digits(_ count: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: Swift.max(0, count - text.utf8.count)) + text
  }
}

extension String {
  /// On one line, with what would move a terminal's cursor escaped.
  package var printable: String { onOneLine }
}
