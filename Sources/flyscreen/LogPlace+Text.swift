import Foundation
import Replay
import RoomModel
import Settings

extension LogPlace {
  /// Reads the text of a flag; nil: it was not given.
  init?(_ text: String?, option: String, nowMs: LogTime, _ zone: TimeZone) throws(SettingsError) {
    guard let text else { return nil }
    if text.hasPrefix("offset:"), let offset = Int64(text.dropFirst(7)), offset >= 0 {
      self = .offset(offset)
    } else if let time = Self.time(text, nowMs, zone) {
      self = .time(time)
    } else {
      throw SettingsError("--\(option): '\(text)' will not do; give offset:17, \(Self.timesThatDo)")
    }
  }

  static let timesThatDo = "a time like 20:31, 20:31+08:00 or 2026-11-21T20:31:00Z, or -15m"

  /// A time of any spelling; nil: it is none.
  static func time(_ text: String, _ nowMs: LogTime, _ zone: TimeZone) -> LogTime? {
    ago(text).map { nowMs - $0 } ?? timeOfDay(text, nowMs, zone) ?? time(text, zone)
  }

  /// `-90s`, `-15m`, `-2h`, `-1d`.
  private static func ago(_ text: String) -> Milliseconds? {
    text.hasPrefix("-") ? TimeSpan.milliseconds(text.dropFirst()) : nil
  }

  /// Whether it is a span before now, or before the end of a file.
  static func isSpan(_ text: String?) -> Bool { text.flatMap(ago) != nil }

  static func isTimeOfDay(_ text: String?) -> Bool { text.flatMap { timeOfDay($0, 0, .gmt) } != nil }

  /// `20:31`, `20:31:02.5`, `20:31+08:00`: the last time that the zone's clocks showed it.
  private static func timeOfDay(_ text: String, _ nowMs: LogTime, _ zone: TimeZone) -> LogTime? {
    if let zoneStart = text.firstIndex(where: { "Z+-".contains($0) }) {
      guard let own = try? TimeZone.given(String(text[zoneStart...])) else { return nil }
      return timeOfDay(String(text[..<zoneStart]), nowMs, own)
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard 2...3 ~= parts.count, 1...2 ~= parts[0].count, parts[1].prefix(2).count == 2 else { return nil }
    let now = Date(timeIntervalSince1970: Double(nowMs) / 1000)
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = zone
    for ago in 0...1 {
      guard let day = calendar.date(byAdding: .day, value: -ago, to: now) else { return nil }
      let date = calendar.dateComponents([.year, .month, .day], from: day)
      let clock = (parts[0].count == 1 ? "0" : "") + text
      guard
        let time = time(
          "\(pad(date.year, 4))-\(pad(date.month, 2))-\(pad(date.day, 2))T\(clock)", zone)
      else { return nil }
      if time <= nowMs { return time }
    }
    return nil
  }

  private static func pad(_ number: Int?, _ count: Int) -> String {
    let text = String(number ?? 0)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  /// ISO 8601, with or without a time of day, seconds and fractions of them.
  private static func time(_ text: String, _ zone: TimeZone) -> LogTime? {
    let parts = text.replacingOccurrences(of: " ", with: "T").split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count <= 2 else { return nil }
    let rest = parts.count == 2 ? parts[1] : "00:00"
    let zoneStart = rest.firstIndex { "Z+-".contains($0) } ?? rest.endIndex
    var (clock, own) = (String(rest[..<zoneStart]), String(rest[zoneStart...]))
    if clock.count == 5 { clock += ":00" }
    // The formatter takes +08:00 and +0800, ISO 8601 has +08 as well.
    if own.count == 3 { own += ":00" }
    for options: ISO8601DateFormatter.Options in [
      .withInternetDateTime, [.withInternetDateTime, .withFractionalSeconds],
    ] {
      let formatter = ISO8601DateFormatter()
      formatter.formatOptions = options
      // Without a zone of its own it is first taken as UTC.
      if let date = formatter.date(from: "\(parts[0])T\(clock)\(own.isEmpty ? "Z" : own)") {
        if own.isEmpty { return LogTime((zone.utc(ofLocal: date).timeIntervalSince1970 * 1000).rounded()) }
        return LogTime((date.timeIntervalSince1970 * 1000).rounded())
      }
    }
    return nil
  }
}

extension TimeZone {
  /// A time zone as people write it: `Asia/Shanghai`, `+08:00`; without one UTC.
  static func given(_ text: String?) throws(SettingsError) -> TimeZone {
    guard let text, text != "UTC", text != "Z" else { return .gmt }
    let digits = text.dropFirst().filter { $0 != ":" }
    if let sign = text.first, "+-".contains(sign), 1...4 ~= digits.count, let number = Int(digits) {
      let seconds = digits.count < 3 ? number * 3600 : number / 100 * 3600 + number % 100 * 60
      if let zone = TimeZone(secondsFromGMT: sign == "-" ? -seconds : seconds) { return zone }
    } else if let zone = TimeZone(identifier: text) {
      return zone
    }
    throw SettingsError("--zone: '\(text)' is no time zone; give one like Asia/Shanghai or +08:00")
  }

  /// The moment at which this zone's clocks show what those of UTC show at `date`.
  fileprivate func utc(ofLocal date: Date) -> Date {
    let first = date.addingTimeInterval(-Double(secondsFromGMT(for: date)))
    return date.addingTimeInterval(-Double(secondsFromGMT(for: first)))
  }
}
