internal import Kafka
package import Recovery
internal import RoomEngine
internal import RoomModel
internal import Settings

extension PartitionTask {
  /// Whether something happened since the last commit, or the changelog has waited too long for a room.
  package func hasWork(nowMs: Int64) -> Bool { isTouched || schedule.isOverdue(nowMs: nowMs) }

  /// What is committed with the partition's offset; the checkpoints that go with it are in the outbox.
  package func prepareCommit(_ commit: String, nowMs: Int64, bench: inout Workbench) -> (
    offset: Int64, metadata: CommitMetadata
  ) {
    takeChanged(bench: &bench)
    bench.due.removeAll(keepingCapacity: true)
    schedule.takeDue(nowMs: nowMs, into: &bench.due)
    for slot in bench.due { writeCheckpoint(PartitionLog.RoomHandle(slot: slot), nowMs: nowMs, bench: &bench) }
    marks.noteIds(clock: log.clock, windowMs: inForce.engine.dedupe.windowMs)
    let start = marks.start(changedAfter: schedule.oldestChange(), offset: nextOffset, clock: log.clock)
    let metadata = CommitMetadata(
      restorePoint: start.point, applyFrom: start.applyFrom,
      changelogFrom: schedule.changelogFrom(restoringAfter: marks.oldestTransaction) ?? changelogNext,
      clock: log.clock, lastOffset: log.lastOffset, commit: commit, partitions: inputPartitions)
    if isTimeForWaypoint { write(Savepoint(offset: nextOffset, metadata: metadata), bench: &bench) }
    return (nextOffset, metadata)
  }

  private var isTimeForWaypoint: Bool {
    guard let waypointClock else { return true }
    return log.clock >= waypointClock &+ Self.waypointEveryMs
  }

  /// After the checkpoints of its transaction, which belong to it.
  private func write(_ savepoint: Savepoint, bench: inout Workbench) {
    waypointClock = log.clock
    var text = savepoint.text
    text.withUTF8 {
      bench.outbox.append(
        .changelog, topic: topic, partition: partition.partition, key: nil, value: UnsafeRawBufferPointer($0))
    }
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

  var isTimeForMark: Bool {
    let newest = marks.newest
    return newest.clock == .min || log.clock - newest.clock >= Self.markEveryMs
      || nextOffset - newest.offset >= Self.markEveryRecords || newest.settingsEpoch != log.settingsEpoch
  }

  private func appendMark(journalFrom: Int64) {
    marks.append(
      RestorePoint(
        offset: nextOffset, clock: log.clock, lastOffset: log.lastOffset, settings: inForce,
        settingsEpoch: log.settingsEpoch, journalFrom: journalFrom),
      after: transaction)
  }

  func endStretch(journalFrom: Int64, bench: inout Workbench) {
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
    RoomCheckpoint.header(offset: nextOffset, isLast: !lives, into: &bench.scratch)
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
