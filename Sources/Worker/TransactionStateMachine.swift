/// When a transaction begins and when it is committed.
///
/// Pure; times are milliseconds of a clock that only moves forward.
package struct TransactionStateMachine {
  package struct Pace: Equatable, Sendable {
    /// From a transaction's begin to its commit, while the log is kept up with, and while it is not.
    package var commitMs: Int64
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
    case commit
  }

  private enum State: Equatable {
    /// Can go on to: open.
    case closed(notBeforeMs: Int64)
    /// Can go on to: closed.
    case open(sinceMs: Int64)
  }

  private let pace: Pace
  private var state = State.closed(notBeforeMs: .min)

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
    case .closed(let notBefore):
      guard hasWork else { return .wait(untilMs: .max) }
      return nowMs >= notBefore ? .begin : .wait(untilMs: notBefore)
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
    state = .closed(notBeforeMs: nowMs + Self.pauseMs)
  }
}
