import Kafka
import Recovery
import Settings
import Testing
import Wire
import Worker

@Suite final class MemberTests {
  private let partition = TopicPartition("in", 0)
  private let layout = TopicLayout(
    input: ["in"], inputPartitions: ["in": 2], commandPartitions: 1, resultPartitions: 1, format: .json)
  private var member: Member

  init() {
    member = Member(name: "m", layout: layout, settings: LogSettings(), checkpointMs: 500, hashSeed: 1)
  }

  /// Otherwise timers would fire by the wall clock before records that came while no member read.
  @Test func aPartitionThatIsReadAnewIsNotAtItsEndUntilThatIsTold() throws {
    try begin()
    process(offset: 0)
    commit()
    let task = member.task(partition)!
    task.reachedEnd(at: 1)
    #expect(task.isAtEnd)
    _ = member.revoked(isLost: false)
    _ = member.assigned([partition])
    let actions = try member.handle(.committed([committed]), round: member.round, nowMs: 0)
    #expect(actions == [.read([partition: 1])])
    let kept = member.task(partition)
    #expect(kept === task, "it goes on from memory")
    #expect(!task.isAtEnd)
  }

  /// The same offset with other metadata: only timers have fired.
  @Test(arguments: [true, false])
  func whatAnotherHasCommittedMeanwhileIsRestored(isSameOffset: Bool) throws {
    try begin()
    process(offset: 0)
    commit()
    _ = member.revoked(isLost: false)
    _ = member.assigned([partition])
    var other = committed
    if isSameOffset {
      var metadata = try CommitMetadata(text: other.metadata!)
      metadata.commit = "another"
      other.metadata = metadata.text
    } else {
      other.offset! += 1
    }
    let actions = try member.handle(.committed([other]), round: member.round, nowMs: 0)
    #expect(actions.contains { if case .readLogs = $0 { true } else { false } })
    #expect(!actions.contains { if case .read = $0 { true } else { false } })
  }

  @Test func aPartitionThatAnotherMemberHasNowIsNotKeptInMemory() throws {
    try begin()
    _ = member.revoked(isLost: false)
    _ = member.assigned([Self.other])
    let kept = member.task(partition)
    #expect(kept == nil)
  }

  @Test func whatWasCountedStaysCountedWhenPartitionsGoAndComeBack() throws {
    try begin()
    process(offset: 0)
    process(offset: 1)
    let before = member.counts
    #expect(before.records == 2 && before.deadLetters == 2)
    _ = member.rolledBack()
    let away = member.counts
    try restore()
    let back = member.counts
    #expect(away == before && back == before)
    process(offset: 0)
    let after = member.counts
    #expect(after.records == 3)
  }

  private static let other = TopicPartition("in", 1)

  /// Something else than a worker committed it; workers had come as far as `reached`.
  private static func foreign(_ offset: Int64, reached: Int64?) -> Member.Committed {
    var found = Member.Committed(partition: TopicPartition("in", 0), offset: offset, metadata: "", firstOffset: 0)
    found.reachedOffset = reached
    return found
  }

  @Test(arguments: [[], ["in/0@1199"], ["in/1@1200"]])
  func aPartitionThatWasSetBackRestsWhileOthersGoOn(rewind: [String]) throws {
    member = Member(
      name: "m", layout: layout, settings: LogSettings(), checkpointMs: 500, hashSeed: 1, rewind: rewind)
    _ = member.assigned([partition, Self.other])
    let other = Member.Committed(partition: Self.other, offset: nil, metadata: nil, firstOffset: 0)
    let actions = try member.handle(
      .committed([Self.foreign(1200, reached: 31_200), other]), round: member.round, nowMs: 0)
    let setBack = Member.SetBack(partition: partition, from: 31_200, to: 1200)
    #expect(actions.contains(.report(.setBack(setBack))))
    let reads = actions.compactMap { if case .readLogs(let reads, _) = $0 { reads.map(\.partition) } else { nil } }
    #expect(reads == [[Self.other]])
    _ = try member.handle(
      .logsRead([.init(partition: Self.other, changelogEnd: 0, journalEnd: 0)]), round: member.round, nowMs: 0)
    let (resting, settled, phase) = (member.resting, member.isSettled, member.phases[partition])
    #expect(resting == [setBack] && settled && phase == .resting)
    #expect(setBack.text.contains("30000 records") && setBack.text.contains("in/0@1200"))
    // Anything that sends the member back makes it ask again.
    let again = member.rolledBack()
    let round = member.round
    #expect(again.contains(.fetchCommitted([partition, Self.other], round: round)))
  }

  /// Named, or far enough, or with nothing that tells how far workers had come.
  @Test(
    arguments: [
      (["in/0@1200"], 1200, 31_200), (["follow"], 0, 31_200), ([], 31_200, 31_200), ([], 40_000, 31_200), ([], 5, nil),
    ] as [([String], Int64, Int64?)])
  func whatIsMeantOrSetsNothingBackGoesOn(rewind: [String], offset: Int64, reached: Int64?) throws {
    member = Member(
      name: "m", layout: layout, settings: LogSettings(), checkpointMs: 500, hashSeed: 1, rewind: rewind)
    _ = member.assigned([partition])
    let actions = try member.handle(.committed([Self.foreign(offset, reached: reached)]), round: member.round, nowMs: 0)
    #expect(actions.contains(.report(.restarted(partition, offset: offset))))
    let isSkip = reached.map { offset > $0 } == true
    #expect(actions.contains(.report(.skipped(partition, from: reached ?? 0, to: offset))) == isSkip)
    let resting = member.resting
    #expect(resting.isEmpty)
  }

  /// What mirrors a cluster may take the metadata of its commits along.
  @Test func aCommitWithTheMetadataOfAnotherLogIsNoWorkers() {
    let metadata = CommitMetadata.nothing(before: 1200, partitions: 2, clock: 0, lastOffset: 1199).text
    let all = [1199, 1200, 1201].map {
      Member.Committed(partition: partition, offset: $0, metadata: metadata, firstOffset: 0)
    }
    #expect(all.map(\.isForeign) == [true, false, false])
  }

  /// Its last records are lost, or a broker doesn't know of them yet.
  @Test func aPartitionThatEndsBeforeItsCommitWaitsWhileOthersGoOn() throws {
    _ = member.assigned([partition, Self.other])
    let short = Member.Committed(partition: partition, offset: 1000, metadata: "", firstOffset: 0, end: 999)
    let whole = Member.Committed(partition: Self.other, offset: nil, metadata: nil, firstOffset: 0, end: 0)
    let round = member.round
    let actions = try member.handle(.committed([short, whole]), round: round, nowMs: 0)
    #expect(actions.contains(.report(.cutShort(partition, offset: 1000, end: 999))))
    #expect(actions.contains(.fetchLater([partition], round: round)))
    let reads = actions.compactMap { if case .readLogs(let reads, _) = $0 { reads.map(\.partition) } else { nil } }
    #expect(reads == [[Self.other]])
    var again = short
    again.end = 1000
    let more = try member.handle(.committed([again]), round: round, nowMs: 0)
    #expect(more.contains { if case .readLogs = $0 { true } else { false } })
  }

  @Test func aPartitionThatCameWhileItWorksIsWorkedOnFromItsBeginning() throws {
    let new = TopicPartition("in", 2)
    var layout = layout
    layout.inputPartitions["in"] = 3
    _ = member.assigned([new])
    member.grow(to: layout)
    let found = Member.Committed(partition: new, offset: nil, metadata: nil, firstOffset: 0)
    _ = try member.handle(.committed([found]), round: member.round, nowMs: 0)
    let end = Member.LogEnds(partition: new, changelogEnd: 0, journalEnd: 0)
    let actions = try member.handle(
      .logsRead([end]), round: member.round, nowMs: 0)
    #expect(actions.contains(.read([new: 0])))
    #expect(member.runningTask(topic: 0, partition: 2) != nil)
  }

  /// A broker that has not heard yet that the topic has grown must not make rooms begin anew.
  @Test func whatWasCommittedWithMorePartitionsThanAreKnownIsAskedForAgain() throws {
    try begin()
    process(offset: 0)
    let commit = member.prepareCommit(nowMs: 0).offsets[0]
    var metadata = try CommitMetadata(text: commit.metadata)
    metadata.partitions = 3
    let text = metadata.text
    _ = member.rolledBack()
    let found = Member.Committed(partition: partition, offset: commit.offset, metadata: text, firstOffset: 0)
    #expect(
      try member.handle(.committed([found]), round: member.round, nowMs: 0) == [
        .fetchLater([partition], round: member.round), .report(.stale(topic: "in", partitions: 2, were: 3)),
      ])
    var layout = layout
    layout.inputPartitions["in"] = 3
    member.grow(to: layout)
    let actions = try member.handle(.committed([found]), round: member.round, nowMs: 0)
    #expect(actions.count == 1)
    guard case .readLogs = actions.first else { return #expect(Bool(false), "it is restored") }
  }

  @Test func commitsTellHowManyPartitionsThereAreNow() throws {
    try begin()
    process(offset: 0)
    var layout = layout
    layout.inputPartitions["in"] = 3
    member.grow(to: layout)
    let commit = member.prepareCommit(nowMs: 0).offsets[0]
    #expect(try CommitMetadata(text: commit.metadata).partitions == 3)
  }

  /// After a silence longer than the input is kept, no record is left to be replayed.
  @Test func aPartitionWhoseRecordsAreAllGoneIsRestoredFromItsRooms() throws {
    try begin()
    for (offset, timestampMs) in [(0, 1000), (1, 1500)] as [(Int64, Int64)] {
      process(offset: offset, timestampMs: timestampMs)
      commit()
    }
    _ = member.rolledBack()
    firstOffset = 2
    let actions = try restore()
    #expect(actions == [.stopRestoring, .read([partition: 2]), .report(.restored([partition], rooms: 0))])
    #expect(member.task(partition)!.clock == 1500)
  }

  /// It counts once, over tries that fail and over restarts; and the rooms miss nothing of what comes then.
  @Test func whatWasDeletedBeforeItWasReadIsToldOnce() throws {
    try begin()
    process(offset: 0)
    commit()
    _ = member.rolledBack()
    firstOffset = 5
    let lost = Member.Action.report(.lost(partition, from: 1, to: 5))
    let first = try member.handle(.committed([committed]), round: member.round, nowMs: 0)
    #expect(first.contains(lost))
    _ = member.rolledBack()
    let second = try member.handle(.committed([committed]), round: member.round, nowMs: 0)
    #expect(!second.contains(lost))
    _ = member.rolledBack()
    try restore()
    let (hasWork, next) = (member.hasWork(nowMs: 0), member.task(partition)!.nextOffset)
    #expect(hasWork && next == 5)
    commit()
    #expect(last?.offset == 5)

    process(offset: 5, timestampMs: 2000)
    commit()
    member = Member(name: "m2", layout: layout, settings: LogSettings(), checkpointMs: 500, hashSeed: 1)
    _ = member.assigned([partition])
    let third = try restoreReplaying(5..<6)
    #expect(!third.contains { if case .report(.lost) = $0 { true } else { false } })
    #expect(!third.contains { if case .report(.inexact) = $0 { true } else { false } })
  }

  // MARK: Its partition

  private var firstOffset: Int64 = 0

  private var last: Member.Commit.Offset?

  private var committed: Member.Committed {
    .init(partition: partition, offset: last?.offset, metadata: last?.metadata, firstOffset: firstOffset)
  }

  private func begin() throws {
    _ = member.assigned([partition])
    try restore()
  }

  @discardableResult private func restore() throws -> [Member.Action] {
    let round = member.round
    _ = try member.handle(.committed([committed]), round: round, nowMs: 0)
    let actions = try member.handle(
      .logsRead([.init(partition: partition, changelogEnd: 0, journalEnd: 0)]), round: round, nowMs: 0)
    let task = member.runningTask(topic: 0, partition: 0)
    #expect(task != nil)
    return actions
  }

  /// The same of one that reads on in the input, with all that it tells.
  private func restoreReplaying(_ offsets: Range<Int64>) throws -> [Member.Action] {
    let round = member.round
    var actions = try member.handle(.committed([committed]), round: round, nowMs: 0)
    actions += try member.handle(
      .logsRead([.init(partition: partition, changelogEnd: 0, journalEnd: 0)]), round: round, nowMs: 0)
    for offset in offsets {
      let record = InputRecord(offset: offset, timestampMs: 2000, key: nil, value: nil, contentType: nil)
      _ = try member.handle(
        .record(.input(record, headers: []), of: partition, in: partition, offset: offset), round: round, nowMs: 0)
    }
    return try actions + member.handle(.inputReplayed, round: round, nowMs: 0)
  }

  /// A record that is not understood.
  private func process(offset: Int64, timestampMs: Int64 = 1000) {
    let record = InputRecord(offset: offset, timestampMs: timestampMs, key: nil, value: nil, contentType: nil)
    func take(_ member: inout Member) {
      let task = member.runningTask(topic: 0, partition: 0)
      _ = task?.process(record, scratch: &member.scratch, to: &member.outbox)
    }
    take(&member)
  }

  private func commit() {
    let commit = member.prepareCommit(nowMs: 0)
    last = commit.offsets.first
    member.committed(commit) { _ in (nil, nil) }
  }
}
