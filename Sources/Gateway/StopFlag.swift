import Glibc
import Kafka
import Synchronization

/// Tells threads that wait for Kafka to end; set once, from any thread.
final class StopFlag: Sendable {
  private let flag = Atomic(false)
  private let wakers = Mutex<[ConsumerWaker]>([])
  /// A pipe whose writing end is closed once it is set.
  private let reading: Int32
  private let writing: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "no descriptor is left for a pipe")
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    if !isSet { close(writing) }
    close(reading)
  }

  var isSet: Bool { flag.load(ordering: .acquiring) }

  func set() {
    guard !flag.exchange(true, ordering: .acquiringAndReleasing) else { return }
    close(writing)
    for waker in wakers.withLock({ $0 }) { waker.wake() }
  }

  /// Waits for it, but no longer than that.
  func wait(ms: Int64) {
    var poller = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    poll(&poller, 1, Int32(ms))
  }

  /// Whose wait ends when it is set.
  func onSet(_ waker: ConsumerWaker) {
    wakers.withLock { $0.append(waker) }
    if isSet { waker.wake() }
  }
}

enum WallClock {
  /// Milliseconds since 1970.
  static func nowMs() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }
}
