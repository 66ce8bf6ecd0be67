import Recovery
import RoomEngine
import RoomModel
import Settings
import Wire

/// Records that a worker left behind for the next: its commits, the journal, the changelog.
extension FuzzTarget {
  static let restores = [
    FuzzTarget("commits") {
      // Version 1, too, has no sum, so a change in it goes further.
      let rest = metadata.text[metadata.text.firstRange(of: "\"commit\"")!.lowerBound...]
      return [metadata.text, Savepoint(offset: 10, metadata: metadata).text, "{\"version\":1,\(rest)"]
        .map { Array($0.utf8) }
    } run: { bytes in
      if let savepoint = try? Savepoint(bytes) { restore(savepoint.metadata) { _ in } }
      if let metadata = try? CommitMetadata(text: String(decoding: bytes, as: UTF8.self)) { restore(metadata) { _ in } }
    },
    FuzzTarget("journal-lines") {
      var settings = LogSettings()
      settings.engine.gift.lanes = 3
      let lines = [
        JournalLine(offset: 3, what: .firedTo(Samples.clock + 900)), JournalLine(offset: 5, what: .settings(settings)),
      ]
      let old = lines.map { $0.json.split(separator: ",\"version\"")[0] + "}" }
      return [Array(lines.map(\.json).joined(separator: "\n").utf8), Array(old.joined(separator: "\n").utf8)]
        + lines.map { Array($0.json.utf8) }
    } run: { bytes in
      restore(metadata) { recovery in
        for (offset, line) in zip(Int64(0)..., bytes.split(separator: UInt8(ascii: "\n")).prefix(16)) {
          try? recovery.found(journalLine: UnsafeRawBufferPointer(rebasing: line), at: offset)
        }
      }
    },
    FuzzTarget("checkpoints") {
      Samples.states.map { state in
        var record: [UInt8] = []
        RoomRecord.write(.whole, offset: 5, of: Text("r1").bytes, into: &record) { $0 += state }
        return record
      }
    } run: { bytes in
      let room = Text("r1").bytes
      restore(metadata) { recovery in try? recovery.found(room: room, checkpoint: bytes, at: 0) }
      // The same with a sum that is right, as a state and as a head that names a part.
      for kind in [RoomRecord.Kind.whole, .head] {
        restore(metadata) { recovery in
          var record: [UInt8] = []
          RoomRecord.write(.part, offset: 5, of: room, into: &record) { $0 += [0] + Samples.states[0].dropFirst(9) }
          record.withUnsafeBytes { try? recovery.found(room: room, checkpoint: $0, at: 0) }
          RoomRecord.write(kind, offset: 5, of: room, into: &record) { $0 += bytes.dropFirst(14) }
          record.withUnsafeBytes { try? recovery.found(room: room, checkpoint: $0, at: 1) }
        }
      }
    },
  ]

  private static let metadata = CommitMetadata(
    restorePoint: RestorePoint(
      offset: 0, clock: Samples.clock, lastOffset: -1, settings: LogSettings(), settingsEpoch: 0, journalFrom: 0),
    applyFrom: 0, changelogFrom: 0, clock: Samples.clock + 2250, lastOffset: 9, commit: "a#1", partitions: 1)

  private static let records = (Samples.events + Samples.events).map { Samples.json($0) }

  /// A new owner restores what was committed at offset 10, goes on with some more records, and commits in its turn.
  private static func restore(_ metadata: CommitMetadata, _ find: (PartitionRecovery) -> Void) {
    var decoder = EventDecoder()
    var batch = CommandBatch()
    let recovery = PartitionRecovery(
      of: "in/0", from: .commit(Savepoint(offset: 10, metadata: metadata)), to: 10, firstOffset: 0, checkpointMs: 100,
      hashSeed: 1)
    find(recovery)
    let range: Range<Int64>?
    do { range = try recovery.logsRead(journalEnd: 20, changelogEnd: 20, nowMs: 0) } catch { return }
    each(range?.clamped(to: 0..<10) ?? 0..<0) { recovery.replay($0, decoder: &decoder, batch: &batch) }
    let rooms = recovery.finish(batch: &batch)
    each(10..<18) { record in
      let event = try? decoder.decode(key: record.key, value: record.value, contentType: nil, keyRule: .any)
      _ = rooms.apply(record, event, into: &batch)
    }
    _ = rooms.engine.fireTimers(through: Samples.clock + 6000, into: &batch)
    commit(rooms)
  }

  private static func each(_ offsets: Range<Int64>, _ body: (InputRecord) -> Void) {
    for offset in offsets {
      records[Int(offset)].withUnsafeBytes { value in
        body(
          InputRecord(
            offset: offset, timestampMs: Samples.clock + offset * 250, key: Text("r1").bytes, value: value,
            contentType: nil))
      }
    }
  }

  private static func commit(_ rooms: RestorableRooms) {
    var due: [Int32] = []
    rooms.takeDue(nowMs: 0, into: &due)
    rooms.takeDue(nowMs: 1000, into: &due)
    for slot in due {
      rooms.writeCheckpoint(of: slot, nowMs: 1000) { key, value in
        guard (try? RoomRecord(value, of: key)) != nil else { fatalError("a record that was written can't be read") }
      }
    }
    let metadata = rooms.metadata(for: "b#1", partitions: 1)
    _ = rooms.takeSavepoint()
    rooms.committed(journalNext: nil, changelogNext: nil)
    guard (try? CommitMetadata(text: metadata.text)) == metadata else {
      fatalError("what was committed can't be read: \(metadata.text)")
    }
  }
}
