internal import Glibc

/// The time of day. It may jump.
package enum WallClock {
  /// Milliseconds since 1970.
  package static func nowMs() -> Int64 { milliseconds(CLOCK_REALTIME) }
}

/// A clock that only goes forward, for deadlines.
package enum MonotonicClock {
  /// Milliseconds since the machine started.
  package static func nowMs() -> Int64 { milliseconds(CLOCK_MONOTONIC) }
}

private func milliseconds(_ clock: clockid_t) -> Int64 {
  var now = timespec()
  clock_gettime(clock, &now)
  return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
}
