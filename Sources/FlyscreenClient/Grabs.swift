import RoomScreen
import Synchronization

/// Grabs of red packets that wait for their answers.
final class Grabs: Sendable {
  struct Wait: Sendable {
    let number: Int
    let answers: AsyncStream<RainResult>
  }

  fileprivate struct Waiting {
    let grab: OutgoingEvent.Grab
    let room: ID
    let eventId: ID
    let continuation: AsyncStream<RainResult>.Continuation
  }

  private struct State {
    var waiting: [Int: Waiting] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  func wait(for grab: OutgoingEvent.Grab, in room: ID, eventId: ID) -> Wait {
    let (answers, continuation) = AsyncStream<RainResult>.makeStream()
    return state.withLock { state in
      state.count += 1
      state.waiting[state.count] = Waiting(grab: grab, room: room, eventId: eventId, continuation: continuation)
      return Wait(number: state.count, answers: answers)
    }
  }

  func forget(_ wait: Wait) { state.withLock { $0.waiting[wait.number] = nil } }

  /// A result of this user's, by whatever way it came.
  func hear(_ result: RainResult) {
    let waiting = state.withLock { $0.waiting.values.filter { $0.isAnswered(by: result) } }
    for one in waiting {
      one.continuation.yield(result)
      one.continuation.finish()
    }
  }
}

extension Grabs.Waiting {
  fileprivate func isAnswered(by result: RainResult) -> Bool {
    eventId == result.eventId
      || room == result.roomId && grab.rainId == result.rainId && grab.packet == result.packet
  }
}
