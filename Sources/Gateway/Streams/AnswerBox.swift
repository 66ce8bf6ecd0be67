import HTTP
import Synchronization

/// What another thread has to tell a loop of requests that wait there.
final class AnswerBox<Outcome: Sendable>: Sendable {
  private let events: EventLoop
  private let outcomes = Mutex<[(number: Int, outcome: Outcome)]>([])

  init(_ events: EventLoop) { self.events = events }

  /// Any thread. `number`: which of the loop's requests.
  func put(_ outcome: Outcome, for number: Int) {
    outcomes.withLock { $0.append((number, outcome)) }
    events.wake()
  }

  /// In the loop.
  func take() -> [(number: Int, outcome: Outcome)] {
    outcomes.withLock { outcomes in
      defer { outcomes = [] }
      return outcomes
    }
  }
}
