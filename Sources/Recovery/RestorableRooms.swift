package import RoomEngine
package import RoomModel
package import Settings
package import Wire

/// A partition's rooms before one of its records, with what their next owner would need to bring them there again.
/// Pure: it reads no clock and does no IO.
///
/// Rooms are written to the changelog a few with each transaction (``CheckpointSchedule``). The log from a restore
/// point on (``RestorePoints``), with the journal, tells later changes, and the event ids by which duplicates are told.
///
/// One thread works on it, and accesses to what changes with each record are not held against each other each time.
package final class RestorableRooms {
  @exclusivity(unchecked) package var engine: PartitionLog
  /// The settings in force.
  @exclusivity(unchecked) package private(set) var settings: LogSettings
  /// A copy of the one in the settings in force: those are large, and this is read with each record.
  package var keyRule: KeyRule { settings.keyRule }
  package var mapping: Mapping? { settings.mapping }
  /// The next record to be read. Computed: @exclusivity(unchecked) isn't honoured across modules.
  package internal(set) var nextOffset: Int64 {
    get { storedNextOffset }
    set { storedNextOffset = newValue }
  }
  @exclusivity(unchecked) private var storedNextOffset: Int64

  var schedule: CheckpointSchedule
  var points: RestorePoints
  /// Transactions so far, and before them stretches of the recovery.
  var transaction: Int64 = 0
  /// The first records of journal and changelog that no finished transaction of ours has written.
  var journalNext: Int64
  var changelogNext: Int64
  /// The last savepoint: its time, the mapping in it, and the first record of the changelog that it can be.
  private var savepoint: (clock: LogTime, mapping: Mapping?, from: Int64)?
  private var isSavepointDue = false
  /// Kept, to be filled anew.
  private var changed: [PartitionLog.RoomHandle] = []
  private var value: [UInt8] = []
  /// The parts of rooms whose states are long.
  var parts: [Int32: RoomParts] = [:]
  private let cut: StateCut
  private let hashSeed: UInt64
  /// With so many events remembered their marks are written.
  private let manyMarks: Int
  /// The transaction has the marks up to its end.
  private var hasWrittenMarks = false

  /// No rooms yet.
  ///
  /// - Parameters:
  ///   - log: `topic/partition`.
  ///   - checkpointMs: How long a changed room may wait to be written; nil: none ever will be.
  init(
    of log: String, at point: RestorePoint, changelogFrom: Int64, checkpointMs: Int64?, hashSeed: UInt64,
    markSeed: UInt64?, cut: StateCut, manyMarks: Int
  ) {
    self.cut = cut
    self.hashSeed = hashSeed
    self.manyMarks = checkpointMs == nil ? .max : manyMarks
    engine = PartitionLog(
      settings: point.settings.engine, hashSeed: hashSeed, keepsChanges: checkpointMs != nil, log: log)
    engine.resume(
      clock: point.clock, lastOffset: point.lastOffset, settings: point.settings.engine,
      settingsEpoch: point.settingsEpoch, markSeed: markSeed)
    settings = point.settings
    storedNextOffset = point.offset
    schedule = CheckpointSchedule(intervalMs: checkpointMs ?? 0)
    points = RestorePoints(from: point)
    journalNext = point.journalFrom
    changelogNext = changelogFrom
  }

  /// The mapping of the settings where the rooms begin was found.
  func found(_ mapping: Mapping) { settings.find(mapping) }

  /// Puts these in force from here on.
  package func change(to settings: LogSettings) {
    noteIds()
    self.settings = settings
    engine.change(to: settings.engine)
  }

  /// Fires what is due and applies the next record.
  ///
  /// - Parameter event: nil if it couldn't be understood.
  package func apply(_ record: InputRecord, _ event: RoomEvent?, into batch: inout CommandBatch)
    -> PartitionLog.Applied
  {
    nextOffset = record.offset + 1
    return engine.apply(offset: record.offset, timestampMs: record.timestampMs, event: event, into: &batch)
  }

  /// The same with an event: one that is made optional first is copied once more.
  package func apply(_ record: InputRecord, _ event: RoomEvent, into batch: inout CommandBatch)
    -> PartitionLog.Applied
  {
    nextOffset = record.offset + 1
    return engine.apply(offset: record.offset, timestampMs: record.timestampMs, event: event, into: &batch)
  }

  /// The same of a record that the rooms know, or that changed none of them: it tells duplicates and moves the clock.
  func note(_ record: InputRecord, _ event: RoomEvent?, into batch: inout CommandBatch) {
    nextOffset = record.offset + 1
    engine.note(offset: record.offset, timestampMs: record.timestampMs, event: event, into: &batch)
  }
}

// MARK: - What is written with a transaction

extension RestorableRooms {
  /// Whether the changelog has waited too long for a room, or has one that grows old: with no other work it is written
  /// all the same.
  package func isOverdue(nowMs: Int64) -> Bool { schedule.isOverdue(nowMs: nowMs) }

  /// The slots of the rooms to be written with the next transaction, in `due`.
  package func takeDue(nowMs: Int64, into due: inout [Int32]) {
    takeChanged()
    schedule.takeDue(nowMs: nowMs, into: &due)
  }

  package typealias Write = (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void

  /// Hands a room's records for the changelog, with their key, to `write`: one, or the parts of its state that are not
  /// there yet, and its head.
  package func writeCheckpoint(of slot: Int32, nowMs: Int64, _ write: Write) {
    let room = PartitionLog.RoomHandle(slot: slot)
    let lives = engine.hasState(room)
    let key = engine.roomId(room).bytes
    var state: [UInt8] = []
    var cuts: [Int] = []
    engine.writeState(of: room, into: &state, cuts: &cuts)
    if lives, state.count > cut.whole {
      writeParts(of: slot, key, state, cuts: cuts, nowMs: nowMs, write)
    } else {
      parts[slot] = nil
      schedule.keepParts([], of: slot)
      self.write(lives ? .whole : .last, key, write) { $0 += state }
    }
    if lives {
      schedule.wrote(slot, changelogFrom: changelogNext, nowMs: nowMs)
    } else {
      schedule.wroteLast(slot, changelogFrom: changelogNext, transaction: transaction + 1)
      engine.release(room)
    }
  }

  private func writeParts(
    of slot: Int32, _ key: UnsafeRawBufferPointer, _ state: [UInt8], cuts: [Int], nowMs: Int64, _ write: Write
  ) {
    var old = parts[slot] ?? RoomParts()
    var new = RoomParts()
    state.withUnsafeBytes { state in
      var named: [(bytes: UnsafeRawBufferPointer, part: Int64?)] = []
      for piece in cut.pieces(of: state, cuts: cuts) {
        let bytes = UnsafeRawBufferPointer(rebasing: state[piece.range])
        named.append((bytes, piece.isInHead ? nil : number(of: bytes)))
      }
      new.next = old.next
      var head: [UInt8] = []
      var writer = RoomHead.Writer(next: new.next, into: &head)
      for (bytes, part) in named {
        if let part { writer.append(part: part, into: &head) } else { writer.append(bytes, into: &head) }
      }
      schedule.keepParts(new.numbers.values, of: slot)
      self.write(.head, key, write) { $0 += head }
    }
    parts[slot] = new

    /// Writes the part if it is not there.
    func number(of bytes: UnsafeRawBufferPointer) -> Int64 {
      let hash = RoomParts.hash(bytes, seed: hashSeed)
      if let number = new.numbers[hash] { return number }
      var number = old.numbers[hash] ?? -1
      if number < 0 || !schedule.keeps(part: number, of: slot) {
        number = old.next
        old.next += 1
        schedule.wrote(part: number, of: slot, changelogFrom: changelogNext, nowMs: nowMs)
        self.write(.part, key, write) {
          $0.append(number: number)
          $0 += bytes
        }
      }
      new.numbers[hash] = number
      return number
    }
  }

  private func write(
    _ kind: RoomRecord.Kind, _ key: UnsafeRawBufferPointer, _ write: Write, content: (inout [UInt8]) -> Void
  ) {
    RoomRecord.write(kind, offset: nextOffset, of: key, into: &value, content: content)
    value.withUnsafeBytes { write(key, $0) }
  }

  /// A room was installed from a head and these parts of the changelog.
  func installed(_ slot: Int32, head: RoomHead, parts found: [Int64: FoundPart]) {
    var parts = RoomParts(next: head.next)
    for (number, part) in found.sorted(by: { $0.key < $1.key }) {
      part.content.withUnsafeBytes { parts.numbers[RoomParts.hash($0[part.start...].rebased, seed: hashSeed)] = number }
    }
    self.parts[slot] = parts
  }

  /// The metadata to commit with ``nextOffset``, once the rooms that were due are written. ``takeSavepoint()`` is to be
  /// asked next.
  ///
  /// - Parameter commit: No other commit, at no time, has it; ASCII.
  package func metadata(for commit: String, partitions: Int32) -> CommitMetadata {
    noteIds()
    let start = points.start(changedAfter: schedule.oldestChange(), offset: nextOffset, clock: engine.clock)
    let mapping = start.point.settings.mapping
    if savepoint.map({ engine.clock >= $0.clock &+ Savepoint.everyMs || mapping != $0.mapping }) ?? true {
      savepoint = (engine.clock, mapping, changelogNext)
      isSavepointDue = true
    }
    let roomsFrom = schedule.changelogFrom(restoringAfter: points.oldestTransaction) ?? changelogNext
    let neededFrom = min(roomsFrom, points.marksFrom ?? roomsFrom)
    return CommitMetadata(
      restorePoint: start.point, applyFrom: start.applyFrom,
      changelogFrom: mapping == nil ? neededFrom : min(neededFrom, savepoint!.from),
      clock: engine.clock, lastOffset: engine.lastOffset, commit: commit, partitions: partitions,
      markSeed: points.marksFrom == nil ? nil : engine.markSeed)
  }

  /// Whether a savepoint is to be written, too, after the checkpoints of its transaction, which belong to it.
  package func takeSavepoint() -> Bool {
    defer { isSavepointDue = false }
    return isSavepointDue
  }

  /// The transaction is through.
  ///
  /// - Parameters:
  ///   - journalNext: The offset after the last of this partition's journal that is known to be written; nil: nothing
  ///     is known. `changelogNext` likewise.
  package func committed(journalNext: Int64?, changelogNext: Int64?) {
    if hasWrittenMarks, let from = engine.markLogFrom {
      points.wroteMarks(since: from, changelogFrom: self.changelogNext)
      engine.beginMarkLog(at: nextOffset)
    }
    hasWrittenMarks = false
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

  /// Ends a stretch: a recovery takes what lies between two restore points as one transaction.
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
    keepMarks()
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

// MARK: - Marks of events

extension RestorableRooms {
  /// A restore reads the records of fewer events in some tenths of a second.
  package static let manyMarks = 100_000
  /// A recovery keeps no more to be written later.
  private static let mostMarks = 1_000_000

  /// Hands the marks that came since they were last written to `write`, if a restore may begin after this transaction:
  /// the values of records of the changelog without a key.
  package func writeMarks(_ write: (_ value: UnsafeRawBufferPointer) -> Void) {
    guard engine.markLogFrom != nil, isRestorePointDue else { return }
    engine.cutMarkLog(at: nextOffset)
    engine.forEachMarkBlock { offsets, marks in
      MarkBlock.write(offsets, marks, into: &value)
      value.withUnsafeBytes { write($0) }
    }
    hasWrittenMarks = true
  }

  /// A restore may begin here. Where many events are remembered the marks of those that come next are kept, to be written.
  func keepMarks() {
    if engine.eventIdCount < manyMarks || engine.markLogCount > Self.mostMarks { engine.endMarkLog() }
    if engine.markLogFrom != nil {
      engine.cutMarkLog(at: nextOffset)
    } else if engine.eventIdCount >= manyMarks {
      engine.beginMarkLog(at: nextOffset)
    }
  }

  /// Takes the marks of what came before the restore point.
  func install(_ block: MarkBlock) {
    var last = LogTime.min
    block.forEach { mark, until in
      engine.remember(mark, until: until)
      last = max(last, until)
    }
    points.foundMarks(changelogFrom: block.at, until: last)
  }
}
