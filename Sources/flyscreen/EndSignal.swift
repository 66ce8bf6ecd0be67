import Glibc
import Platform

/// SIGINT and SIGTERM, as something to wait for instead of something that interrupts.
///
/// Make it before there are other threads: they inherit that the two are blocked.
struct EndSignal {
  private var signals = sigset_t()
  private(set) var hasCome = false

  init() {
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Sleeps, but not past the signal: true once it has come.
  mutating func wait(ms: Int64) -> Bool {
    let end = WallClock.nowMs() + ms
    while !hasCome {
      let left = max(0, end - WallClock.nowMs())
      var time = timespec(tv_sec: Int(left / 1000), tv_nsec: Int(left % 1000) * 1_000_000)
      hasCome = sigtimedwait(&signals, nil, &time) > 0
      if left == 0 { break }
    }
    return hasCome
  }

  /// Sleeps until it comes.
  mutating func wait() {
    while !wait(ms: 3_600_000) {}
  }
}
