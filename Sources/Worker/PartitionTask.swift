package import Kafka
internal import RoomEngine
package import RoomModel
package import Settings
package import Wire

/// A record of an input topic, as the worker needs it. Bytes belong to whoever received it.
package struct InputRecord {
  package var offset: Int64
  package var timestampMs: Int64
  package var key: UnsafeRawBufferPointer?
  package var value: UnsafeRawBufferPointer?
  /// The last `content-type` header.
  package var contentType: UnsafeRawBufferPointer?

  package init(
    offset: Int64, timestampMs: Int64, key: UnsafeRawBufferPointer?, value: UnsafeRawBufferPointer?,
    contentType: UnsafeRawBufferPointer?
  ) {
    self.offset = offset
    self.timestampMs = timestampMs
    self.key = key
    self.value = value
    self.contentType = contentType
  }
}

/// What the tasks of one thread share: a decoder, and buffers that are kept.
package struct Workbench: ~Copyable {
  package var decoder = EventDecoder()
  package var batch = CommandBatch()
  package var outbox = Outbox()
  fileprivate var changed: [PartitionLog.RoomHandle] = []
  fileprivate var due: [Int32] = []
  fileprivate var scratch: [UInt8] = []

  package init() {}
}

/// One input partition: its rooms, and what of them has been saved. Pure: it reads no clock and does no IO.
///
/// A task is made from what was committed with its partition's offset, brought to that offset with what is in the
/// changelog, the journal and the log (``found(_:at:)`` … ``replayed(_:)``), and then goes on with the log.
package final class PartitionTask {
  package let partition: TopicPartition
  /// Its topic's place among `topics.input`.
  package let topic: Int32
  /// The next record to be read.
  package private(set) var nextOffset: Int64
  /// Whether the partition has been read to its end, as far as is known.
  package private(set) var isAtEnd = false
  /// Whether something happened since the last commit.
  package private(set) var isTouched = false
  package private(set) var counts = Counts()

  /// What happened, since the task began.
  package struct Counts: Equatable, Sendable {
    package var records: Int64 = 0
    package var duplicates: Int64 = 0
    package var deadLetters: Int64 = 0
    package var timersFired: Int64 = 0
    package var checkpoints: Int64 = 0
    /// Commands, by ``RoomCommand/Body/Kind``.
    package var commands = [Int64](repeating: 0, count: RoomCommand.Body.Kind.allCases.count)

    package init() {}
  }

  private var log: PartitionLog
  private let encoder: CommandEncoder
  private let commandPartitions: Int32
  private let inputPartitions: Int32
  private var inForce: LogSettings
  private var inForceText: String
  private var findings = Findings()
  private let from: CommitMetadata
  private let isNew: Bool
  private let committedOffset: Int64

  private var schedule: CheckpointSchedule
  private var marks: MarkTrail
  /// Transactions so far, and before them stretches of the replay.
  private var transaction: Int64 = 0
  /// The first records of journal and changelog that no finished transaction of ours has written.
  private var journalNext: Int64
  private var changelogNext: Int64
  /// While replaying: the first record of the journal that has not been taken.
  private var replayedJournalTo: Int64

  /// What a restore has found.
  private struct Findings {
    /// Each room's newest, and where in the changelog it lies.
    var checkpoints: [[UInt8]: (Checkpoint, at: Int64)] = [:]
    var lines: [(JournalLine, at: Int64)] = []
    var linesTaken = 0
    /// Where the checkpoints lie of rooms that are no more.
    var last: [Int64] = []
  }

  /// How far apart marks are: a restore begins at most this much earlier than it must.
  private static let markEveryMs: Milliseconds = 1000
  private static let markEveryRecords: Int64 = 50_000

  /// - Parameters:
  ///   - offset: The committed offset, or where to begin if there is none.
  ///   - metadata: What was committed with it; nil: no rooms, at that offset.
  package init(
    _ partition: TopicPartition, topic: Int32, offset: Int64, metadata: CommitMetadata?, layout: TopicLayout,
    checkpointMs: Int64, hashSeed: UInt64
  ) {
    self.partition = partition
    self.topic = topic
    isNew = metadata == nil
    let metadata = metadata ?? .nothing(before: offset, partitions: layout.inputPartitions[partition.topic] ?? 0)
    from = metadata
    committedOffset = offset
    let mark = metadata.mark
    nextOffset = mark.offset
    inForce = mark.settings
    inForceText = mark.settings.json
    log = PartitionLog(settings: mark.settings.engine, hashSeed: hashSeed, keepsChanges: true)
    log.resume(
      clock: mark.clock, lastOffset: mark.lastOffset, settings: mark.settings.engine,
      settingsEpoch: mark.settingsEpoch)
    encoder = CommandEncoder(topic: partition.topic, partition: partition.partition, format: layout.format)
    commandPartitions = layout.commandPartitions
    inputPartitions = metadata.partitions
    schedule = CheckpointSchedule(intervalMs: checkpointMs)
    marks = MarkTrail(from: mark)
    journalNext = mark.journalFrom
    replayedJournalTo = mark.journalFrom
    changelogNext = metadata.changelogFrom
  }

  /// What it was restored from; nil: from nothing.
  package var origin: (offset: Int64, metadata: CommitMetadata)? { isNew ? nil : (committedOffset, from) }

  /// From where the changelog has to be read, and the journal; nil: only their ends are of interest.
  package var changelogFrom: Int64? { isNew ? nil : from.changelogFrom }
  package var journalFrom: Int64? { isNew ? nil : from.mark.journalFrom }

  package var roomCount: Int { log.roomCount }
  package var clock: LogTime { log.clock }
  /// Least deadline of all timers; `.max`: none.
  package var nextDeadline: LogTime { log.nextDeadline }
  package var graceMs: Milliseconds { inForce.graceMs }
}

// MARK: - Restoring

extension PartitionTask {
  /// A record of the changelog, from ``CommitMetadata/changelogFrom`` on.
  package func found(room: UnsafeRawBufferPointer, checkpoint: UnsafeRawBufferPointer, at offset: Int64)
    throws(RestoreError)
  {
    let checkpoint = try Checkpoint(checkpoint)
    changelogNext = max(changelogNext, offset + 1)
    // What an earlier life of the group wrote beyond what it committed is none of ours.
    guard checkpoint.offset <= committedOffset else { return }
    findings.checkpoints[Array(room)] = (checkpoint, offset)
  }

  /// A record of the journal, from ``Mark/journalFrom`` on.
  package func found(journalLine bytes: UnsafeRawBufferPointer, at offset: Int64) throws(RestoreError) {
    guard let line = JournalLine(json: bytes) else { throw .journal(offset: offset) }
    guard line.offset <= committedOffset else { return }
    findings.lines.append((line, offset))
  }

  /// Changelog and journal have been read to their ends. What of the input has to be replayed; nil: nothing.
  package func logsRead(journalEnd: Int64, changelogEnd: Int64, nowMs: Int64, bench: inout Workbench)
    throws(RestoreError) -> Range<Int64>?
  {
    if isNew {
      // What journal and changelog hold is of an earlier life of the group.
      var mark = marks.newest
      mark.journalFrom = journalEnd
      marks = MarkTrail(from: mark)
      replayedJournalTo = journalEnd
    }
    journalNext = max(journalNext, journalEnd)
    changelogNext = max(changelogNext, changelogEnd)
    // A room that was written further on sleeps until the log is there.
    for (room, (checkpoint, at)) in findings.checkpoints {
      let handle = try install(room, checkpoint.state)
      if checkpoint.isLast {
        findings.last.append(at)
      } else {
        schedule.wrote(handle.slot, changelogFrom: at, nowMs: nowMs)
      }
    }
    findings.checkpoints = [:]
    return nextOffset < committedOffset ? nextOffset..<committedOffset : nil
  }

  /// A record of the input before the committed offset: its commands were published long ago.
  package func replay(_ record: InputRecord, bench: inout Workbench) {
    guard record.offset >= nextOffset, record.offset < committedOffset else { return }
    takeLines(before: record.offset, bench: &bench)
    let event = try? bench.decoder.decode(
      key: record.key, value: record.value, contentType: record.contentType, keyRule: inForce.keyRule)
    _ = log.apply(offset: record.offset, timestampMs: record.timestampMs, event: event, into: &bench.batch)
    bench.batch.removeAll()
    nextOffset = record.offset + 1
    if isTimeForMark { endStretch(journalFrom: replayedJournalTo, bench: &bench) }
  }

  /// The input has been replayed to the committed offset. Whether the log tells the same as when it was committed.
  package func replayed(bench: inout Workbench) -> Bool {
    takeLines(before: committedOffset, bench: &bench)
    nextOffset = committedOffset
    endStretch(journalFrom: replayedJournalTo, bench: &bench)
    for at in findings.last { schedule.wroteLast(nil, changelogFrom: at, transaction: transaction) }
    findings = Findings()
    return log.clock == from.clock && log.lastOffset == from.lastOffset
  }
}

extension PartitionTask {
  /// Does what the journal says came before the record with `offset`.
  private func takeLines(before offset: Int64, bench: inout Workbench) {
    while findings.linesTaken < findings.lines.count {
      let (line, at) = findings.lines[findings.linesTaken]
      guard line.offset <= offset else { break }
      switch line.what {
      case .firedTo(let time):
        _ = log.fireTimers(through: time, into: &bench.batch)
        log.advanceClock(to: time)
      case .settings(let settings):
        change(to: settings)
      }
      findings.linesTaken += 1
      replayedJournalTo = at + 1
    }
    bench.batch.removeAll()
  }

  private func install(_ room: [UInt8], _ state: [UInt8]) throws(RestoreError) -> PartitionLog.RoomHandle {
    do {
      return try room.withUnsafeBytes { room in
        try state.withUnsafeBytes { state in
          try log.install(room: Text(start: room.baseAddress!, count: room.count), state: state)
        }
      }
    } catch {
      throw .state(room: String(decoding: room, as: UTF8.self), why: "\(error)")
    }
  }

  private func change(to settings: LogSettings) {
    marks.noteIds(clock: log.clock, windowMs: inForce.engine.dedupe.windowMs)
    inForce = settings
    inForceText = settings.json
    log.change(to: settings.engine)
  }
}

// MARK: - Going on with the log

extension PartitionTask {
  /// Puts `settings` in force from here, if they are not.
  package func adopt(_ settings: LogSettings, bench: inout Workbench) {
    guard settings != inForce else { return }
    change(to: settings)
    write(.settings(settings), bench: &bench)
  }

  /// The next record of the log. Its commands are in the bench's outbox; so is a dead letter, but for the headers.
  ///
  /// - Returns: Why it is a dead letter, if it is one.
  package func process(_ record: InputRecord, bench: inout Workbench) -> NotUnderstood? {
    guard record.offset >= nextOffset else { return nil }
    isAtEnd = false
    isTouched = true
    counts.records += 1
    var failure: NotUnderstood?
    do throws(NotUnderstood) {
      let event = try bench.decoder.decode(
        key: record.key, value: record.value, contentType: record.contentType, keyRule: inForce.keyRule)
      let applied = log.apply(
        offset: record.offset, timestampMs: record.timestampMs, event: event, into: &bench.batch)
      if applied == .duplicate { counts.duplicates += 1 }
    } catch {
      _ = log.apply(offset: record.offset, timestampMs: record.timestampMs, event: nil, into: &bench.batch)
      counts.deadLetters += 1
      failure = error
    }
    nextOffset = record.offset + 1
    publish(bench: &bench)
    return failure
  }

  /// Sends a record that was not understood to the dead letters, as it came.
  package func bury(_ record: InputRecord, headers: Outbox.Headers, reason: NotUnderstood, bench: inout Workbench) {
    var headers = headers
    headers.append(("flyscreen-error", Array(reason.description.utf8)))
    headers.append(("flyscreen-topic", Array(partition.topic.utf8)))
    headers.append(("flyscreen-partition", Array(String(partition.partition).utf8)))
    headers.append(("flyscreen-offset", Array(String(record.offset).utf8)))
    bench.outbox.append(
      .deadLetters, topic: topic, partition: partition.partition, key: record.key, value: record.value,
      headers: headers)
  }

  /// The partition was read to its end, which lies at `offset`.
  package func reachedEnd(at offset: Int64) {
    if offset >= nextOffset { isAtEnd = true }
  }

  /// Fires what is due on an idle log, the wall clock standing at `nowMs`.
  package func fireIdleTimers(nowMs: Int64, bench: inout Workbench) {
    guard isAtEnd, log.nextDeadline <= nowMs - inForce.graceMs,
      let fired = log.fireTimers(through: nowMs - inForce.graceMs, into: &bench.batch)
    else { return }
    isTouched = true
    counts.timersFired += 1
    publish(bench: &bench)
    write(.firedTo(fired), bench: &bench)
  }

  private func publish(bench: inout Workbench) {
    for command in bench.batch.commands {
      counts.commands[Int(command.body.kind.rawValue)] += 1
      let keyStart = bench.outbox.bytes.count
      bench.outbox.bytes.append(command.roomId)
      let valueStart = bench.outbox.bytes.count
      encoder.encode(command, into: &bench.outbox.bytes)
      bench.outbox.append(
        Outbox.Entry(
          target: .commands, topic: topic,
          partition: Murmur2.partition(key: command.roomId.bytes, partitions: commandPartitions), keyStart: keyStart,
          keyCount: valueStart - keyStart, valueStart: valueStart, valueCount: bench.outbox.bytes.count - valueStart,
          headers: -1))
    }
    bench.batch.removeAll()
  }

  private func write(_ what: JournalLine.What, bench: inout Workbench) {
    isTouched = true
    var line = JournalLine(offset: nextOffset, what: what).json
    line.withUTF8 {
      bench.outbox.append(
        .journal, topic: topic, partition: partition.partition, key: nil, value: UnsafeRawBufferPointer($0))
    }
  }
}

// MARK: - Transactions

extension PartitionTask {
  /// What is committed with the partition's offset; the checkpoints that go with it are in the outbox.
  package func prepareCommit(nowMs: Int64, bench: inout Workbench) -> (offset: Int64, metadata: CommitMetadata) {
    takeChanged(bench: &bench)
    bench.due.removeAll(keepingCapacity: true)
    schedule.takeDue(nowMs: nowMs, into: &bench.due)
    for slot in bench.due { writeCheckpoint(PartitionLog.RoomHandle(slot: slot), nowMs: nowMs, bench: &bench) }
    marks.noteIds(clock: log.clock, windowMs: inForce.engine.dedupe.windowMs)
    let mark = marks.mark(clock: log.clock, changedAfter: schedule.oldestChange() ?? .max)
    let metadata = CommitMetadata(
      mark: mark, changelogFrom: schedule.changelogFrom(restoringAfter: marks.oldestTransaction) ?? changelogNext,
      clock: log.clock, lastOffset: log.lastOffset, partitions: inputPartitions)
    return (nextOffset, metadata)
  }

  /// The transaction is through.
  ///
  /// - Parameters:
  ///   - journalNext: The offset after the last of this partition's journal that the producer knows to be written, if
  ///     it has written any; `changelogNext` likewise.
  package func committed(journalNext: Int64?, changelogNext: Int64?) {
    isTouched = false
    if let journalNext { self.journalNext = max(self.journalNext, journalNext) }
    if let changelogNext { self.changelogNext = max(self.changelogNext, changelogNext) }
    transaction += 1
    if isTimeForMark { appendMark(journalFrom: self.journalNext) }
  }

  private var isTimeForMark: Bool {
    let newest = marks.newest
    return newest.clock == .min || log.clock - newest.clock >= Self.markEveryMs
      || nextOffset - newest.offset >= Self.markEveryRecords || newest.settingsEpoch != log.settingsEpoch
  }

  private func appendMark(journalFrom: Int64) {
    marks.append(
      Mark(
        offset: nextOffset, clock: log.clock, lastOffset: log.lastOffset, settings: inForce,
        settingsEpoch: log.settingsEpoch, journalFrom: journalFrom),
      after: transaction)
  }

  private func endStretch(journalFrom: Int64, bench: inout Workbench) {
    takeChanged(bench: &bench)
    marks.noteIds(clock: log.clock, windowMs: inForce.engine.dedupe.windowMs)
    transaction += 1
    appendMark(journalFrom: journalFrom)
  }

  private func takeChanged(bench: inout Workbench) {
    bench.changed.removeAll(keepingCapacity: true)
    log.takeChangedRooms(into: &bench.changed)
    for room in bench.changed { schedule.changed(room.slot, after: transaction) }
  }

  private func writeCheckpoint(_ room: PartitionLog.RoomHandle, nowMs: Int64, bench: inout Workbench) {
    counts.checkpoints += 1
    bench.scratch.removeAll(keepingCapacity: true)
    let lives = log.hasState(room)
    Checkpoint.header(offset: nextOffset, isLast: !lives, into: &bench.scratch)
    log.writeState(of: room, into: &bench.scratch)
    let roomId = log.roomId(room)
    bench.scratch.withUnsafeBytes {
      bench.outbox.append(
        .changelog, topic: topic, partition: partition.partition, key: roomId.bytes, value: $0)
    }
    if lives {
      schedule.wrote(room.slot, changelogFrom: changelogNext, nowMs: nowMs)
    } else {
      schedule.wroteLast(room.slot, changelogFrom: changelogNext, transaction: transaction + 1)
      log.release(room)
    }
  }
}
