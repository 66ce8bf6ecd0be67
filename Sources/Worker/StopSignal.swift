internal import Glibc
internal import Kafka
import Synchronization

/// Tells all threads of a worker to end; set once, from any thread.
package final class StopSignal: Sendable {
  private let stopped = Atomic(false)
  private let wakers = Mutex<[ConsumerWaker]>([])
  /// A pipe whose writing end is closed once it is set.
  private let reading: Int32
  private let writing: Int32

  package init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "no descriptor is left for a pipe")
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    if !isStopping { close(writing) }
    close(reading)
  }

  package var isStopping: Bool { stopped.load(ordering: .acquiring) }

  package func stop() {
    guard !stopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    close(writing)
    for waker in wakers.withLock({ $0 }) { waker.wake() }
  }

  /// Waits for it, but no longer than that.
  func wait(ms: Int32) {
    var poller = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    poll(&poller, 1, ms)
  }

  /// Whose wait ends when it is told.
  func onStop(_ waker: ConsumerWaker) {
    wakers.withLock { $0.append(waker) }
    if isStopping { waker.wake() }
  }
}
