internal import JSON
internal import RoomEngine
package import RoomModel
package import Settings
package import Wire

/// Brings a partition's rooms to where they stood before a record: rooms from the changelog, then the log from a
/// restore point on with its journal, the commands thrown away. Pure: what was read comes in as calls.
///
/// First what the changelog has (``found(room:checkpoint:at:)``), then ``logsRead(journalEnd:changelogEnd:nowMs:)``,
/// then the log (``replay(_:decoder:batch:)``), at last ``finish(batch:)``. A line of the journal may come at any time
/// before the record that it came before.
package final class PartitionRecovery {
  /// The beginning of a recovery.
  package enum Origin {
    /// A commit and its offset.
    case commit(Savepoint)
    /// Nothing is known of what came before this record, or it was under other rules; the settings in force there, and
    /// how far the log had come if that is known.
    case nothing(before: Int64, LogSettings, clock: LogTime = .min, lastOffset: Int64 = -1)
  }

  /// Nil: nothing.
  package let origin: Savepoint?
  /// The first record that the log still has.
  package let firstOffset: Int64
  /// Whether records after the target are gone, too: the rooms go on behind them.
  package var passesOver: Bool { firstOffset > target }
  /// Whether the rooms are those that were committed. It is known after the end, and for the commit's own offset alone.
  package private(set) var isExact = true
  /// The last record of the last batch that the journal says was passed over; -1: none was.
  package private(set) var passedThrough: Int64 = -1

  /// Whether a mapping is in force somewhere in what is replayed, and one that reads headers.
  package private(set) var readsMappings = false
  package private(set) var readsHeaders = false

  private var from: CommitMetadata
  private let target: Int64
  private let rooms: RestorableRooms
  private var document = JSONDocument()
  /// Parts that could not be read; they are left out.
  package private(set) var damages: [Damage] = []
  /// Each room's newest, and where in the changelog it lies.
  private var checkpoints: [[UInt8]: (record: RoomRecord, at: Int64)] = [:]
  /// The parts of rooms' states, by number, as far as a head may name them.
  private var parts: [[UInt8]: [Int64: FoundPart]] = [:]
  /// The offset of each room's last unreadable record.
  private var damagedRecords: [[UInt8]: Int64] = [:]
  /// The marks of what came before the restore point, as they follow each other in the changelog.
  private var markBlocks: [MarkBlock] = []
  /// The offsets of checkpoints of rooms that are no more.
  private var tombstones: [Int64] = []
  /// Lines of the journal that are still to be taken.
  private var lines = Queue<(line: JournalLine, at: Int64)>()
  /// The first record of the journal that has not been taken.
  private var journalTaken: Int64
  /// Changelog or journal end before what the commit names.
  private var lacksLogs = false

  /// - Parameters:
  ///   - log: `topic/partition`.
  ///   - target: The record before which the rooms are to stand; that of the commit, or a later one.
  ///   - firstOffset: The first record that the log still has.
  ///   - checkpointMs: How long a changed room may wait to be written then; nil: none ever will be.
  ///   - cut: How the rooms' states are cut when they are written.
  ///   - manyMarks: With so many events remembered their marks are written.
  package init(
    of log: String, from origin: Origin, to target: Int64, firstOffset: Int64, checkpointMs: Int64?, hashSeed: UInt64,
    cut: StateCut = .standard, manyMarks: Int = RestorableRooms.manyMarks
  ) {
    switch origin {
    case .commit(let commit):
      self.origin = commit
      from = commit.metadata
    case .nothing(let offset, let settings, let clock, let lastOffset):
      self.origin = nil
      from = .nothing(before: offset, partitions: 0, settings: settings, clock: clock, lastOffset: lastOffset)
    }
    self.target = target
    self.firstOffset = firstOffset
    rooms = RestorableRooms(
      of: log, at: from.restorePoint, changelogFrom: from.changelogFrom, checkpointMs: checkpointMs, hashSeed: hashSeed,
      markSeed: self.origin?.metadata.markSeed, cut: cut, manyMarks: manyMarks)
    journalTaken = from.restorePoint.journalFrom
    note(from.restorePoint.settings.mapping)
  }

  private func note(_ mapping: Mapping?) {
    guard let mapping else { return }
    readsMappings = true
    if mapping.readsHeaders { readsHeaders = true }
  }

  /// The first offsets of changelog and journal that have to be read; nil: only their ends are of interest.
  package var changelogFrom: Int64? { origin?.metadata.changelogFrom }
  package var journalFrom: Int64? { origin?.metadata.restorePoint.journalFrom }

  /// Nothing is known, and nothing has come.
  package var isUntouched: Bool { rooms.engine.lastOffset == -1 && rooms.engine.clock == .min }

  /// A record of the changelog with a key, or with marks and an empty one, from ``changelogFrom`` on.
  ///
  /// - Throws: ``RestoreError/newer(_:)`` for what a later version wrote.
  package func found(room: UnsafeRawBufferPointer, checkpoint: UnsafeRawBufferPointer, at offset: Int64)
    throws(RestoreError)
  {
    let record: RoomRecord
    do throws(RestoreError) { record = try RoomRecord(checkpoint, of: room) } catch {
      if case .newer = error { throw error }
      if room.isEmpty {
        damages.append(.marks(at: offset))
      } else {
        damagedRecords[Array(room)] = offset
      }
      return
    }
    // Leaves out what an earlier life of the group wrote beyond its commits.
    guard let origin, record.offset <= origin.offset else { return }
    if record.kind == .marks { return foundMarks(record, at: offset) }
    let room = Array(room)
    guard record.kind == .part else {
      checkpoints[room] = (record, offset)
      dropParts(of: room, notNamedBy: record)
      return
    }
    var reader = NumberReader(record.content)
    guard let number = reader.number() else { return }
    parts[room, default: [:]][number] = FoundPart(content: record.content, start: reader.place, at: offset)
  }

  /// A record of the changelog without a key, from ``changelogFrom`` on: a commit names the sum alone of its mapping.
  package func found(savepoint bytes: UnsafeRawBufferPointer) {
    guard from.restorePoint.settings.mappingSum != nil, let savepoint = try? Savepoint(bytes),
      let mapping = savepoint.metadata.restorePoint.settings.mapping
    else { return }
    from.restorePoint.settings.find(mapping)
    rooms.found(mapping)
    note(from.restorePoint.settings.mapping)
  }

  private func foundMarks(_ record: RoomRecord, at offset: Int64) {
    guard let block = MarkBlock(record, at: offset) else {
      damages.append(.marks(at: offset))
      return
    }
    // What lies beyond where it begins is of an earlier life of the group.
    while let last = markBlocks.last, last.offsets.upperBound > block.offsets.lowerBound { markBlocks.removeLast() }
    if block.offsets.upperBound <= from.restorePoint.offset { markBlocks.append(block) }
  }

  /// The marks must go without a gap to the restore point: what came before a gap was over when it was written.
  private func installMarks() {
    var end = from.restorePoint.offset
    let first = markBlocks.lastIndex { block in
      guard block.offsets.upperBound == end else { return true }
      end = block.offsets.lowerBound
      return false
    }
    for block in markBlocks[(first.map { $0 + 1 } ?? 0)...] { rooms.install(block) }
    markBlocks = []
    rooms.keepMarks()
  }

  /// Later heads name none of them either: a part is named by the head of its own transaction, and as long as it is
  /// good.
  private func dropParts(of room: [UInt8], notNamedBy record: RoomRecord) {
    guard let old = parts.removeValue(forKey: room), let head = RoomHead(record) else { return }
    parts[room] = head.parts.reduce(into: [:]) { $0[$1] = old[$1] }
  }

  /// A record of the journal, from ``journalFrom`` on.
  ///
  /// - Throws: ``RestoreError/newer(_:)`` for what a later version wrote.
  package func found(journalLine bytes: UnsafeRawBufferPointer, at offset: Int64) throws(RestoreError) {
    let line: JournalLine
    do throws(RestoreError) { line = try JournalLine(json: bytes, with: &document) } catch {
      if case .newer = error { throw error }
      damages.append(.journalLine(at: offset))
      return
    }
    found(line, at: offset)
  }

  package func found(_ line: JournalLine, at offset: Int64) {
    if case .settings(let settings) = line.what { note(settings.mapping) }
    if line.offset <= target { lines.append((line, offset)) }
  }

  /// Takes note that the changelog has been read, and the journal as far as it is to be read beforehand. Returns the
  /// part of the input that has to be replayed; nil: nothing.
  ///
  /// - Parameter nowMs: The time by the clock that says when rooms are to be written.
  package func logsRead(journalEnd: Int64, changelogEnd: Int64, nowMs: Int64) throws(RestoreError) -> Range<Int64>? {
    // Somebody deleted them, or names others than those that were written.
    let lacksJournal = journalEnd < journalFrom ?? 0
    lacksLogs = lacksJournal || changelogEnd < changelogFrom ?? 0
    var point = from.restorePoint
    if origin == nil || lacksJournal {
      // Passes over the journal: it is of an earlier life of the group, or another one.
      point.journalFrom = journalEnd
      journalTaken = journalEnd
    }
    rooms.points = RestorePoints(from: point)
    rooms.journalNext = journalEnd
    rooms.changelogNext = changelogEnd
    installMarks()
    try install(nowMs: nowMs)
    // All of it may be gone by now: long idle, the rooms are in the changelog, and the ids were for a time long past.
    if let origin, firstOffset >= origin.offset {
      rooms.engine.skip(to: from.clock, lastOffset: from.lastOffset)
    }
    let first = max(rooms.nextOffset, firstOffset)
    guard first < target else { return nil }
    if point.settings.mappingSum != nil { damages.append(.mapping(offset: first)) }
    return first..<target
  }

  /// A room that was written further on sleeps until the log is there.
  private func install(nowMs: Int64) throws(RestoreError) {
    for (room, at) in damagedRecords.sorted(by: { $0.value < $1.value }) {
      // A checkpoint that was overtaken is not needed.
      guard checkpoints[room]?.at ?? -1 < at else { continue }
      checkpoints[room] = nil
      damages.append(.room(String(decoding: room, as: UTF8.self), at: at))
    }
    var installedParts: [(at: Int64, part: Int64, slot: Int32)] = []
    for (room, (record, at)) in checkpoints.sorted(by: { $0.value.at < $1.value.at }) {
      let found = parts[room] ?? [:]
      let head = RoomHead(record)
      let state = head.map { $0.state(content: record.content, parts: found) } ?? record.content
      guard let state, let slot = try install(room, state) else {
        damages.append(.room(String(decoding: room, as: UTF8.self), at: at))
        continue
      }
      if record.kind == .last {
        tombstones.append(at)
        continue
      }
      rooms.schedule.wrote(slot, changelogFrom: at, nowMs: nowMs)
      if let head {
        rooms.installed(slot, head: head, parts: found)
        // In any order: all are sorted below.
        installedParts += found.map { ($0.value.at, $0.key, slot) }
      }
    }
    for (at, part, slot) in installedParts.sorted(by: { ($0.at, $0.part) < ($1.at, $1.part) }) {
      rooms.schedule.wrote(part: part, of: slot, changelogFrom: at, nowMs: nowMs)
    }
    checkpoints = [:]
    parts = [:]
    damagedRecords = [:]
  }

  /// Nil: it is no state that is read here: damaged, or of an earlier version.
  private func install(_ room: [UInt8], _ state: [UInt8]) throws(RestoreError) -> Int32? {
    do throws(StateError) {
      return try room.span.bytes.withUnsafeBytes { (room) throws(StateError) in
        try state.span.bytes.withUnsafeBytes { (state) throws(StateError) in
          guard let start = room.baseAddress else { throw .damaged }
          return try rooms.engine.install(room: Text(start: start, count: room.count), state: state).slot
        }
      }
    } catch {
      if case .unknownVersion(let version) = error, version > PartitionLog.stateVersion {
        throw .newer("the state of room \(String(decoding: room, as: UTF8.self)) in a form of version \(version)")
      }
      return nil
    }
  }

  /// A record of the input before the target: its commands were published long ago.
  ///
  /// - Parameter headers: The record's, where the mapping reads some.
  package func replay(
    _ record: InputRecord, headers: [RecordHeader] = [], decoder: inout EventDecoder, batch: inout CommandBatch
  ) {
    guard record.offset >= rooms.nextOffset, record.offset < target else { return }
    takeLines(before: record.offset, batch: &batch)
    guard record.offset >= rooms.nextOffset else { return }
    if record.isPassed { damages.append(.batch(through: record.offset)) }
    let event = try? decoder.decode(
      key: record.key, value: record.value, contentType: record.contentType, keyRule: rooms.keyRule,
      mapping: rooms.settings.mapping, headers: headers)
    apply(record, event, batch: &batch)
    if rooms.isRestorePointDue { rooms.endStretch(journalFrom: journalTaken) }
  }

  private func apply(_ record: InputRecord, _ event: RoomEvent?, batch: inout CommandBatch) {
    // Without one of the logs the rooms are what the input tells of them, now and for those who restore them next.
    if record.offset < from.applyFrom, !lacksLogs {
      rooms.note(record, event, into: &batch)
    } else {
      _ = rooms.apply(record, event, into: &batch)
    }
    batch.removeAll()
  }

  /// The input has been replayed. The rooms as they stood, for somebody to go on with.
  package func finish(batch: inout CommandBatch) -> RestorableRooms {
    takeLines(before: target, batch: &batch)
    // Where all rooms are in the changelog, lines of the journal that are gone would have moved the clock alone.
    if from.applyFrom >= target, !lacksLogs, origin != nil {
      rooms.engine.skip(to: from.clock, lastOffset: from.lastOffset)
    }
    // What lies before the first record that is there is gone: the next commit says so.
    rooms.nextOffset = max(target, firstOffset)
    rooms.endStretch(journalFrom: journalTaken)
    for at in tombstones { rooms.schedule.wroteLast(nil, changelogFrom: at, transaction: rooms.transaction) }
    rooms.schedule.owesCommit = from.applyFrom < target && rooms.schedule.oldestChange() == nil
    let hasAll = firstOffset <= from.applyFrom || from.applyFrom >= target
    isExact =
      hasAll && !lacksLogs && damages.isEmpty && rooms.engine.clock == from.clock
      && rooms.engine.lastOffset == from.lastOffset
    return rooms
  }

  /// Does what the journal says came before the record with `offset`.
  private func takeLines(before offset: Int64, batch: inout CommandBatch) {
    while let (line, at) = lines.first, line.offset <= offset {
      switch line.what {
      case .firedTo(let time):
        _ = rooms.engine.fireTimers(through: time, into: &batch)
        rooms.engine.advanceClock(to: time)
      case .settings(let settings):
        rooms.change(to: settings)
      case .passed(let last, let time):
        passedThrough = last
        guard last >= rooms.nextOffset else { break }
        apply(
          InputRecord(offset: last, timestampMs: time, key: nil, value: nil, contentType: nil), nil, batch: &batch)
      }
      lines.removeFirst()
      journalTaken = at + 1
    }
    batch.removeAll()
  }
}
