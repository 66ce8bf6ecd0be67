import Recovery
import RoomEngine
import RoomModel
import Settings
import Testing
import Wire

/// The marks of events that are written with a partition's state.
@Suite final class MarkTests {
  private var decoder = EventDecoder()
  private var batch = CommandBatch()
  private var changelog: [(key: [UInt8]?, value: [UInt8])] = []

  /// A gift each 10 ms, with an id of its own.
  private func withGift(_ number: Int64, at offset: Int64, _ body: (InputRecord) -> Void) {
    let event =
      #"{"eventId":"e\#(number)","roomId":"r1","gift":{"sender":{"userId":"7"},"giftId":"rose"}}"#
    Array("r1".utf8).withUnsafeBytes { key in
      Array(event.utf8).withUnsafeBytes { value in
        body(InputRecord(offset: offset, timestampMs: offset * 10, key: key, value: value, contentType: nil))
      }
    }
  }

  private func apply(_ number: Int64, at offset: Int64, to rooms: RestorableRooms) -> PartitionLog.Applied {
    var applied = PartitionLog.Applied.notUnderstood
    withGift(number, at: offset) { record in
      let event = try? decoder.decode(key: record.key, value: record.value, contentType: nil, keyRule: .roomId)
      applied = rooms.apply(record, event, into: &batch)
    }
    batch.removeAll()
    return applied
  }

  /// A worker's part of a log whose events are remembered for ten seconds, with a commit each 100 ms; the last of these.
  private func work(_ count: Int64, manyMarks: Int) throws -> (RestorableRooms, Savepoint) {
    var settings = LogSettings()
    settings.engine.dedupe.windowMs = 10_000
    let beginning = PartitionRecovery(
      of: "in/0", from: .nothing(before: 0, settings), to: 0, firstOffset: 0, checkpointMs: 500, hashSeed: 1,
      manyMarks: manyMarks)
    _ = try beginning.logsRead(journalEnd: 0, changelogEnd: 0, nowMs: 0)
    let rooms = beginning.finish(batch: &batch)
    var last: Savepoint?
    for offset in 0..<count {
      _ = apply(offset, at: offset, to: rooms)
      if offset % 10 == 9 { last = commit(rooms, "c\(offset)", nowMs: offset * 10) }
    }
    return (rooms, try #require(last))
  }

  private func commit(_ rooms: RestorableRooms, _ name: String, nowMs: Int64) -> Savepoint {
    var due: [Int32] = []
    rooms.takeDue(nowMs: nowMs, into: &due)
    for slot in due { rooms.writeCheckpoint(of: slot, nowMs: nowMs) { changelog.append((Array($0), Array($1))) } }
    rooms.writeMarks { changelog.append((nil, Array($0))) }
    let commit = Savepoint(offset: rooms.nextOffset, metadata: rooms.metadata(for: name, partitions: 1))
    if rooms.takeSavepoint() { changelog.append((nil, Array(commit.text.utf8))) }
    rooms.committed(journalNext: nil, changelogNext: Int64(changelog.count))
    return commit
  }

  private func restore(_ commit: Savepoint) throws -> (PartitionRecovery, Range<Int64>?) {
    let recovery = PartitionRecovery(
      of: "in/0", from: .commit(commit), to: commit.offset, firstOffset: 0, checkpointMs: 500, hashSeed: 2)
    for (at, record) in changelog.enumerated().dropFirst(Int(commit.metadata.changelogFrom)) {
      guard let key = record.key ?? (isOfMarks(record) ? [] : nil) else { continue }
      try key.withUnsafeBytes { key in
        try record.value.withUnsafeBytes { try recovery.found(room: key, checkpoint: $0, at: Int64(at)) }
      }
    }
    let range = try recovery.logsRead(
      journalEnd: 0, changelogEnd: Int64(changelog.count), nowMs: commit.metadata.clock)
    return (recovery, range)
  }

  private func isOfMarks(_ record: (key: [UInt8]?, value: [UInt8])) -> Bool {
    RoomRecord.hasMarks(key: record.key, value: record.value)
  }

  /// Of those that are written a restore reads no record again, and it knows all of them.
  @Test func marksThatAreWrittenStandForTheirRecords() throws {
    let (rooms, last) = try work(3000, manyMarks: 100)
    let (recovery, found) = try restore(last)
    let range = try #require(found)
    #expect(range.upperBound == 3000)
    #expect(range.lowerBound > 2700, "a restore reads the last of ten seconds")
    for offset in range {
      withGift(offset, at: offset) { recovery.replay($0, decoder: &decoder, batch: &batch) }
    }
    let restored = recovery.finish(batch: &batch)
    #expect(recovery.isExact)
    #expect(Snapshot(restored) == Snapshot(rooms))
    for (place, number) in ([2100, 2500, 2999, 1500] as [Int64]).enumerated() {
      let applied = apply(number, at: 3000 + Int64(place), to: restored)
      #expect((applied == .duplicate) == (number > 2000), "e\(number)")
    }
  }

  @Test func whereFewAreRememberedTheirRecordsAreReadAgain() throws {
    let (_, last) = try work(300, manyMarks: 1000)
    #expect(last.metadata.restorePoint.offset == 0)
    #expect(!changelog.contains { isOfMarks($0) })
  }

  @Test func damagedMarksAreTold() throws {
    let (_, last) = try work(3000, manyMarks: 100)
    let at = try #require(changelog.lastIndex { isOfMarks($0) })
    changelog[at].value[20] ^= 1
    let (recovery, _) = try restore(last)
    #expect(recovery.damages == [.marks(at: Int64(at))])
  }
}
