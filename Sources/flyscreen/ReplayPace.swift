import Glibc
import Platform
import Replay
import RoomModel

/// Lets the time of a log pass as it passed then, or some times as fast.
struct ReplayPace {
  private let speed: Int64
  /// A point in log time, and on the monotonic clock.
  private var began: (logTime: LogTime, nowMs: Int64)?

  /// A frame of a screen.
  private static let stepMs: Int64 = 16

  init(speed: Int64) { self.speed = speed }

  /// Waits a little if the line's time has not come, and returns up to when timers may fire meanwhile; nil: it has.
  mutating func wait(for line: LogLine) -> LogTime? {
    let time: LogTime
    switch line.content {
    case .record(let record): time = record.timestampMs
    case .firedTo(let firedTo, _): time = firedTo
    case .settings, .state, .doubt: return nil
    }
    let now = MonotonicClock.nowMs()
    guard let began else {
      self.began = (time, now)
      return nil
    }
    let left = max(0, time - began.logTime) / speed - (now - began.nowMs)
    guard left > 0 else { return nil }
    usleep(UInt32(min(left, Self.stepMs)) * 1000)
    return min(time - 1, began.logTime + (MonotonicClock.nowMs() - began.nowMs) * speed)
  }
}
