import Kafka
import Recovery
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Wire

/// The rooms of a partition before one of its records: a `PartitionRecovery`, fed from the broker.
struct TopicRecovery {
  /// The part of the journal needed for it and after it.
  let journal: Range<Int64>

  private let input: TopicPartition
  private let offset: Int64
  private let recovery: PartitionRecovery
  /// The part of the input to replay; nil: nothing.
  private let replayed: Range<Int64>?
  private let beginning: Beginning
  /// The rules of the first record that is gone through.
  private let rules: Int64
  /// The unreadable part of the changelog, in a line; nil: all can be read.
  private let damage: String?

  /// Reads the changelog.
  init(_ range: PartitionRange, by stream: any PartitionStream) throws {
    let plan = range.plan
    input = range.partition
    offset = range.offsets.lowerBound
    beginning = plan.beginning
    rules = plan.settings.rules
    let changelog = TopicPartition(range.helpers.changelog(of: input.topic), input.partition)
    let end = range.journal.upperBound
    journal = min(max(plan.journalFrom, range.journal.lowerBound), end)..<end
    recovery = PartitionRecovery(
      of: "\(input.topic)/\(input.partition)", from: plan.origin, to: offset, firstOffset: range.extent.lowerBound,
      checkpointMs: nil,
      hashSeed: .random(in: .min ... .max))
    try Self.read(changelog, plan.changelog, of: range.helpers.group, into: recovery, by: stream)
    do throws(RestoreError) {
      replayed = try recovery.logsRead(journalEnd: end, changelogEnd: plan.changelog.upperBound, nowMs: 0)
    } catch {
      throw BrokenLog("\(changelog): \(error): replay it with the program that wrote it")
    }
    damage = recovery.damages.first.map { "\(changelog): \($0)" }
  }

  private static func read(
    _ changelog: TopicPartition, _ offsets: Range<Int64>, of group: String, into recovery: PartitionRecovery,
    by stream: any PartitionStream
  ) throws {
    try stream.start(changelog, offsets, of: group)
    while let record = try stream.peek() {
      defer { stream.advance() }
      guard let value = record.value, record.key != nil || RoomRecord.hasMarks(key: record.key, value: value) else {
        continue
      }
      let key = record.key ?? UnsafeRawBufferPointer(start: nil, count: 0)
      do throws(RestoreError) { try recovery.found(room: key, checkpoint: value, at: record.offset) } catch {
        throw BrokenLog("\(changelog) offset \(record.offset): \(error): replay it with the program that wrote it")
      }
    }
  }

  /// The last record of a batch that was passed over, and that may begin before the record; -1: there is none.
  var passedThrough: Int64 { recovery.passedThrough }

  /// Goes through the log up to the record; nil: nothing is known before it, and there was nothing.
  ///
  /// - Parameter room: The room whose state is wanted; nil: all rooms. Records of others only move the clock.
  func state(by stream: any PartitionStream, _ journal: JournalStream, room: ID?) throws -> LogState? {
    var decoder = EventDecoder()
    var batch = CommandBatch()
    let filter = room.map { RoughRoomFilter(room: $0) }
    if let replayed {
      try stream.start(input, replayed)
      while let record = try stream.peek() {
        try hand(linesOf: journal, before: record.offset)
        recovery.replay(
          InputRecord(
            offset: record.offset, timestampMs: record.timestampMs, key: record.key,
            // A mapping may find the room anywhere.
            value: recovery.readsMappings || filter?.mayConcern(record) ?? true ? record.value : nil,
            contentType: record.contentType, isPassed: record.isPassed),
          headers: recovery.readsHeaders ? record.headers : [], decoder: &decoder, batch: &batch)
        stream.advance()
      }
    }
    if recovery.isUntouched, beginning == .exact, damage == nil { return nil }
    try hand(linesOf: journal, before: offset)
    let rooms = recovery.finish(batch: &batch)
    var state = LogState(of: rooms.engine, before: offset, settings: rooms.settings, room: room)
    if state.settings.rules > rules { state.warning = LogRules.changed(since: rules) }
    let missing = recovery.damages.lazy.compactMap { if case .batch = $0 { "\(input): \($0)" } else { nil } }.first
    state.warning = damage ?? missing ?? state.warning
    if case .inexact(let why) = beginning { state.warning = why }
    return state
  }

  private func hand(linesOf journal: JournalStream, before offset: Int64) throws {
    while let (line, at) = try journal.next(before: offset) { recovery.found(line, at: at) }
  }
}
