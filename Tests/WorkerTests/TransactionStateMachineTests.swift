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
    // Work after a silence is committed at once.
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

  @Test mutating func whileTheLogIsNotKeptUpWithOneTransactionFollowsTheOther() {
    machine.began(nowMs: 0)
    machine.ended(nowMs: 20)
    #expect(machine.next(nowMs: 20, hasWork: true, isBehind: true) == .begin)
    #expect(machine.next(nowMs: 20, hasWork: true, isBehind: false) == .wait(untilMs: 30))
  }

  @Test mutating func whatATransactionSendsFirstIsGathered() {
    machine.began(nowMs: 1000)
    #expect(machine.next(nowMs: 1019, hasWork: true, isBehind: true) == .wait(untilMs: 1100))
    #expect(machine.next(nowMs: 1020, hasWork: true, isBehind: true) == .send(untilMs: 1100))
    #expect(machine.next(nowMs: 1100, hasWork: true, isBehind: true) == .commit)
  }

  @Test mutating func afterAFailureNothingIsDueUntilItsTransactionIsGivenUp() {
    machine.began(nowMs: 0)
    machine.failed(nowMs: 5)
    #expect(machine.hasFailed && machine.isOpen)
    #expect(machine.next(nowMs: 5000, hasWork: true, isBehind: false) == .wait(untilMs: .max))
    machine.ended(nowMs: 5000)
    #expect(!machine.hasFailed && !machine.isOpen)
    #expect(machine.next(nowMs: 5010, hasWork: true, isBehind: false) == .commit)
  }

  @Test mutating func oneThatNeverBeganLeavesNothingToGiveUp() {
    machine.failed(nowMs: 5)
    #expect(machine.hasFailed && !machine.isOpen)
  }

  @Test mutating func oneThatFailsSoonAfterAnotherIsNotTriedAgainAtOnce() {
    machine.failed(nowMs: 20_000)
    #expect(machine.notBeforeMs <= 20_000)
    machine.failed(nowMs: 29_999)
    #expect(machine.notBeforeMs == 30_499)
    machine.failed(nowMs: 39_999)
    #expect(machine.notBeforeMs <= 39_999, "long after")
  }

  @Test mutating func aProducerThatCouldNotBeMadeIsTriedAgainALittleLater() {
    machine.connectFailed(nowMs: 100)
    #expect(machine.notBeforeMs == 600)
  }
}
