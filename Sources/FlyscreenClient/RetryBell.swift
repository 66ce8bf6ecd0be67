import Synchronization

/// Ends the waits of streams before their time: somebody knows better, or won't wait.
final class RetryBell: Sendable {
  private struct State {
    var waits: [Int: (task: Task<Void, Never>, isAsked: Bool)] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  /// Returns once the span is over, the bell rings or the task is cancelled.
  ///
  /// - Parameter isAsked: the wait is the server's own wish.
  func wait(_ span: Duration, isAsked: Bool = false, _ time: Timekeeper) async {
    // The wait can be woken before it begins to sleep.
    let (number, wait) = state.withLock { state in
      let wait = Task { _ = try? await time.sleep(span) }
      state.count += 1
      state.waits[state.count] = (wait, isAsked)
      return (state.count, wait)
    }
    await withTaskCancellationHandler {
      await wait.value
    } onCancel: {
      wait.cancel()
    }
    state.withLock { $0.waits[number] = nil }
  }

  /// Ends all waits.
  func ring() {
    for wait in state.withLock({ $0.waits.values }) { wait.task.cancel() }
  }

  /// The gateway has answered something else: for all that wait, unless it asked them to.
  func ringForNews() {
    for wait in state.withLock({ $0.waits.values }) where !wait.isAsked { wait.task.cancel() }
  }
}
