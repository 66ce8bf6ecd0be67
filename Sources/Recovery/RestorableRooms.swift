package import RoomEngine
package import RoomModel
package import Settings

/// A partition's rooms before one of its records, with what their next owner would need to bring them there again. Pure:
/// it reads no clock and does no IO.
///
/// Rooms are written to the changelog a few with each transaction (``CheckpointSchedule``). What changed since, and which
/// event ids tell duplicates, the log tells from a restore point on (``RestorePoints``), with the journal.
package final class RestorableRooms {
  package var engine: PartitionLog
  /// In force.
  package private(set) var settings: LogSettings
  /// The next record to be read.
  package internal(set) var nextOffset: Int64

  var schedule: CheckpointSchedule
  var points: RestorePoints
  /// Transactions so far, and before them stretches of the recovery.
  var transaction: Int64 = 0
  /// The first records of journal and changelog that no finished transaction of ours has written.
  var journalNext: Int64
  var changelogNext: Int64
  /// When the last savepoint was written; nil: not yet.
  private var savepointClock: LogTime?
  /// Kept, to be filled anew.
  private var changed: [PartitionLog.RoomHandle] = []
  private var value: [UInt8] = []

  /// No rooms yet.
  ///
  /// - Parameter checkpointMs: How long a changed room may wait to be written; nil: none ever will be.
  init(at point: RestorePoint, changelogFrom: Int64, checkpointMs: Int64?, hashSeed: UInt64) {
    engine = PartitionLog(settings: point.settings.engine, hashSeed: hashSeed, keepsChanges: checkpointMs != nil)
    engine.resume(
      clock: point.clock, lastOffset: point.lastOffset, settings: point.settings.engine,
      settingsEpoch: point.settingsEpoch)
    settings = point.settings
    nextOffset = point.offset
    schedule = CheckpointSchedule(intervalMs: checkpointMs ?? 0)
    points = RestorePoints(from: point)
    journalNext = point.journalFrom
    changelogNext = changelogFrom
  }

  /// From here on these are in force.
  package func change(to settings: LogSettings) {
    noteIds()
    self.settings = settings
    engine.change(to: settings.engine)
  }

  /// Fires what is due and applies the next record.
  ///
  /// - Parameter event: nil if it couldn't be understood.
  package func apply(_ record: borrowing InputRecord, _ event: RoomEvent?, into batch: inout CommandBatch)
    -> PartitionLog.Applied
  {
    nextOffset = record.offset + 1
    return engine.apply(offset: record.offset, timestampMs: record.timestampMs, event: event, into: &batch)
  }

  /// The same of a record that the rooms know, or that changed none of them: it tells duplicates and moves the clock.
  func note(_ record: borrowing InputRecord, _ event: RoomEvent?, into batch: inout CommandBatch) {
    nextOffset = record.offset + 1
    engine.note(offset: record.offset, timestampMs: record.timestampMs, event: event, into: &batch)
  }
}

// MARK: - What is written with a transaction

extension RestorableRooms {
  /// Whether the changelog has waited too long for a room: with no other work it is written all the same.
  package func isOverdue(nowMs: Int64) -> Bool { schedule.isOverdue(nowMs: nowMs) }

  /// The slots of the rooms to be written with the next transaction, in `due`.
  package func takeDue(nowMs: Int64, into due: inout [Int32]) {
    takeChanged()
    schedule.takeDue(nowMs: nowMs, into: &due)
  }

  /// Hands a room's record for the changelog, with its key, to `write`.
  package func writeCheckpoint(
    of slot: Int32, nowMs: Int64, _ write: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
  ) {
    let room = PartitionLog.RoomHandle(slot: slot)
    let lives = engine.hasState(room)
    let key = engine.roomId(room).bytes
    RoomRecord.write(lives ? .whole : .last, offset: nextOffset, of: key, into: &value) {
      engine.writeState(of: room, into: &$0)
    }
    value.withUnsafeBytes { write(key, $0) }
    if lives {
      schedule.wrote(slot, changelogFrom: changelogNext, nowMs: nowMs)
    } else {
      schedule.wroteLast(slot, changelogFrom: changelogNext, transaction: transaction + 1)
      engine.release(room)
    }
  }

  /// What is to be committed with ``nextOffset``, once the rooms that were due are written.
  ///
  /// - Parameter commit: No other commit, at no time, has it; ASCII.
  package func metadata(for commit: String, partitions: Int32) -> CommitMetadata {
    noteIds()
    let start = points.start(changedAfter: schedule.oldestChange(), offset: nextOffset, clock: engine.clock)
    return CommitMetadata(
      restorePoint: start.point, applyFrom: start.applyFrom,
      changelogFrom: schedule.changelogFrom(restoringAfter: points.oldestTransaction) ?? changelogNext,
      clock: engine.clock, lastOffset: engine.lastOffset, commit: commit, partitions: partitions)
  }

  /// Whether a savepoint is to be written, too, after the checkpoints of its transaction, which belong to it.
  package func takeSavepoint() -> Bool {
    if let savepointClock, engine.clock < savepointClock &+ Savepoint.everyMs { return false }
    savepointClock = engine.clock
    return true
  }

  /// The transaction is through.
  ///
  /// - Parameters:
  ///   - journalNext: The offset after the last of this partition's journal that is known to be written; nil: nothing
  ///     is known. `changelogNext` likewise.
  package func committed(journalNext: Int64?, changelogNext: Int64?) {
    if let journalNext { self.journalNext = max(self.journalNext, journalNext) }
    if let changelogNext { self.changelogNext = max(self.changelogNext, changelogNext) }
    transaction += 1
    if isRestorePointDue { appendRestorePoint(journalFrom: self.journalNext) }
  }
}

// MARK: - Where restores may begin

extension RestorableRooms {
  var isRestorePointDue: Bool {
    points.isDue(offset: nextOffset, clock: engine.clock, settingsEpoch: engine.settingsEpoch)
  }

  /// In a recovery, what lies between two restore points is as one transaction.
  func endStretch(journalFrom: Int64) {
    takeChanged()
    noteIds()
    transaction += 1
    appendRestorePoint(journalFrom: journalFrom)
  }

  private func appendRestorePoint(journalFrom: Int64) {
    points.append(
      RestorePoint(
        offset: nextOffset, clock: engine.clock, lastOffset: engine.lastOffset, settings: settings,
        settingsEpoch: engine.settingsEpoch, journalFrom: journalFrom),
      after: transaction)
  }

  private func noteIds() {
    points.noteIds(clock: engine.clock, windowMs: settings.engine.dedupe.windowMs)
  }

  private func takeChanged() {
    changed.removeAll(keepingCapacity: true)
    engine.takeChangedRooms(into: &changed)
    for room in changed { schedule.changed(room.slot, after: transaction) }
  }
}
