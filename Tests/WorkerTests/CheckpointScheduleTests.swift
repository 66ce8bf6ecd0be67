import Kafka
import RoomEngine
import RoomModel
import Settings
import Testing
import Worker

@Suite struct CheckpointScheduleTests {
  @Test func everyChangedRoomIsWrittenWithinTheInterval() {
    var schedule = CheckpointSchedule(intervalMs: 1000)
    _ = take(&schedule, 0)
    var chance = Chance(seed: 7)
    var changedAt: [Int32: Int64] = [:]
    var nowMs: Int64 = 0
    for transaction in 0..<5000 {
      nowMs += Int64(chance.below(30))
      for _ in 0..<chance.below(5) {
        let slot = Int32(chance.below(300))
        schedule.changed(slot, after: Int64(transaction))
        if changedAt[slot] == nil { changedAt[slot] = nowMs }
      }
      for slot in take(&schedule, nowMs) {
        schedule.wrote(slot, changelogFrom: Int64(transaction), nowMs: nowMs)
        changedAt[slot] = nil
      }
      for (slot, since) in changedAt {
        #expect(nowMs - since <= 1000 + 60, "room \(slot) waits since \(since)")
      }
    }
  }

  @Test func oneTransactionCarriesOnlyItsShare() {
    var schedule = CheckpointSchedule(intervalMs: 1000)
    _ = take(&schedule, 0)
    for slot in 0..<1000 as Range<Int32> { schedule.changed(slot, after: 0) }
    #expect(take(&schedule, 20).count == 20)
    #expect(take(&schedule, 50).count == 29)
  }

  @Test func mostTransactionsNeedNotTouchTheChangelog() {
    var schedule = CheckpointSchedule(intervalMs: 1000)
    _ = take(&schedule, 0)
    for slot in 0..<1000 as Range<Int32> { schedule.changed(slot, after: 0) }
    let taken = (1...100).map { take(&schedule, $0 * 10).count }
    #expect(taken.filter { $0 > 0 }.count == 50)
    #expect(taken.reduce(0, +) == 1000)
  }

  @Test func aRoomThatHasWaitedForTheWholeIntervalIsWorkOfItsOwn() {
    var schedule = CheckpointSchedule(intervalMs: 1000)
    let atFirst = schedule.isOverdue(nowMs: 0)
    schedule.changed(1, after: 0)
    let before = schedule.isOverdue(nowMs: 999)
    let then = schedule.isOverdue(nowMs: 1000)
    #expect(!atFirst && !before && then)
    #expect(take(&schedule, 1000) == [1])
    let afterwards = schedule.isOverdue(nowMs: 5000)
    #expect(!afterwards)
  }

  @Test func theOldestChangeIsThatOfTheRoomThatWaitsLongest() {
    var schedule = CheckpointSchedule(intervalMs: 1000)
    #expect(schedule.oldestChange() == nil)
    schedule.changed(4, after: 3)
    schedule.changed(5, after: 4)
    schedule.changed(4, after: 6)
    #expect(schedule.oldestChange() == 3)
    schedule.wrote(4, changelogFrom: 0, nowMs: 0)
    #expect(schedule.oldestChange() == 4)
    schedule.wroteLast(5, changelogFrom: 0, transaction: 7)
    #expect(schedule.oldestChange() == nil)
  }

  @Test func theChangelogIsReadFromTheOldestCheckpointThatCounts() {
    var schedule = CheckpointSchedule(intervalMs: 1000)
    #expect(schedule.changelogFrom(restoringAfter: 0) == nil)
    schedule.wrote(1, changelogFrom: 10, nowMs: 0)
    schedule.wrote(2, changelogFrom: 20, nowMs: 0)
    #expect(schedule.changelogFrom(restoringAfter: 0) == 10)
    schedule.wrote(1, changelogFrom: 30, nowMs: 0)
    #expect(schedule.changelogFrom(restoringAfter: 0) == 20)
  }

  @Test func theLastCheckpointOfARoomCountsAsLongAsARestoreMayBeginBeforeIt() {
    var schedule = CheckpointSchedule(intervalMs: 1000)
    schedule.wrote(1, changelogFrom: 10, nowMs: 0)
    schedule.wroteLast(1, changelogFrom: 15, transaction: 8)
    schedule.wrote(2, changelogFrom: 20, nowMs: 0)
    #expect(schedule.changelogFrom(restoringAfter: 7) == 15)
    #expect(schedule.changelogFrom(restoringAfter: 8) == 20)
  }

  @Test func anUnchangedRoomIsWrittenAgainNowAndThen() {
    var schedule = CheckpointSchedule(intervalMs: 1000)
    schedule.changed(1, after: 0)
    _ = take(&schedule, 0)
    #expect(take(&schedule, 1000) == [1])
    schedule.wrote(1, changelogFrom: 10, nowMs: 1000)
    #expect(take(&schedule, 12_000).isEmpty)
    #expect(take(&schedule, 14_000) == [1])
  }

  private func take(_ schedule: inout CheckpointSchedule, _ nowMs: Int64) -> [Int32] {
    var due: [Int32] = []
    schedule.takeDue(nowMs: nowMs, into: &due)
    return due
  }
}

@Suite struct MarkTrailTests {
  @Test func roomsGetTheirEventsAgainFromBeforeTheOldestUnsavedChange() {
    var trail = MarkTrail(from: mark(0))
    for i in 1...5 { trail.append(mark(Int64(i) * 10), after: Int64(i)) }
    #expect(trail.start(changedAfter: 3, offset: 55, clock: 55) == .init(mark: mark(30), applyFrom: 30))
    #expect(trail.start(changedAfter: nil, offset: 55, clock: 55) == .init(mark: mark(50), applyFrom: 55))
  }

  @Test func aRestoreBeginsBeforeTheOldestIdThatToldADuplicateThen() {
    var trail = MarkTrail(from: mark(0))
    for i in 1...9 {
      trail.noteIds(clock: Int64(i) * 10, windowMs: 25)
      trail.append(mark(Int64(i) * 10), after: Int64(i))
    }
    // At 50 those of 30 and later were remembered, which came after the mark at 20.
    #expect(trail.start(changedAfter: 5, offset: 95, clock: 95) == .init(mark: mark(20), applyFrom: 50))
    #expect(trail.start(changedAfter: nil, offset: 95, clock: 95) == .init(mark: mark(70), applyFrom: 95))
  }

  @Test func howeverLongTheTrailItStaysShortAndNeverBeginsTooLate() {
    var trail = MarkTrail(from: mark(0))
    for i in 1...10_000 {
      trail.noteIds(clock: Int64(i), windowMs: 1_000_000)
      trail.append(mark(Int64(i)), after: Int64(i))
    }
    #expect(trail.count <= 128)
    let start = trail.start(changedAfter: 7000, offset: 10_000, clock: 10_000)
    #expect(start.mark.offset == 0)
    #expect(start.applyFrom <= 7000)
  }

  private func mark(_ offset: Int64) -> Mark {
    Mark(
      offset: offset, clock: offset, lastOffset: offset - 1, settings: LogSettings(), settingsEpoch: 0, journalFrom: 0)
  }
}

@Suite struct CommitMetadataTests {
  @Test func whatIsCommittedIsReadBack() throws {
    var settings = LogSettings()
    settings.engine.gift.lanes = 5
    settings.keyRule = .any
    let metadata = CommitMetadata(
      mark: Mark(
        offset: 17, clock: 1_700_000_000_000, lastOffset: 15, settings: settings, settingsEpoch: 3, journalFrom: 4),
      applyFrom: 19, changelogFrom: 99, clock: 1_700_000_001_000, lastOffset: 22, commit: "w-0#5", partitions: 8)
    #expect(try CommitMetadata(text: metadata.text) == metadata)
    #expect(metadata.text.utf8.allSatisfy { (0x20..<0x7f).contains($0) })
  }

  /// One that only changed the settings once looked like the one before it to a member that had kept the partition's
  /// rooms, which then went on under its own settings.
  @Test func noTwoCommitsAreAlike() {
    var bench = Workbench()
    let task = PartitionTask(
      TopicPartition("in", 0), topic: 0, offset: 5, metadata: nil, firstOffset: 5, layout: SimulatedWorker.layout,
      checkpointMs: 500, hashSeed: 1)
    let first = task.prepareCommit("a#1", nowMs: 0, bench: &bench)
    var settings = LogSettings()
    settings.engine.gift.lanes = 3
    task.adopt(settings, bench: &bench)
    let second = task.prepareCommit("b#1", nowMs: 0, bench: &bench)
    #expect(first.offset == second.offset)
    #expect(first.metadata.text != second.metadata.text)
  }

  @Test func whatWasCommittedBeforeAnyRecordIsReadBack() throws {
    let metadata = CommitMetadata.nothing(before: 5, partitions: 1)
    #expect(try CommitMetadata(text: metadata.text) == metadata)
  }

  @Test(arguments: ["", "nonsense", "{}", "{\"version\":2}", "[1]"])
  func whatAnotherProgramCommittedIsRefused(text: String) {
    #expect(throws: WorkerError.metadata(text)) { try CommitMetadata(text: text) }
  }
}
