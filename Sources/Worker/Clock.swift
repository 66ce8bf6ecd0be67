import Glibc

/// The clocks of the machine, in milliseconds. Nothing pure reads them.
enum Clock {
  /// Since 1970.
  static func wallMs() -> Int64 { read(CLOCK_REALTIME) }
  /// Only ever forward.
  static func monotonicMs() -> Int64 { read(CLOCK_MONOTONIC) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }
}
