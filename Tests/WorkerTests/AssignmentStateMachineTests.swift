import Kafka
import Testing
import Worker

@Suite struct AssignmentStateMachineTests {
  private let one = TopicPartition("in", 1)
  private let two = TopicPartition("in", 2)

  @Test func aPartitionIsRestoredStepByStepAndThenRead() {
    var machine = AssignmentStateMachine()
    #expect(machine.assigned([one]) == [.read([]), .fetchCommitted([one], round: 1)])
    #expect(machine.committedFetched(unchanged: [], round: 1) == [.forget([one]), .readLogs([one], round: 1)])
    #expect(machine.logsRead(replaying: [one], round: 1) == [.replayInput([one], round: 1)])
    #expect(!machine.isRunning(one))
    #expect(machine.inputReplayed(round: 1) == [.stopRestoring, .run([one]), .read([one])])
    #expect(machine.isRunning(one))
  }

  @Test func whatCameBackUnchangedWorksWhileOthersAreRestored() {
    var machine = running([one])
    _ = machine.revoked(isLost: false)
    #expect(!machine.isRunning(one))
    _ = machine.assigned([one, two])
    #expect(
      machine.committedFetched(unchanged: [one], round: machine.round) == [
        .forget([two]), .read([one]), .run([one]), .readLogs([two], round: machine.round),
      ])
    #expect(machine.isRunning(one))
    #expect(
      machine.logsRead(replaying: [], round: machine.round) == [.stopRestoring, .run([two]), .read([one, two])])
  }

  @Test func whatIsGivenToAnotherIsForgotten() {
    var machine = running([one, two])
    #expect(machine.revoked(isLost: false) == [.stopRestoring, .giveUp])
    #expect(machine.assigned([two]).first == .forget([one]))
  }

  @Test func whatIsLostIsForgottenAtOnce() {
    var machine = running([one])
    #expect(machine.revoked(isLost: true) == [.stopRestoring, .forget([one]), .giveUp])
  }

  @Test func aMemberIsSettledOnlyWhileItHasItsPart() {
    var machine = AssignmentStateMachine()
    #expect(!machine.isSettled)
    _ = machine.rolledBack()
    #expect(!machine.isSettled)
    _ = machine.assigned([])
    #expect(machine.isSettled)
    machine = running([one])
    #expect(machine.isSettled)
    _ = machine.revoked(isLost: true)
    #expect(!machine.isSettled)
  }

  @Test func answersOfAnOlderRoundAreIgnored() {
    var machine = AssignmentStateMachine()
    _ = machine.assigned([one])
    let old = machine.round
    _ = machine.revoked(isLost: false)
    _ = machine.assigned([two])
    #expect(machine.committedFetched(unchanged: [], round: old).isEmpty)
    #expect(machine.logsRead(replaying: [], round: old).isEmpty)
    #expect(machine.inputReplayed(round: old).isEmpty)
  }

  @Test func aRestoreThatWasInterruptedBeginsAgain() {
    var machine = AssignmentStateMachine()
    _ = machine.assigned([one])
    _ = machine.committedFetched(unchanged: [], round: 1)
    #expect(machine.revoked(isLost: false) == [.stopRestoring, .forget([one]), .giveUp])
  }

  @Test func afterAFailedTransactionEverythingIsRestored() {
    var machine = running([one, two])
    #expect(
      machine.rolledBack() == [
        .stopRestoring, .forget([one, two]), .read([]), .fetchCommitted([one, two], round: machine.round),
      ])
    #expect(!machine.isRunning(one))
  }

  private func running(_ partitions: [TopicPartition]) -> AssignmentStateMachine {
    var machine = AssignmentStateMachine()
    _ = machine.assigned(partitions)
    _ = machine.committedFetched(unchanged: [], round: machine.round)
    _ = machine.logsRead(replaying: [], round: machine.round)
    return machine
  }
}

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
