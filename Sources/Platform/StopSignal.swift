internal import Glibc
internal import Synchronization

/// Asks threads to end; set once, from any thread.
package final class StopSignal: Sendable {
  private let flag = Atomic(false)
  private let actions = Mutex<[@Sendable () -> Void]>([])
  /// A pipe whose writing end is closed once it is set.
  private let reading: Int32
  private let writing: Int32

  package init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "no descriptor is left for a pipe")
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    if !isSet { close(writing) }
    close(reading)
  }

  package var isSet: Bool { flag.load(ordering: .acquiring) }

  package func set() {
    guard !flag.exchange(true, ordering: .acquiringAndReleasing) else { return }
    close(writing)
    for action in actions.withLock({ $0 }) { action() }
  }

  /// Waits until it is set, but no longer than that.
  package func wait(ms: Int64) {
    var poller = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    poll(&poller, 1, Int32(clamping: ms))
  }

  /// Has `action` run once it is set, on the thread that sets it; at once if it is set already. It may run twice.
  package func onSet(_ action: @escaping @Sendable () -> Void) {
    actions.withLock { $0.append(action) }
    if isSet { action() }
  }
}
