package import Recovery
internal import RoomEngine
internal import RoomModel
internal import Settings
internal import Wire

extension PartitionTask {
  /// A record of the changelog, from ``CommitMetadata/changelogFrom`` on.
  package func found(room: UnsafeRawBufferPointer, checkpoint: UnsafeRawBufferPointer, at offset: Int64)
    throws(RestoreError)
  {
    let checkpoint = try RoomCheckpoint(checkpoint)
    changelogNext = max(changelogNext, offset + 1)
    // What an earlier life of the group wrote beyond what it committed is none of ours.
    guard checkpoint.offset <= committedOffset else { return }
    findings.checkpoints[Array(room)] = (checkpoint, offset)
  }

  /// A record of the journal, from ``Mark/journalFrom`` on.
  package func found(journalLine bytes: UnsafeRawBufferPointer, at offset: Int64) throws(RestoreError) {
    let line = try JournalLine(json: bytes, with: &document)
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
      marks = RestorePoints(from: mark)
      replayedJournalTo = journalEnd
    }
    journalNext = max(journalNext, journalEnd)
    changelogNext = max(changelogNext, changelogEnd)
    // A room that was written further on sleeps until the log is there.
    for (room, (checkpoint, at)) in findings.checkpoints.sorted(by: { $0.value.at < $1.value.at }) {
      let handle = try install(room, checkpoint.state)
      if checkpoint.isLast {
        findings.last.append(at)
      } else {
        schedule.wrote(handle.slot, changelogFrom: at, nowMs: nowMs)
      }
    }
    findings.checkpoints = [:]
    return position < committedOffset ? position..<committedOffset : nil
  }

  /// A record of the input before the committed offset: its commands were published long ago.
  package func replay(_ record: InputRecord, bench: inout Workbench) {
    guard record.offset >= nextOffset, record.offset < committedOffset else { return }
    takeLines(before: record.offset, bench: &bench)
    let event = try? bench.decoder.decode(
      key: record.key, value: record.value, contentType: record.contentType, keyRule: inForce.keyRule)
    if record.offset < from.applyFrom {
      log.note(offset: record.offset, timestampMs: record.timestampMs, event: event, into: &bench.batch)
    } else {
      _ = log.apply(offset: record.offset, timestampMs: record.timestampMs, event: event, into: &bench.batch)
    }
    bench.batch.removeAll()
    nextOffset = record.offset + 1
    if isTimeForMark { endStretch(journalFrom: replayedJournalTo, bench: &bench) }
  }

  /// The input has been replayed to the committed offset. Whether the log tells the same as when it was committed.
  package func replayed(bench: inout Workbench) -> Bool {
    takeLines(before: committedOffset, bench: &bench)
    // All of it may be gone by now: long idle, the rooms are in the changelog, and the ids were for a time long past.
    let isGone = firstOffset >= committedOffset && !isNew
    if isGone { log.skip(to: from.clock, lastOffset: from.lastOffset) }
    nextOffset = committedOffset
    endStretch(journalFrom: replayedJournalTo, bench: &bench)
    for at in findings.last { schedule.wroteLast(nil, changelogFrom: at, transaction: transaction) }
    findings = Findings()
    if isGone, from.applyFrom < committedOffset { return false }
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
    do throws(StateError) {
      return try room.span.bytes.withUnsafeBytes { (room) throws(StateError) in
        try state.span.bytes.withUnsafeBytes { (state) throws(StateError) in
          try log.install(room: Text(start: room.baseAddress!, count: room.count), state: state)
        }
      }
    } catch {
      throw .state(room: String(decoding: room, as: UTF8.self), error)
    }
  }

  func change(to settings: LogSettings) {
    marks.noteIds(clock: log.clock, windowMs: inForce.engine.dedupe.windowMs)
    inForce = settings
    inForceText = settings.json
    log.change(to: settings.engine)
  }
}
