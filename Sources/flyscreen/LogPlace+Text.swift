import Foundation
import Replay
import RoomModel
import Settings

extension LogPlace {
  /// As people write it; nil: they didn't.
  init?(_ text: String?, option: String, nowMs: LogTime) throws(SettingsError) {
    guard let text else { return nil }
    if text.hasPrefix("offset:"), let offset = Int64(text.dropFirst(7)), offset >= 0 {
      self = .offset(offset)
    } else if let ago = Self.ago(text) {
      self = .time(nowMs - ago)
    } else if let time = Self.time(text) {
      self = .time(time)
    } else {
      throw SettingsError(
        "--\(option): '\(text)' will not do; give offset:17, a time like 2026-11-21T20:31:00Z, or -15m")
    }
  }

  /// `-90s`, `-15m`, `-2h`, `-1d`.
  private static func ago(_ text: String) -> Milliseconds? {
    let units: [Character: Int64] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard text.hasPrefix("-"), let unit = text.last.flatMap({ units[$0] }),
      let number = Int64(text.dropFirst().dropLast()), 0...1_000_000 ~= number
    else { return nil }
    return number * unit
  }

  /// ISO 8601, with or without a time of day, seconds and fractions of them; without a zone it is UTC.
  private static func time(_ text: String) -> LogTime? {
    let parts = text.replacingOccurrences(of: " ", with: "T").split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count <= 2 else { return nil }
    let rest = parts.count == 2 ? parts[1] : "00:00"
    let zoneStart = rest.firstIndex { "Z+-".contains($0) } ?? rest.endIndex
    var (clock, zone) = (String(rest[..<zoneStart]), String(rest[zoneStart...]))
    if clock.count == 5 { clock += ":00" }
    if zone.isEmpty { zone = "Z" }
    // The formatter takes +08:00 and +0800, ISO 8601 has +08 as well.
    if zone.count == 3 { zone += ":00" }
    for options: ISO8601DateFormatter.Options in [
      .withInternetDateTime, [.withInternetDateTime, .withFractionalSeconds],
    ] {
      let formatter = ISO8601DateFormatter()
      formatter.formatOptions = options
      if let date = formatter.date(from: "\(parts[0])T\(clock)\(zone)") {
        return LogTime((date.timeIntervalSince1970 * 1000).rounded())
      }
    }
    return nil
  }
}
