import Recovery
import TestSupport
import Testing

@Suite struct CheckpointScheduleTests {
  @Test func everyChangedRoomIsWrittenWithinTheInterval() {
    var schedule = CheckpointSchedule(intervalMs: 1000)
    _ = take(&schedule, 0)
    var random = SplitMix64(seed: 7)
    var changedAt: [Int32: Int64] = [:]
    var nowMs: Int64 = 0
    for transaction in 0..<5000 {
      nowMs += random.number(0...29)
      for _ in 0..<random.number(0...4) {
        let slot = Int32(random.number(0...299))
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
    #expect(take(&schedule, 10_000).isEmpty)
    #expect(take(&schedule, 11_000) == [1])
  }

  /// A schedule as it is after a restore.
  @Test(arguments: [20, 250, 900] as [Int64])
  func roomsThatWereWrittenAtOnceAreNotWrittenAgainAtOnce(everyMs: Int64) {
    var schedule = CheckpointSchedule(intervalMs: 1000)
    for slot in 0..<6000 as Range<Int32> { schedule.wrote(slot, changelogFrom: 10, nowMs: 0) }
    var again: [Int32: Int] = [:]
    for nowMs in stride(from: Int64(0), through: 12_000 + everyMs, by: Int64.Stride(everyMs)) {
      let due = take(&schedule, nowMs)
      #expect(due.count <= 2 * 6000 * Int(everyMs) / 3000 + 1, "at \(nowMs)")
      for slot in due {
        schedule.wrote(slot, changelogFrom: 11, nowMs: nowMs)
        again[slot, default: 0] += 1
      }
    }
    #expect(again.count == 6000 && again.values.allSatisfy { $0 == 1 })
  }

  /// Nothing but the schedule makes a transaction then.
  @Test func onAnIdleLogRoomsAndPartsAreWrittenAgainInAFewTransactions() {
    var schedule = CheckpointSchedule(intervalMs: 1000)
    _ = take(&schedule, 0)
    for part in 0..<30 as Range<Int64> { schedule.wrote(part: part, of: 0, changelogFrom: 10, nowMs: 0) }
    for slot in 0..<30 as Range<Int32> { schedule.wrote(slot, changelogFrom: 10, nowMs: 0) }
    var transactions = 0
    for nowMs in stride(from: Int64(20), through: 13_000, by: 20) where schedule.isOverdue(nowMs: nowMs) {
      #expect(nowMs > 9000)
      transactions += 1
      let due = take(&schedule, nowMs)
      #expect((1...20).contains(due.count))
      if due.contains(0) {
        let renewed = (0..<30).filter { !schedule.keeps(part: $0, of: 0) }
        for part in renewed { schedule.wrote(part: part, of: 0, changelogFrom: 11, nowMs: nowMs) }
      }
      for slot in due { schedule.wrote(slot, changelogFrom: 11, nowMs: nowMs) }
    }
    #expect(transactions <= 5)
    #expect(schedule.changelogFrom(restoringAfter: 0) == 11)
  }

  @Test func anIdleLogWithoutRoomsIsNoWork() {
    var schedule = CheckpointSchedule(intervalMs: 1000)
    _ = take(&schedule, 0)
    schedule.wrote(part: 0, of: 1, changelogFrom: 10, nowMs: 0)
    schedule.wrote(1, changelogFrom: 10, nowMs: 0)
    schedule.wroteLast(1, changelogFrom: 15, transaction: 8)
    let isOverdue = schedule.isOverdue(nowMs: 1_000_000)
    #expect(!isOverdue)
  }

  @Test func partsAreWrittenAgainWithinTwelveIntervalsAndNotAllAtOnce() {
    var schedule = CheckpointSchedule(intervalMs: 1000)
    _ = take(&schedule, 0)
    schedule.changed(1, after: 0)
    #expect(take(&schedule, 1000) == [1])
    for part in 0..<600 as Range<Int64> { schedule.wrote(part: part, of: 1, changelogFrom: 10, nowMs: 1000) }
    schedule.wrote(1, changelogFrom: 10, nowMs: 1000)
    var next: Int64 = 600
    var most = 0
    var from: Int64 = 10
    for nowMs in stride(from: Int64(1020), through: 13_020, by: 20) {
      guard take(&schedule, nowMs) == [1] else { continue }
      from += 1
      let kept = (0..<next).filter { schedule.keeps(part: $0, of: 1) }
      most = max(most, 600 - kept.count)
      let renewed = next..<next + Int64(600 - kept.count)
      for part in renewed { schedule.wrote(part: part, of: 1, changelogFrom: from, nowMs: nowMs) }
      next = renewed.upperBound
      schedule.keepParts(kept + renewed, of: 1)
      schedule.wrote(1, changelogFrom: from, nowMs: nowMs)
    }
    #expect(next == 1200, "each of them once")
    #expect((1...5).contains(most))
    #expect(schedule.changelogFrom(restoringAfter: 0) ?? 0 > 10)
  }

  @Test func theChangelogIsReadFromTheOldestPartThatIsNamed() {
    var schedule = CheckpointSchedule(intervalMs: 1000)
    schedule.wrote(part: 0, of: 1, changelogFrom: 10, nowMs: 0)
    schedule.wrote(part: 1, of: 1, changelogFrom: 10, nowMs: 0)
    schedule.wrote(1, changelogFrom: 10, nowMs: 0)
    schedule.wrote(part: 2, of: 1, changelogFrom: 20, nowMs: 0)
    schedule.keepParts([1, 2], of: 1)
    schedule.wrote(1, changelogFrom: 20, nowMs: 0)
    #expect(schedule.changelogFrom(restoringAfter: 0) == 10)
    #expect(!schedule.keeps(part: 0, of: 1))
    schedule.keepParts([2], of: 1)
    schedule.wrote(1, changelogFrom: 30, nowMs: 0)
    #expect(schedule.changelogFrom(restoringAfter: 0) == 20)
    schedule.wroteLast(1, changelogFrom: 40, transaction: 3)
    #expect(schedule.changelogFrom(restoringAfter: 0) == 40)
  }

  private func take(_ schedule: inout CheckpointSchedule, _ nowMs: Int64) -> [Int32] {
    var due: [Int32] = []
    schedule.takeDue(nowMs: nowMs, into: &due)
    return due
  }
}
