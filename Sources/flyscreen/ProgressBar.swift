import Glibc
import Platform

/// A line on the terminal behind stderr that tells the progress, drawn over and over; nothing in a pipe.
struct ProgressBar: ~Copyable {
  private let isShown = isatty(STDERR_FILENO) == 1
  private var calls = 0
  private var drawnMs: Int64 = 0
  private var isDrawn = false
  private let beganMs = MonotonicClock.nowMs()

  private static let width = 40
  /// The time after which something is known to take a while.
  private static let patienceMs: Int64 = 500
  private static let everyMs: Int64 = 100

  /// `records` so far, and which part of all that is, from 0 to 1.
  mutating func show(_ records: Int, _ progress: @autoclosure () -> Double) {
    guard isShown else { return }
    calls += 1
    guard calls.isMultiple(of: 256) else { return }
    let now = MonotonicClock.nowMs()
    guard now - beganMs >= Self.patienceMs, now - drawnMs >= Self.everyMs else { return }
    drawnMs = now
    isDrawn = true
    let part = min(1, max(0, progress()))
    let full = Int(part * Double(Self.width))
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
    Self.write("\r\(bar) \(Int(part * 100)) %  \(records) records\u{1b}[K")
  }

  mutating func clear() {
    if isDrawn { Self.write("\r\u{1b}[K") }
    isDrawn = false
  }

  deinit { if isDrawn { Self.write("\r\u{1b}[K") } }

  private static func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
