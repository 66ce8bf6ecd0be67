package import Kafka
package import Recovery
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
  var changed: [PartitionLog.RoomHandle] = []
  var due: [Int32] = []
  var scratch: [UInt8] = []

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
  package internal(set) var nextOffset: Int64
  /// Whether the partition has been read to its end, as far as is known.
  package internal(set) var isAtEnd = false
  /// Whether something happened since the last commit.
  package internal(set) var isTouched = false
  package internal(set) var counts = Counts()

  /// What happened, since the task began.
  package struct Counts: Equatable, Sendable {
    package var records: Int64 = 0
    package var duplicates: Int64 = 0
    package var deadLetters: Int64 = 0
    package var timersFired: Int64 = 0
    package var checkpoints: Int64 = 0
    /// Commands, by ``RoomCommand/Body/Kind``.
    package var commands = [Int64](repeating: 0, count: RoomCommand.Body.Kind.allCases.count)
    /// Results of grabs, by ``GrabResult/Outcome``.
    package var results = [Int64](repeating: 0, count: GrabResult.Outcome.allCases.count)

    package init() {}

    mutating func add(_ other: Counts) {
      records += other.records
      duplicates += other.duplicates
      deadLetters += other.deadLetters
      timersFired += other.timersFired
      checkpoints += other.checkpoints
      for kind in commands.indices { commands[kind] += other.commands[kind] }
      for outcome in results.indices { results[outcome] += other.results[outcome] }
    }
  }

  var log: PartitionLog
  let encoder: CommandEncoder
  let commandPartitions: Int32
  let resultPartitions: Int32
  let inputPartitions: Int32
  var inForce: LogSettings
  var inForceText: String
  var findings = Findings()
  var document = JSONDocument()
  let from: CommitMetadata
  let isNew: Bool
  let firstOffset: Int64
  let committedOffset: Int64

  var schedule: CheckpointSchedule
  var marks: RestorePoints
  /// When the last waypoint was written; nil: not yet.
  var waypointClock: LogTime?
  /// Transactions so far, and before them stretches of the replay.
  var transaction: Int64 = 0
  /// The first records of journal and changelog that no finished transaction of ours has written.
  var journalNext: Int64
  var changelogNext: Int64
  /// While replaying: the first record of the journal that has not been taken.
  var replayedJournalTo: Int64

  /// What a restore has found.
  struct Findings {
    /// Each room's newest, and where in the changelog it lies.
    var checkpoints: [[UInt8]: (RoomCheckpoint, at: Int64)] = [:]
    var lines: [(JournalLine, at: Int64)] = []
    var linesTaken = 0
    /// Where the checkpoints lie of rooms that are no more.
    var last: [Int64] = []
  }

  /// How far apart marks are: a restore begins at most this much earlier than it must.
  static let markEveryMs: Milliseconds = 1000
  static let markEveryRecords: Int64 = 50_000
  /// A replay begins at most this much earlier than it must.
  static let waypointEveryMs: Milliseconds = 10_000

  /// - Parameters:
  ///   - offset: The committed offset, or where to begin if there is none.
  ///   - metadata: What was committed with it; nil: no rooms, at that offset.
  ///   - firstOffset: The first record that the log still has.
  package init(
    _ partition: TopicPartition, topic: Int32, offset: Int64, metadata: CommitMetadata?, firstOffset: Int64,
    layout: TopicLayout, checkpointMs: Int64, hashSeed: UInt64
  ) {
    self.partition = partition
    self.firstOffset = firstOffset
    self.topic = topic
    isNew = metadata == nil
    let metadata = metadata ?? .nothing(before: offset, partitions: layout.inputPartitions[partition.topic] ?? 0)
    from = metadata
    committedOffset = offset
    let mark = metadata.restorePoint
    nextOffset = mark.offset
    inForce = mark.settings
    inForceText = mark.settings.json
    log = PartitionLog(settings: mark.settings.engine, hashSeed: hashSeed, keepsChanges: true)
    log.resume(
      clock: mark.clock, lastOffset: mark.lastOffset, settings: mark.settings.engine,
      settingsEpoch: mark.settingsEpoch)
    encoder = CommandEncoder(topic: partition.topic, partition: partition.partition, format: layout.format)
    commandPartitions = layout.commandPartitions
    resultPartitions = layout.resultPartitions
    inputPartitions = metadata.partitions
    schedule = CheckpointSchedule(intervalMs: checkpointMs)
    marks = RestorePoints(from: mark)
    journalNext = mark.journalFrom
    replayedJournalTo = mark.journalFrom
    changelogNext = metadata.changelogFrom
  }

  /// What it was restored from; nil: from nothing.
  package var origin: (offset: Int64, metadata: CommitMetadata)? { isNew ? nil : (committedOffset, from) }

  /// From where the changelog has to be read, and the journal; nil: only their ends are of interest.
  package var changelogFrom: Int64? { isNew ? nil : from.changelogFrom }
  package var journalFrom: Int64? { isNew ? nil : from.restorePoint.journalFrom }

  /// Where to read on.
  package var position: Int64 { max(nextOffset, firstOffset) }

  package var roomCount: Int { log.roomCount }
  package var clock: LogTime { log.clock }
  /// Least deadline of all timers; `.max`: none.
  package var nextDeadline: LogTime { log.nextDeadline }
  package var graceMs: Milliseconds { inForce.graceMs }
}

// MARK: - Going on with the log

extension PartitionTask {
  /// Puts `settings` in force from here, if they are not.
  package func adopt(_ settings: LogSettings, bench: inout Workbench) {
    guard settings != inForce else { return }
    change(to: settings)
    write(.settings(settings), bench: &bench)
  }

  /// The next record of the log. Its commands and results are in the bench's outbox; so is a dead letter, but for the headers.
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
    for result in bench.batch.results { publish(result, bench: &bench) }
    bench.batch.removeAll()
  }

  private func publish(_ result: GrabResult, bench: inout Workbench) {
    counts.results[Int(result.outcome.rawValue)] += 1
    let keyStart = bench.outbox.bytes.count
    bench.outbox.bytes.append(result.userId)
    let valueStart = bench.outbox.bytes.count
    encoder.encode(result, into: &bench.outbox.bytes)
    bench.outbox.append(
      Outbox.Entry(
        target: .results, topic: topic,
        partition: Murmur2.partition(key: result.userId.bytes, partitions: resultPartitions), keyStart: keyStart,
        keyCount: valueStart - keyStart, valueStart: valueStart, valueCount: bench.outbox.bytes.count - valueStart,
        headers: -1))
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
