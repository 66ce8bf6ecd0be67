import Testing
import Worker

@Suite struct TransactionStateMachineTests {
  private var machine = TransactionStateMachine(pace: .init(commitMs: 10, catchUpCommitMs: 100))

  @Test mutating func withoutWorkNothingBegins() {
    #expect(machine.next(nowMs: 5, hasWork: false, isBehind: false) == .wait(untilMs: .max))
    machine.began(nowMs: 5)
    machine.ended(nowMs: 9)
    #expect(machine.next(nowMs: 5000, hasWork: false, isBehind: true) == .wait(untilMs: .max))
  }

  @Test mutating func whileTheLogIsKeptUpWithATransactionIsAllOfACommit() {
    // What comes after a silence waits for nothing.
    #expect(machine.next(nowMs: 5, hasWork: true, isBehind: false) == .commit)
    machine.began(nowMs: 5)
    machine.ended(nowMs: 9)
    #expect(machine.next(nowMs: 10, hasWork: true, isBehind: false) == .wait(untilMs: 19))
    #expect(machine.next(nowMs: 19, hasWork: true, isBehind: false) == .commit)
  }

  @Test mutating func commitsComeSoonerWhileTheLogIsKeptUpWith() {
    #expect(machine.next(nowMs: 0, hasWork: true, isBehind: true) == .begin)
    machine.began(nowMs: 0)
    #expect(machine.next(nowMs: 9, hasWork: true, isBehind: false) == .wait(untilMs: 10))
    #expect(machine.next(nowMs: 10, hasWork: true, isBehind: false) == .commit)
    #expect(machine.next(nowMs: 10, hasWork: true, isBehind: true) == .wait(untilMs: 100))
  }

  @Test mutating func theNextTransactionLeavesTheMarkersOfTheLastSomeTime() {
    machine.began(nowMs: 0)
    machine.ended(nowMs: 20)
    #expect(machine.next(nowMs: 21, hasWork: true, isBehind: true) == .wait(untilMs: 23))
    #expect(machine.next(nowMs: 23, hasWork: true, isBehind: true) == .begin)
    var hasty = TransactionStateMachine(pace: .init(commitMs: 1, catchUpCommitMs: 1))
    hasty.began(nowMs: 0)
    hasty.ended(nowMs: 20)
    #expect(hasty.next(nowMs: 22, hasWork: true, isBehind: false) == .wait(untilMs: 23))
  }
}
