/// When a transaction begins and when it is committed.
///
/// While the log is kept up with, a transaction is all of a commit: what comes in between is gathered, and then sent
/// and committed in one go, so that it takes few requests, and none that waits for what the broker still has to do
/// for the last one. While it is not, the transaction begins before its commit, so that both ends have something to do.
///
/// Pure; times are milliseconds of a clock that only moves forward.
package struct TransactionStateMachine {
  package struct Pace: Equatable, Sendable {
    /// Between a transaction's end and the next one, while the log is kept up with.
    package var commitMs: Int64
    /// From a transaction's begin to its commit, while it is not.
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
    /// Begins it, too, if it is not open.
    case commit
  }

  private enum State: Equatable {
    /// Can go on to: open.
    case closed(sinceMs: Int64)
    /// Can go on to: closed.
    case open(sinceMs: Int64)
  }

  private let pace: Pace
  private var state = State.closed(sinceMs: .min / 2)

  /// A broker refuses the first partition of a transaction until the markers of the last one are written, and
  /// librdkafka asks again after 20 ms; beginning a little later mostly spares that wait. How much later a broker needs
  /// depends on the broker.
  private static let pauseMs: Int64 = 3

  package init(pace: Pace) {
    self.pace = pace
  }

  package var isOpen: Bool { if case .open = state { true } else { false } }

  /// - Parameters:
  ///   - hasWork: Something has to be committed.
  ///   - isBehind: There is more to be read at once.
  package func next(nowMs: Int64, hasWork: Bool, isBehind: Bool) -> Step {
    switch state {
    case .closed(let since):
      guard hasWork else { return .wait(untilMs: .max) }
      let due = since + (isBehind ? Self.pauseMs : max(Self.pauseMs, pace.commitMs))
      if nowMs < due { return .wait(untilMs: due) }
      return isBehind ? .begin : .commit
    case .open(let since):
      let due = since + (isBehind ? pace.catchUpCommitMs : pace.commitMs)
      return nowMs >= due ? .commit : .wait(untilMs: due)
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
}
