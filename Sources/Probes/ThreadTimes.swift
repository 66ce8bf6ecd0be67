internal import Platform
internal import Synchronization

/// The CPU time of threads, by what they do.
package final class ThreadTimes: Sendable {
  private let registry: Metrics
  private let clocks = Mutex<[String: (clock: ThreadClock, last: Double)]>([:])

  /// - Parameter names: of the threads that there will be, as far as they are known.
  package init(_ registry: Metrics, _ names: [String] = []) {
    self.registry = registry
    expect(names)
  }

  /// There will be these, too; their series are there from now on.
  package func expect(_ names: [String]) {
    for name in names {
      registry.counter(
        "flyscreen_thread_cpu_seconds_total", "CPU time of a thread, by what it does.", [("thread", name)]
      ) { [weak self] in self?.seconds(of: name) ?? 0 }
    }
  }

  /// The thread that calls this is the one of that name from here on.
  package func begin(_ name: String) {
    let clock = ThreadClock()
    clocks.withLock { $0[name] = (clock, 0) }
  }

  private func seconds(of name: String) -> Double {
    clocks.withLock { clocks in
      guard let seconds = clocks[name]?.clock.seconds else { return clocks[name]?.last ?? 0 }
      clocks[name]?.last = seconds
      return seconds
    }
  }
}
