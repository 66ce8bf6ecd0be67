/// Decides when a transaction begins, when it is committed, and how long to wait after one that failed.
///
/// A member that keeps up with the log opens a transaction only for its commit: it gathers the output in between, then
/// sends and commits it in one go, so that few requests are needed. A member that is behind begins the transaction
/// before its commit, so that the member and the broker work at the same time. In its first 20 ms it sends nothing:
/// partitions that are new to a transaction cost a request each time, and librdkafka 2.0.2 a millisecond of CPU besides
/// (its main thread asks for the time without a pause while less than that is left of a timer), so they had better come
/// together.
///
/// Pure; times are milliseconds of a clock that only moves forward.
package struct TransactionStateMachine {
  package struct Pace: Equatable, Sendable {
    /// Between a transaction's end and the next one, while the member keeps up with the log.
    package var commitMs: Int64
    /// From a transaction's begin to its commit, while the member is behind.
    package var catchUpCommitMs: Int64

    package init(commitMs: Int64, catchUpCommitMs: Int64) {
      self.commitMs = commitMs
      self.catchUpCommitMs = catchUpCommitMs
    }
  }

  package enum Step: Equatable {
    /// Nothing until then, unless more work comes.
    case wait(untilMs: Int64)
    case begin
    /// Sends what there is. Then as `wait`.
    case send(untilMs: Int64)
    /// Begins it, too, if it is not open.
    case commit
  }

  private enum State: Equatable {
    /// Can go on to: open, failed.
    case closed(sinceMs: Int64)
    /// Can go on to: closed, failed.
    case open(sinceMs: Int64)
    /// A transaction failed, or its end is unknown: everything goes back to the committed state. Can go on to: closed.
    case failed(isOpen: Bool)
  }

  private let pace: Pace
  private var state = State.closed(sinceMs: .min / 2)

  /// The time until which no producer is made, and nothing is restored for another transaction to fail at.
  package private(set) var notBeforeMs: Int64 = 0
  /// The time of the last failure; long ago: none.
  private var failedAtMs = Int64.min / 2

  /// From a transaction's begin to what it sends first, unless it is committed before.
  private static let gatherMs: Int64 = 20
  private static let retryMs: Int64 = 500
  /// A second failure this soon is not retried at once.
  private static let soonMs: Int64 = 10_000

  package init(pace: Pace) {
    self.pace = pace
  }

  package var isOpen: Bool {
    switch state {
    case .open, .failed(isOpen: true): true
    case .closed, .failed(isOpen: false): false
    }
  }

  package var hasFailed: Bool { if case .failed = state { true } else { false } }

  /// - Parameters:
  ///   - hasWork: Something has to be committed.
  ///   - isBehind: There is more to be read at once.
  package func next(nowMs: Int64, hasWork: Bool, isBehind: Bool) -> Step {
    switch state {
    case .closed(let since):
      guard hasWork else { return .wait(untilMs: .max) }
      let due = isBehind ? since : since + pace.commitMs
      if nowMs < due { return .wait(untilMs: due) }
      return isBehind ? .begin : .commit
    case .open(let since):
      let due = since + (isBehind ? pace.catchUpCommitMs : pace.commitMs)
      if nowMs >= due { return .commit }
      return nowMs >= since + Self.gatherMs ? .send(untilMs: due) : .wait(untilMs: due)
    case .failed:
      return .wait(untilMs: .max)
    }
  }

  package mutating func began(nowMs: Int64) {
    precondition(!isOpen, "a transaction begins after the last one has ended")
    state = .open(sinceMs: nowMs)
  }

  /// It was committed, or given up.
  package mutating func ended(nowMs: Int64) {
    state = .closed(sinceMs: nowMs)
  }

  package mutating func failed(nowMs: Int64) {
    state = .failed(isOpen: isOpen)
    if nowMs - failedAtMs < Self.soonMs { notBeforeMs = nowMs + Self.retryMs }
    failedAtMs = nowMs
  }

  /// There is no producer to begin one with.
  package mutating func connectFailed(nowMs: Int64) {
    notBeforeMs = nowMs + Self.retryMs
  }
}
