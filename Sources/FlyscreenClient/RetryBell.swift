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
    let wait = Task { _ = try? await time.sleep(span) }
    let number = state.withLock { state in
      state.count += 1
      state.waits[state.count] = wait
      return state.count
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
