import Kafka
import Recovery
import RoomModel
import Settings
import Testing
import Wire
import Worker

/// A member's actions when its group gives and takes partitions.
@Suite final class AssignmentTests {
  private let one = TopicPartition("in", 1)
  private let two = TopicPartition("in", 2)
  private var member = Member(
    name: "m",
    layout: TopicLayout(
      input: ["in"], inputPartitions: ["in": 3], commandPartitions: 1, resultPartitions: 1, format: .json),
    settings: LogSettings(), checkpointMs: 500, hashSeed: 1)

  @Test func aPartitionIsRestoredStepByStepAndThenRead() throws {
    #expect(assign([one]) == [.read([:]), .fetchCommitted([one], round: 1)])
    #expect(try fetch([one], replaying: [one]) == [.readLogs([logs(of: one)], round: 1)])
    #expect(try readLogs([one]) == [.replayInput([one: 3..<5], withHeaders: [], round: 1)])
    #expect(running.isEmpty)
    #expect(
      try member.handle(.inputReplayed, round: 1, nowMs: 0)
        == [.stopRestoring, .read([one: 5]), .report(.restored([one], rooms: 0))])
    #expect(running == [one])
  }

  @Test func whatCameBackUnchangedWorksWhileOthersAreRestored() throws {
    try begin([one])
    _ = member.revoked(isLost: false)
    #expect(running.isEmpty)
    _ = assign([one, two])
    #expect(try fetch([one, two]) == [.read([one: 5]), .readLogs([logs(of: two)], round: member.round)])
    #expect(running == [one])
    #expect(
      try readLogs([two]) == [.stopRestoring, .read([one: 5, two: 5]), .report(.restored([two], rooms: 0))])
  }

  @Test func whatIsRestoredTogetherWorksTogether() throws {
    _ = assign([one, two])
    #expect(try fetch([one, two], replaying: [two]) == [.readLogs([logs(of: one), logs(of: two)], round: 1)])
    #expect(try readLogs([one, two]) == [.replayInput([two: 3..<5], withHeaders: [], round: 1)])
    #expect(running.isEmpty)
    _ = try member.handle(.inputReplayed, round: 1, nowMs: 0)
    #expect(running == [one, two])
  }

  @Test func whatIsGivenToAnotherIsForgotten() throws {
    try begin([one, two])
    #expect(member.revoked(isLost: false) == [.stopRestoring, .giveUp])
    #expect(known == [one, two])
    _ = assign([two])
    #expect(known == [two])
  }

  @Test func whatIsLostIsForgottenAtOnce() throws {
    try begin([one])
    #expect(member.revoked(isLost: true) == [.stopRestoring, .giveUp])
    #expect(known.isEmpty)
  }

  @Test func whatWasParkedWhenEverythingIsLostIsForgottenToo() throws {
    try begin([one])
    _ = member.revoked(isLost: false)
    _ = member.revoked(isLost: true)
    #expect(known.isEmpty)
  }

  @Test func aMemberIsSettledOnlyWhileItHasItsPart() throws {
    #expect(!isSettled)
    _ = member.rolledBack()
    #expect(!isSettled)
    _ = assign([])
    #expect(isSettled)
    try begin([one])
    #expect(isSettled)
    _ = member.revoked(isLost: true)
    #expect(!isSettled)
  }

  @Test func answersOfAnOlderRoundAreIgnored() throws {
    _ = assign([one])
    let old = member.round
    _ = member.revoked(isLost: false)
    _ = assign([two])
    #expect(try fetch([one], round: old).isEmpty)
    #expect(try readLogs([one], round: old).isEmpty)
    #expect(try member.handle(.inputReplayed, round: old, nowMs: 0).isEmpty)
  }

  @Test func aRestoreThatWasInterruptedBeginsAgain() throws {
    try begin([one])
    _ = member.rolledBack()
    _ = try fetch([one])
    #expect(member.revoked(isLost: false) == [.stopRestoring, .giveUp])
    _ = assign([one])
    #expect(try fetch([one]) == [.readLogs([logs(of: one)], round: member.round)])
  }

  @Test func afterAFailedTransactionEverythingIsRestored() throws {
    try begin([one, two])
    #expect(
      member.rolledBack() == [.stopRestoring, .read([:]), .fetchCommitted([one, two], round: member.round)])
    #expect(known.isEmpty)
    #expect(
      try fetch([one, two]) == [.readLogs([logs(of: one), logs(of: two)], round: member.round)],
      "what is committed is what it committed, but what is in memory may be more")
  }

  @Test func whatWasParkedIsForgottenWhenATransactionFails() throws {
    try begin([one])
    _ = member.revoked(isLost: false)
    #expect(member.rolledBack() == [.stopRestoring])
    #expect(known.isEmpty)
  }

  // MARK: The member and its answers

  private var running: [TopicPartition] {
    [one, two].filter { member.runningTask(topic: 0, partition: $0.partition) != nil }
  }
  private var known: [TopicPartition] { [one, two].filter { member.task($0) != nil } }
  private var isSettled: Bool { member.isSettled }

  private func assign(_ partitions: [TopicPartition]) -> [Member.Action] { member.assigned(partitions) }

  /// All of them have committed offset 5; those in `replaying` need the input from 3 on.
  private func fetch(_ partitions: [TopicPartition], replaying: [TopicPartition] = [], round: Int? = nil) throws
    -> [Member.Action]
  {
    let committed = partitions.map { partition in
      let point = RestorePoint(
        offset: replaying.contains(partition) ? 3 : 5, clock: 1000, lastOffset: 2, settings: LogSettings(),
        settingsEpoch: 0, journalFrom: 11)
      let metadata = CommitMetadata(
        restorePoint: point, applyFrom: 3, changelogFrom: 7, clock: 1000, lastOffset: 2, commit: "m#1", partitions: 3)
      return Member.Committed(partition: partition, offset: 5, metadata: metadata.text, firstOffset: 0)
    }
    return try member.handle(.committed(committed), round: round ?? member.round, nowMs: 0)
  }

  private func logs(of partition: TopicPartition) -> Member.LogsToRead {
    .init(partition: partition, changelogFrom: 7, journalFrom: 11)
  }

  private func readLogs(_ partitions: [TopicPartition], round: Int? = nil) throws -> [Member.Action] {
    let ends = partitions.map { Member.LogEnds(partition: $0, changelogEnd: 7, journalEnd: 11) }
    return try member.handle(.logsRead(ends), round: round ?? member.round, nowMs: 0)
  }

  private func begin(_ partitions: [TopicPartition]) throws {
    _ = assign(partitions)
    _ = try fetch(partitions)
    _ = try readLogs(partitions)
    #expect(running == partitions)
  }
}
