import Glibc
import Platform

/// SIGINT, SIGTERM and SIGHUP, as something to wait for instead of something that interrupts.
///
/// Make it before there are other threads: they inherit that these are blocked.
struct EndSignal {
  private var signals = sigset_t()
  private(set) var hasCome = false
  /// Somebody who sits there pressed Ctrl-C.
  private(set) var isInterrupt = false

  init() {
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    if !Self.isIgnored(SIGHUP) { sigaddset(&signals, SIGHUP) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Leaves a signal ignored that `nohup` ignores: a blocked one would come all the same.
  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// Sleeps, but not past the signal: true once it has come.
  mutating func wait(ms: Int64) -> Bool {
    let end = WallClock.nowMs() + ms
    while !hasCome {
      let left = max(0, end - WallClock.nowMs())
      var time = timespec(tv_sec: Int(left / 1000), tv_nsec: Int(left % 1000) * 1_000_000)
      let signal = sigtimedwait(&signals, nil, &time)
      hasCome = signal > 0
      isInterrupt = signal == SIGINT
      if left == 0 { break }
    }
    return hasCome
  }

  /// Sleeps until it comes.
  mutating func wait() {
    while !wait(ms: 3_600_000) {}
  }
}
