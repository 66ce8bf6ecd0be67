import Kafka
import Recovery
import RoomEngine
import RoomModel
import Settings
import Wire

/// How a partition's rooms stood before one of its records: a `PartitionRecovery`, fed from the broker.
struct TopicRecovery {
  /// What of the journal is needed for it, and after it.
  let journal: Range<Int64>

  private let input: TopicPartition
  private let offset: Int64
  private let recovery: PartitionRecovery
  /// What of the input has to be replayed; nil: nothing.
  private let replayed: Range<Int64>?
  private var warning: String?

  /// Reads the changelog.
  init(_ range: PartitionRange, by stream: PartitionStream) throws {
    input = range.partition
    offset = range.offsets.lowerBound
    let first = range.extent.lowerBound
    let changelog = TopicPartition(range.helpers.changelog(of: input.topic), input.partition)
    let saved = try stream.extent(of: changelog)
    let savepoints = try Savepoints(
      around: offset, in: changelog, of: range.helpers.group, saved, by: stream)

    var origin = PartitionRecovery.Origin.nothing(before: first)
    var journalFrom = range.journal.lowerBound
    if let (savepoint, at) = savepoints.before {
      origin = .commit(savepoint)
      journalFrom = savepoint.metadata.restorePoint.journalFrom
      if !(range.journal.lowerBound...range.journal.upperBound).contains(journalFrom) {
        warning = "the journal of \(input) no longer reaches back far enough"
      }
      if !(saved.lowerBound...at).contains(savepoint.metadata.changelogFrom) {
        warning = "\(changelog) no longer reaches back far enough"
      }
    } else if let restorePoint = savepoints.after?.0.metadata.restorePoint, restorePoint.clock == .min {
      // There the group began, knowing nothing.
      origin = .nothing(before: min(restorePoint.offset, offset))
      journalFrom = restorePoint.journalFrom
    } else if offset > 0, first > 0 || savepoints.after != nil {
      warning = "nothing tells any more how rooms stood before \(input) offset \(first)"
    }
    let end = range.journal.upperBound
    journal = min(max(journalFrom, range.journal.lowerBound), end)..<end

    recovery = PartitionRecovery(
      from: origin, to: offset, firstOffset: first, checkpointMs: nil, hashSeed: .random(in: .min ... .max))
    if recovery.inputFrom < first {
      warning =
        warning ?? "\(input) begins at offset \(first) only, and the rooms' state needs \(recovery.inputFrom)"
    }
    if let (savepoint, at) = savepoints.before {
      let from = max(savepoint.metadata.changelogFrom, saved.lowerBound)
      try Self.read(changelog, from..<max(from, at), of: range.helpers.group, into: recovery, by: stream)
    }
    do throws(RestoreError) {
      replayed = try recovery.logsRead(journalEnd: end, changelogEnd: saved.upperBound, nowMs: 0)
    } catch {
      throw BrokenLog("\(changelog): \(error): replay it with the program that wrote it")
    }
    if let damage = recovery.damages.first { warning = warning ?? "\(changelog): \(damage)" }
  }

  private static func read(
    _ changelog: TopicPartition, _ offsets: Range<Int64>, of group: String, into recovery: PartitionRecovery,
    by stream: PartitionStream
  ) throws {
    try stream.start(changelog, offsets, of: group)
    while let record = try stream.peek() {
      defer { stream.advance() }
      guard let key = record.key, let value = record.value else { continue }
      do throws(RestoreError) { try recovery.found(room: key, checkpoint: value, at: record.offset) } catch {
        throw BrokenLog("\(changelog) offset \(record.offset): \(error): replay it with the program that wrote it")
      }
    }
  }

  /// Goes through the log up to the record; nil: nothing is known before it, and there was nothing.
  ///
  /// - Parameter room: Of which the state is wanted; nil: of all.
  func state(by stream: PartitionStream, _ journal: JournalStream, room: String?) throws -> LogState? {
    var decoder = EventDecoder()
    var batch = CommandBatch()
    if let replayed {
      try stream.start(input, replayed)
      while let record = try stream.peek() {
        try hand(linesOf: journal, before: record.offset)
        recovery.replay(
          InputRecord(
            offset: record.offset, timestampMs: record.timestampMs, key: record.key, value: record.value,
            contentType: record.lastHeader("content-type")),
          decoder: &decoder, batch: &batch)
        stream.advance()
      }
    }
    if recovery.isUntouched, warning == nil { return nil }
    try hand(linesOf: journal, before: offset)
    let rooms = recovery.finish(batch: &batch)
    var state = LogState(of: rooms.engine, before: offset, settings: rooms.settings, room: room)
    state.warning = warning
    return state
  }

  private func hand(linesOf journal: JournalStream, before offset: Int64) throws {
    while let (line, at) = try journal.next(before: offset) { recovery.found(line, at: at) }
  }
}
