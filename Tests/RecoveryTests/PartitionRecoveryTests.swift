import Recovery
import RoomEngine
import RoomModel
import Settings
import Testing
import Wire

@Suite final class PartitionRecoveryTests {
  private var decoder = EventDecoder()
  private var batch = CommandBatch()
  private var rooms: RestorableRooms
  private var changelog: [(key: [UInt8]?, value: [UInt8])] = []
  private var journal: [JournalLine] = []
  private var commits = 0

  init() throws {
    let beginning = PartitionRecovery(
      of: "in/0", from: .nothing(before: 0, LogSettings()), to: 0, firstOffset: 0, checkpointMs: 500, hashSeed: 1)
    _ = try beginning.logsRead(journalEnd: 0, changelogEnd: 0, nowMs: 0)
    rooms = beginning.finish(batch: &batch)
  }

  private func give(
    offset: Int64, at time: LogTime, room: String = "r1", count: Int = 9, to rooms: (InputRecord) -> Void
  ) {
    let gift = #","gift":{"sender":{"userId":"7"},"giftId":"rose","count":\#(count)}"#
    let event = #"{"roomId":"\#(room)"\#(count > 0 ? gift : "")}"#
    Array(room.utf8).withUnsafeBytes { key in
      Array(event.utf8).withUnsafeBytes { value in
        rooms(InputRecord(offset: offset, timestampMs: time, key: key, value: value, contentType: nil))
      }
    }
  }

  private func give(offset: Int64, at time: LogTime) {
    give(offset: offset, at: time) { record in
      let event = try? decoder.decode(
        key: record.key, value: record.value, contentType: nil, keyRule: .roomId, mapping: rooms.settings.mapping)
      _ = rooms.apply(record, event, into: &batch)
    }
  }

  /// Commits, and writes the rooms that have waited for half a second.
  private func commit(nowMs: Int64) -> Savepoint {
    var due: [Int32] = []
    rooms.takeDue(nowMs: nowMs, into: &due)
    for slot in due {
      rooms.writeCheckpoint(of: slot, nowMs: nowMs) { changelog.append((Array($0), Array($1))) }
    }
    commits += 1
    let commit = Savepoint(offset: rooms.nextOffset, metadata: rooms.metadata(for: "c\(commits)", partitions: 1))
    if rooms.takeSavepoint(), commit.metadata.restorePoint.settings.mapping != nil {
      changelog.append((nil, Array(commit.text.utf8)))
    }
    rooms.committed(journalNext: Int64(journal.count), changelogNext: Int64(changelog.count))
    return commit
  }

  private func recovery(_ commit: Savepoint, firstOffset: Int64) throws -> PartitionRecovery {
    let recovery = PartitionRecovery(
      of: "in/0", from: .commit(commit), to: commit.offset, firstOffset: firstOffset, checkpointMs: 500, hashSeed: 2)
    for (at, record) in changelog.enumerated().dropFirst(Int(commit.metadata.changelogFrom)) {
      guard let key = record.key else {
        record.value.withUnsafeBytes { recovery.found(savepoint: $0) }
        continue
      }
      try key.withUnsafeBytes { key in
        try record.value.withUnsafeBytes { try recovery.found(room: key, checkpoint: $0, at: Int64(at)) }
      }
    }
    for (at, line) in journal.enumerated() { recovery.found(line, at: Int64(at)) }
    return recovery
  }

  /// A commit has room for a mapping's sum alone. The file of today may have another one.
  @Test(arguments: [false, true]) func `a restore finds the mapping in the changelog, or tells that it is gone`(
    isGone: Bool
  ) throws {
    var settings = LogSettings()
    let gift = #"{"sender":{"userId":{"is":"ann"}},"giftId":"gift.giftId"}"#
    let text = #"{"in":{"own":false,"shapes":[{"roomId":"roomId","gift":\#(gift)}]}}"#
    settings.mapping = try MappingFile(Array(text.utf8), path: "mapping.json")["in"]
    settings.engine.dedupe.windowMs = 0
    rooms.change(to: settings)
    journal.append(JournalLine(offset: 0, what: .settings(settings)))
    give(offset: 0, at: 1000)
    _ = commit(nowMs: 0)
    // The settings of the restore point are the new ones from here on, and no savepoint is due.
    for offset in 1...3 as ClosedRange<Int64> {
      give(offset: offset, at: 1000 + offset * 2000)
      _ = commit(nowMs: offset * 10)
    }
    _ = commit(nowMs: 600)
    give(offset: 4, at: 9000)
    var last = commit(nowMs: 605)
    #expect(last.metadata.restorePoint.journalFrom == 1)
    last.metadata = try CommitMetadata(text: last.metadata.text)
    #expect(last.metadata.restorePoint.settings.mapping == nil)
    if isGone { changelog = changelog.map { $0.key == nil ? (nil, []) : $0 } }

    let recovery = try recovery(last, firstOffset: 0)
    let range = try #require(
      try recovery.logsRead(journalEnd: 1, changelogEnd: Int64(changelog.count), nowMs: 605))
    for offset in range {
      give(offset: offset, at: 1000 + offset * 2000) { recovery.replay($0, decoder: &decoder, batch: &batch) }
    }
    let restored = recovery.finish(batch: &batch)
    #expect(recovery.damages == (isGone ? [.mapping(offset: range.lowerBound)] : []))
    #expect(isGone || Snapshot(restored) == Snapshot(rooms))
  }

  /// A commit may name a change that is none for its next owner, as that of a room that has come back to how it was
  /// written. While nothing else comes, retention takes the records that a restore from this commit would need.
  @Test func whereAllRoomsAreWrittenTheNextCommitSaysSo() throws {
    give(offset: 0, at: 1000)
    _ = commit(nowMs: 0)
    _ = commit(nowMs: 600)
    #expect(changelog.count == 1)
    var last = commit(nowMs: 605)
    last.metadata.applyFrom = 0
    let recovery = try recovery(last, firstOffset: 0)
    let range = try recovery.logsRead(journalEnd: 0, changelogEnd: 1, nowMs: 605)
    #expect(range == 0..<1)
    give(offset: 0, at: 1000) { recovery.replay($0, decoder: &decoder, batch: &batch) }
    rooms = recovery.finish(batch: &batch)
    #expect(recovery.isExact)
    #expect(!rooms.isOverdue(nowMs: 605))
    #expect(rooms.isOverdue(nowMs: 1105), "an interval has passed")
    let next = commit(nowMs: 1105)
    #expect(changelog.count == 1)
    #expect(next.metadata.applyFrom == 1)
    #expect(!rooms.isOverdue(nowMs: 1700))
  }

  @Test func whereAllOfTheInputIsGoneATimerThatTheJournalTellsOfDoesNotFireAgain() throws {
    give(offset: 0, at: 1000)
    _ = commit(nowMs: 0)
    _ = commit(nowMs: 600)
    #expect(changelog.count == 1)
    let tick = rooms.engine.nextDeadline
    let fired = try #require(rooms.engine.fireTimers(through: tick, into: &batch))
    journal.append(JournalLine(offset: 1, what: .firedTo(fired)))
    let last = commit(nowMs: 605)
    #expect(changelog.count == 1, "the room as it is now has not been written")

    let recovery = try recovery(last, firstOffset: 1)
    let range = try recovery.logsRead(journalEnd: 1, changelogEnd: 1, nowMs: 605)
    #expect(range == nil)
    let restored = recovery.finish(batch: &batch)
    #expect(recovery.isExact)
    #expect(restored.engine.clock == tick)
    #expect(restored.engine.nextDeadline == rooms.engine.nextDeadline)
    #expect(restored.engine.nextDeadline > tick)
  }

  /// A journal that is kept shorter than the input, of an idle log: its rooms have all that its lines did.
  @Test func linesOfTheJournalThatAreGoneAreNotMissedWhereAllRoomsAreWritten() throws {
    give(offset: 0, at: 1000)
    let fired = try #require(rooms.engine.fireTimers(through: rooms.engine.nextDeadline, into: &batch))
    journal.append(JournalLine(offset: 1, what: .firedTo(fired)))
    _ = commit(nowMs: 0)
    let last = commit(nowMs: 600)
    #expect(last.metadata.applyFrom == 1 && changelog.count == 1)

    journal = []
    let recovery = try recovery(last, firstOffset: 0)
    for offset in try #require(try recovery.logsRead(journalEnd: 1, changelogEnd: 1, nowMs: 605)) {
      give(offset: offset, at: 1000) { recovery.replay($0, decoder: &decoder, batch: &batch) }
    }
    let restored = recovery.finish(batch: &batch)
    #expect(recovery.isExact && restored.engine.clock == fired)
    #expect(restored.engine.nextDeadline == rooms.engine.nextDeadline)
  }

  /// The records of a batch that a worker passed over: as the batch's last, or as they are where more may be unpacked.
  private enum Batch: CaseIterable { case unpacked, passed, gone }

  @Test(arguments: Batch.allCases)
  private func `a batch that was passed over counts for nothing, whoever unpacks it`(batch kind: Batch) throws {
    give(offset: 0, at: 1000)
    journal.append(JournalLine(offset: 1, what: .passed(through: 3, at: 5000)))
    _ = rooms.apply(passed(at: 3), nil, into: &batch)
    give(offset: 4, at: 5500)
    let last = commit(nowMs: 0)
    let recovery = try recovery(last, firstOffset: 0)
    #expect(try recovery.logsRead(journalEnd: 1, changelogEnd: 0, nowMs: 0) == 0..<5)
    give(offset: 0, at: 1000) { recovery.replay($0, decoder: &decoder, batch: &batch) }
    switch kind {
    case .unpacked:
      for offset in 1...3 as ClosedRange<Int64> {
        give(offset: offset, at: 4000, room: "bomb") { recovery.replay($0, decoder: &decoder, batch: &batch) }
      }
    case .passed: recovery.replay(passed(at: 3), decoder: &decoder, batch: &batch)
    case .gone: break
    }
    give(offset: 4, at: 5500) { recovery.replay($0, decoder: &decoder, batch: &batch) }
    let restored = recovery.finish(batch: &batch)
    #expect(recovery.isExact && recovery.passedThrough == 3)
    #expect(restored.engine.clock == rooms.engine.clock && restored.engine.roomCount == 1)
    #expect(restored.engine.nextDeadline == rooms.engine.nextDeadline)
  }

  @Test func `a batch that was unpacked once, and is not now, makes a restore inexact`() throws {
    for offset in 0...3 as ClosedRange<Int64> { give(offset: offset, at: 1000) }
    let last = commit(nowMs: 0)
    let recovery = try recovery(last, firstOffset: 0)
    _ = try recovery.logsRead(journalEnd: 0, changelogEnd: 0, nowMs: 0)
    give(offset: 0, at: 1000) { recovery.replay($0, decoder: &decoder, batch: &batch) }
    recovery.replay(passed(at: 3), decoder: &decoder, batch: &batch)
    _ = recovery.finish(batch: &batch)
    #expect(!recovery.isExact)
    #expect(recovery.damages == [.batch(through: 3)])
  }

  private func passed(at offset: Int64) -> InputRecord {
    InputRecord(offset: offset, timestampMs: 5000, key: nil, value: nil, contentType: nil, isPassed: true)
  }

  /// An unsaved gift's record is not there any more.
  @Test(arguments: [(Int64(0), true), (1, true), (2, false), (3, false)])
  func aRecordThatARoomNeedsAndThatIsGoneIsNotPassedOver(firstOffset: Int64, isExact: Bool) throws {
    give(offset: 0, at: 1000)
    _ = commit(nowMs: 0)
    _ = commit(nowMs: 600)
    for offset in 1...2 as ClosedRange<Int64> { give(offset: offset, at: 1000 + offset) }
    let last = commit(nowMs: 605)
    #expect(last.metadata.applyFrom == 1)

    let recovery = try recovery(last, firstOffset: firstOffset)
    for offset in try recovery.logsRead(journalEnd: 0, changelogEnd: 1, nowMs: 605) ?? 0..<0 {
      give(offset: offset, at: 1000 + offset) { recovery.replay($0, decoder: &decoder, batch: &batch) }
    }
    _ = recovery.finish(batch: &batch)
    #expect(recovery.isExact == isExact)
  }

  /// Somebody deleted changelog or journal, or the settings name others: a restore reads other records than were
  /// written.
  @Test(arguments: [(Int64(0), Int64(0), true), (1, 0, false), (0, 2, false)])
  func logsThatEndBeforeWhatTheCommitNamesAreNotTakenForEmpty(
    journalFrom: Int64, changelogFrom: Int64, isExact: Bool
  ) throws {
    give(offset: 0, at: 1000)
    _ = commit(nowMs: 0)
    var last = commit(nowMs: 600)
    last.metadata.restorePoint.journalFrom = journalFrom
    last.metadata.changelogFrom = changelogFrom
    let recovery = try recovery(last, firstOffset: 0)
    for offset in try recovery.logsRead(journalEnd: 0, changelogEnd: 1, nowMs: 605) ?? 0..<0 {
      give(offset: offset, at: 1000 + offset) { recovery.replay($0, decoder: &decoder, batch: &batch) }
    }
    _ = recovery.finish(batch: &batch)
    #expect(recovery.isExact == isExact)
  }

  /// The group's offset was set back by hand, say.
  @Test func whatWasWrittenBeyondTheCommitCountsForNothing() throws {
    give(offset: 0, at: 1000)
    _ = commit(nowMs: 0)
    let first = commit(nowMs: 600)
    give(offset: 1, at: 2000)
    _ = commit(nowMs: 1200)
    #expect(changelog.count == 2)

    let recovery = try recovery(first, firstOffset: 1)
    _ = try recovery.logsRead(journalEnd: 0, changelogEnd: 2, nowMs: 0)
    let restored = recovery.finish(batch: &batch)
    #expect(recovery.isExact)
    #expect(restored.engine.nextDeadline == 1000 + 550, "the view on its lane ticks")
  }

  @Test func aRoomWhoseStateCantBeReadBeginsAnewAndIsTold() throws {
    give(offset: 0, at: 1000)
    _ = commit(nowMs: 0)
    let last = commit(nowMs: 600)
    changelog[0].value.removeLast()
    let recovery = try recovery(last, firstOffset: 0)
    _ = try recovery.logsRead(journalEnd: 0, changelogEnd: 1, nowMs: 0)
    let restored = recovery.finish(batch: &batch)
    #expect(recovery.damages == [.room("r1", at: 0)])
    #expect(!recovery.isExact)
    #expect(restored.engine.nextDeadline == .max)
  }

  @Test func whatALaterVersionWroteIsNotTakenForDamage() throws {
    give(offset: 0, at: 1000)
    _ = commit(nowMs: 0)
    let last = commit(nowMs: 600)
    var record: [UInt8] = []
    Array("r1".utf8).withUnsafeBytes { RoomRecord.write(.whole, offset: 1, of: $0, into: &record) { $0.append(77) } }
    changelog[0].value = record
    let recovery = try recovery(last, firstOffset: 0)
    #expect(throws: RestoreError.newer("the state of room r1 in a form of version 77")) {
      try recovery.logsRead(journalEnd: 0, changelogEnd: 1, nowMs: 0)
    }
  }

  /// How a room comes to its end, and what is committed meanwhile.
  struct Ending: Sendable {
    /// A count of 0: it is not understood.
    let records: [(at: LogTime, room: String, count: Int)]
    /// After so many records. One room of two is written with the last one.
    let commits: [Int]
    /// Where the rooms that have changed get their records again.
    let applyFrom: Int64

    /// The combo of r1 rests until 6400, and without the first gift until 6700.
    static let threeTransactionsLater = Ending(
      records: [(1000, "r1", 1), (1100, "r2", 9), (1600, "r1", 1), (6450, "r2", 1)], commits: [1, 2, 3, 4],
      applyFrom: 1)
    /// It rests until 6700, and without the first gift until 7200.
    static let twoTransactionsLater = Ending(
      records: [(1000, "r1", 1), (2000, "r3", 0), (2100, "r1", 1), (2100, "r2", 9), (6800, "r2", 1)],
      commits: [1, 2, 4, 5], applyFrom: 2)
  }

  /// A restore that begins before a room's last records, and after its first ones, finds that it is no more; so does the
  /// restore of what was restored.
  @Test(arguments: [Ending.threeTransactionsLater, .twoTransactionsLater])
  func aRoomThatIsNoMoreIsNotBuiltFromItsLastRecords(ending: Ending) throws {
    var settings = LogSettings()
    settings.engine.dedupe.windowMs = 0
    rooms.change(to: settings)
    func give(_ offset: Int, to rooms: (InputRecord) -> Void) {
      let record = ending.records[offset]
      self.give(offset: Int64(offset), at: record.at, room: record.room, count: record.count, to: rooms)
    }
    for offset in ending.records.indices {
      give(offset) { record in
        let event = try? decoder.decode(key: record.key, value: record.value, contentType: nil, keyRule: .roomId)
        _ = rooms.apply(record, event, into: &batch)
      }
      if let i = ending.commits.firstIndex(of: offset + 1) { _ = commit(nowMs: [0, 5, 6, 255][i]) }
    }
    #expect(changelog.map { String(decoding: $0.key!, as: UTF8.self) } == ["r1"])
    for owner in 1...3 as ClosedRange<Int64> {
      let last = commit(nowMs: 256 + owner)
      #expect(changelog.count == 1 && last.metadata.applyFrom == ending.applyFrom)
      #expect(last.metadata.changelogFrom == 0, "owner \(owner)")
      let recovery = PartitionRecovery(
        of: "in/0", from: .commit(last), to: last.offset, firstOffset: 0, checkpointMs: 500, hashSeed: 2)
      if last.metadata.changelogFrom == 0 {
        try changelog[0].key!.withUnsafeBytes { key in
          try changelog[0].value.withUnsafeBytes { try recovery.found(room: key, checkpoint: $0, at: 0) }
        }
      }
      for offset in try recovery.logsRead(journalEnd: 0, changelogEnd: 1, nowMs: 256 + owner) ?? 0..<0 {
        give(Int(offset)) { recovery.replay($0, decoder: &decoder, batch: &batch) }
      }
      rooms = recovery.finish(batch: &batch)
      #expect(recovery.isExact && rooms.engine.liveRoomCount == 1, "owner \(owner)")
    }
  }
}
