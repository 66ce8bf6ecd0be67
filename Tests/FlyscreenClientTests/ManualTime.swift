import FlyscreenClient
import Foundation
import Synchronization

/// Time that passes when a test says so.
final class ManualTime: Sendable {
  private struct Sleeper {
    let id: Int
    let span: Duration
    let until: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Duration.zero
    var count = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var backoffs: Int { sleepers.count { ManualTime.backoff.contains($0.span) } }
    /// Tests that wait for one to fall asleep for so long.
    var watchers: [(spans: ClosedRange<Duration>, bell: AsyncStream<Void>.Continuation)] = []
  }

  /// The calendar's time when nothing has passed.
  static let start = Date(timeIntervalSince1970: 1_700_000_000)

  private let state = Mutex(State())

  /// All that is left to chance takes the longest.
  var timekeeper: Timekeeper {
    Timekeeper(
      now: { self.state.withLock { $0.now } },
      date: { Self.start + self.state.withLock { $0.now } / .seconds(1) },
      sleep: { try await self.sleep(for: $0) }, chance: { 1 })
  }

  func advance(by span: Duration) {
    let woken = state.withLock { state in
      state.now += span
      let woken = state.sleepers.filter { $0.until <= state.now }
      state.sleepers.removeAll { $0.until <= state.now }
      return woken
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Lets a stream wait to its end before it is opened again, or a command for its time; returns once it did. (None of
  /// these tests has such a wait as long as a silence.)
  func passBackoff() async { await pass(Self.backoff) }

  /// The same for a wait of exactly this span.
  func passWait(of span: Duration) async { await pass(span...span) }

  /// Returns once there is such a wait.
  func waitForWait(of span: Duration) async { await waitForSleeper(span...span) }

  /// The same for the watch over silence.
  func passSilence() async { await pass(Self.silence) }

  /// Lets a token be renewed: it has forty seconds left.
  func passRenewal() async { await pass(.seconds(25) ... .seconds(40)) }

  /// Returns once a stream waits before it is opened again.
  func waitForBackoff() async { await waitForSleeper(Self.backoff) }

  /// The number of those that wait before they try again.
  var backoffs: Int { state.withLock { $0.backoffs } }

  /// How long they still wait, the shortest first.
  var backoffsLeft: [Duration] {
    state.withLock { state in
      state.sleepers.filter { Self.backoff.contains($0.span) }.map { $0.until - state.now }.sorted()
    }
  }

  /// Returns once `count` wait.
  func waitForBackoffs(_ count: Int) async {
    while true {
      let (rung, bell) = AsyncStream<Void>.makeStream()
      let isThere = state.withLock { state in
        if state.backoffs < count { state.watchers.append((Self.backoff, bell)) }
        return state.backoffs >= count
      }
      if isThere { return }
      for await _ in rung {}
    }
  }

  /// Returns once the watch over silence waits.
  func waitForSilence() async { await waitForSleeper(Self.silence) }

  private static let backoff: ClosedRange<Duration> = .zero ... .milliseconds(14_999)
  private static let silence: ClosedRange<Duration> = .seconds(15) ... .seconds(60)

  private func pass(_ spans: ClosedRange<Duration>) async {
    await waitForSleeper(spans)
    let span = state.withLock { state in
      state.sleepers.filter { spans.contains($0.span) }.map { $0.until - state.now }.min()
    }
    if let span { advance(by: span) }
  }

  private func waitForSleeper(_ spans: ClosedRange<Duration>) async {
    let (rung, bell) = AsyncStream<Void>.makeStream()
    state.withLock { state in
      if state.sleepers.contains(where: { spans.contains($0.span) }) {
        bell.finish()
      } else {
        state.watchers.append((spans, bell))
      }
    }
    for await _ in rung {}
  }

  private func sleep(for span: Duration) async throws {
    let id = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isOver, watchers) = state.withLock { state -> (Bool, [AsyncStream<Void>.Continuation]) in
          if state.cancelled.contains(id) { return (true, []) }
          state.sleepers.append(Sleeper(id: id, span: span, until: state.now + span, continuation: continuation))
          defer { state.watchers.removeAll { $0.spans.contains(span) } }
          return (false, state.watchers.filter { $0.spans.contains(span) }.map(\.bell))
        }
        if isOver { continuation.resume(throwing: CancellationError()) }
        for watcher in watchers { watcher.finish() }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        state.cancelled.insert(id)
        let sleeper = state.sleepers.first { $0.id == id }
        state.sleepers.removeAll { $0.id == id }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
