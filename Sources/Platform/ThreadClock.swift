internal import Glibc

/// The CPU time of a thread, for other threads to read.
package struct ThreadClock: Sendable {
  private let clock: clockid_t

  /// The processor time of the thread that asks.
  package init() {
    var clock = clockid_t()
    pthread_getcpuclockid(pthread_self(), &clock)
    self.clock = clock
  }

  /// Nil: it has ended.
  package var seconds: Double? {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return nil }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
