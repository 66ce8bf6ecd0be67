import Kafka
import RoomEngine
import RoomModel
import Settings
import Wire
import Recovery

/// How a partition's rooms stood before one of its records, found as a worker's restore does it: rooms from the
/// changelog, then the log from a mark on with the journal, its commands thrown away.
final class PartitionPast {
  private let input: TopicPartition
  private let offset: Int64
  /// Where the log is read from, and from where on rooms get their events.
  private var readFrom: Int64
  private var applyFrom: Int64
  /// The journal's first line, and where the journal ends.
  private(set) var journal: Range<Int64>
  private var settings = LogSettings()
  private var log = PartitionLog(
    settings: LogSettings().engine, hashSeed: .random(in: .min ... .max), keepsChanges: false)
  private var warning: String?
  private var decoder = EventDecoder()
  private var batch = CommandBatch()

  /// Finds what the changelog has.
  init(_ range: PartitionRange, by stream: PartitionStream) throws {
    let (input, extent, offset) = (range.partition, range.extent, range.offsets.lowerBound)
    let changelog = TopicPartition(TopicSettings.changelog(of: input.topic), input.partition)
    self.input = input
    self.offset = offset
    journal = range.journal
    readFrom = extent.lowerBound
    applyFrom = readFrom
    let saved = try stream.extent(of: changelog)
    let savepoints = try Savepoints(around: offset, in: changelog, saved, by: stream)
    if let (savepoint, at) = savepoints.before {
      try restore(savepoint.metadata, upTo: at, changelog, saved, at: savepoint.offset, by: stream)
    } else if let first = savepoints.after?.0.metadata.restorePoint, first.clock == .min {
      // There the group began, knowing nothing.
      readFrom = min(first.offset, offset)
      journal = max(journal.lowerBound, first.journalFrom)..<journal.upperBound
    } else if offset > 0, extent.lowerBound > 0 || savepoints.after != nil {
      warning = "nothing tells any more how rooms stood before \(input) offset \(readFrom)"
    }
    if readFrom < extent.lowerBound {
      warning = warning ?? "\(input) begins at offset \(extent.lowerBound) only, and the rooms' state needs \(readFrom)"
      readFrom = extent.lowerBound
    }
  }

  private func restore(
    _ metadata: CommitMetadata, upTo end: Int64, _ changelog: TopicPartition, _ saved: Range<Int64>, at offset: Int64,
    by stream: PartitionStream
  ) throws {
    let mark = metadata.restorePoint
    settings = mark.settings
    log.resume(
      clock: mark.clock, lastOffset: mark.lastOffset, settings: settings.engine, settingsEpoch: mark.settingsEpoch)
    readFrom = mark.offset
    applyFrom = metadata.applyFrom
    if mark.journalFrom < journal.lowerBound { warning = "the journal of \(input) no longer reaches back far enough" }
    journal = min(max(journal.lowerBound, mark.journalFrom), journal.upperBound)..<journal.upperBound
    if metadata.changelogFrom < saved.lowerBound { warning = "\(changelog) no longer reaches back far enough" }
    var newest: [String: RoomCheckpoint] = [:]
    try stream.start(changelog, max(metadata.changelogFrom, saved.lowerBound)..<end)
    while let record = try stream.peek() {
      defer { stream.advance() }
      guard let key = record.key, let value = record.value else { continue }
      let checkpoint: RoomCheckpoint
      do { checkpoint = try RoomCheckpoint(value) } catch {
        throw BrokenLog("\(changelog) offset \(record.offset) is no room's state")
      }
      if checkpoint.offset <= offset { newest[String(decoding: key, as: UTF8.self)] = checkpoint }
    }
    for (room, checkpoint) in newest {
      do {
        try room.withText { id in
          try checkpoint.state.withUnsafeBytes { _ = try log.install(room: id, state: $0) }
        }
      } catch {
        throw BrokenLog(state: error, of: "\(room) in \(changelog)")
      }
    }
  }

  /// Goes through the log up to the record; nil: nothing is known before it, and there was nothing.
  func state(by stream: PartitionStream, _ journal: JournalStream, room: String?) throws -> LogState? {
    if readFrom < offset {
      try stream.start(input, readFrom..<offset)
      while let record = try stream.peek() {
        try take(linesOf: journal, before: record.offset)
        replay(record)
        stream.advance()
      }
    }
    let isUntouched = log.lastOffset == -1 && log.clock == .min
    if isUntouched, warning == nil { return nil }
    try take(linesOf: journal, before: offset)
    var state = LogState(of: log, before: offset, settings: settings, room: room)
    state.warning = warning
    return state
  }

  private func replay(_ record: KafkaRecord) {
    let event = try? decoder.decode(
      key: record.key, value: record.value, contentType: record.lastHeader("content-type"), keyRule: settings.keyRule)
    if record.offset < applyFrom {
      log.note(offset: record.offset, timestampMs: record.timestampMs, event: event, into: &batch)
    } else {
      _ = log.apply(offset: record.offset, timestampMs: record.timestampMs, event: event, into: &batch)
    }
    batch.removeAll()
  }

  private func take(linesOf journal: JournalStream, before offset: Int64) throws {
    while let line = try journal.next(before: offset) {
      switch line.what {
      case .firedTo(let time):
        _ = log.fireTimers(through: time, into: &batch)
        log.advanceClock(to: time)
      case .settings(let new):
        settings = new
        log.change(to: new.engine)
      }
      batch.removeAll()
    }
  }
}
