import Synchronization

/// Ends the waits of streams before their time: somebody knows better, or won't wait.
final class RetryBell: Sendable {
  private struct State {
    var waits: [Int: Task<Void, Never>] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  /// Returns once the span is over, the bell rings or the task is cancelled.
  func wait(_ span: Duration, _ time: Timekeeper) async {
    // It sleeps no sooner than it can be woken.
    let (number, wait) = state.withLock { state in
      let wait = Task { _ = try? await time.sleep(span) }
      state.count += 1
      state.waits[state.count] = wait
      return (state.count, wait)
    }
    await withTaskCancellationHandler {
      await wait.value
    } onCancel: {
      wait.cancel()
    }
    state.withLock { $0.waits[number] = nil }
  }

  func ring() {
    for wait in state.withLock({ $0.waits.values }) { wait.cancel() }
  }
}
