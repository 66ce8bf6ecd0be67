import JSON
import Kafka
import Recovery
import RoomEngine
import RoomModel
import Settings
import Wire

/// A partition of `im.gifts` that is worked off as a worker does it: beside its records are the journal and the changelog,
/// and at each commit the ends of a transaction.
final class WorkedPartition {
  /// A command, or the result of a grab.
  struct Published {
    var topic: String
    var partition: Int
    var room: String
    var recordOffset: Int64
    /// The place of a command.
    var place: Int64
    var record: ArrayLogs.Entry
    var json: String { String(decoding: record.value ?? [], as: UTF8.self) }
  }

  static let input = "im.gifts"
  static let commands = "render.commands"
  static let results = "rain.results"
  static let helpers = HelperTopics()
  static var journal: String { helpers.journal(of: input) }
  static var changelog: String { helpers.changelog(of: input) }

  let logs = ArrayLogs()
  private let outputPartitions: Int
  private let rooms: RestorableRooms
  private var batch = CommandBatch()
  private var bytes = ByteBuffer()
  private var decoder = EventDecoder()
  private let encoder = CommandEncoder(topic: WorkedPartition.input, partition: 0, format: .json)
  /// The ends of what was written since the last commit.
  private var written: [TopicPartition: Int64] = [:]

  /// - Parameter outputPartitions: of commands and results each.
  init(_ settings: LogSettings, checkpointMs: Milliseconds, outputPartitions: Int = 1) throws {
    self.outputPartitions = outputPartitions
    for topic in [Self.input, Self.journal, Self.changelog] { logs.make(topic) }
    for topic in [Self.commands, Self.results] { logs.make(topic, partitions: outputPartitions) }
    let beginning = PartitionRecovery(
      of: "\(Self.input)/0", from: .nothing(before: 0, settings), to: 0, firstOffset: 0, checkpointMs: checkpointMs,
      hashSeed: 1)
    _ = try beginning.logsRead(journalEnd: 0, changelogEnd: 0, nowMs: 0)
    rooms = beginning.finish(batch: &batch)
    write(.settings(settings), at: 0)
  }

  /// Appends an event to the input.
  ///
  /// - Returns: The output of it.
  func take(_ event: String, room: String, at now: LogTime) -> [Published] {
    let (key, value) = (Array(room.utf8), Array(event.utf8))
    let offset = logs.append(.init(timestampMs: now, key: key, value: value), to: Self.input)
    key.withUnsafeBytes { key in
      value.withUnsafeBytes { value in
        let event = try? decoder.decode(key: key, value: value, contentType: nil, keyRule: .roomId)
        let record = InputRecord(offset: offset, timestampMs: now, key: key, value: value, contentType: nil)
        _ = rooms.apply(record, event, into: &batch)
      }
    }
    return takePublished(at: now)
  }

  /// Fires what is due on the idle log.
  ///
  /// - Returns: The output of it; nil: nothing was due.
  func fireTimers(through time: LogTime, at now: LogTime) -> [Published]? {
    guard let fired = rooms.engine.fireTimers(through: time, into: &batch) else { return nil }
    write(.firedTo(fired), at: now)
    return takePublished(at: now)
  }

  func commit(_ name: String, at now: LogTime) {
    var due: [Int32] = []
    rooms.takeDue(nowMs: now, into: &due)
    for slot in due {
      rooms.writeCheckpoint(of: slot, nowMs: now) {
        append(.init(timestampMs: now, key: Array($0), value: Array($1)), to: Self.changelog)
      }
    }
    let commit = Savepoint(offset: rooms.nextOffset, metadata: rooms.metadata(for: name, partitions: 1))
    if rooms.takeSavepoint() {
      append(.init(timestampMs: now, value: Array(commit.text.utf8)), to: Self.changelog)
    }
    rooms.committed(
      journalNext: written[TopicPartition(Self.journal, 0)], changelogNext: written[TopicPartition(Self.changelog, 0)])
    for one in written.keys {
      logs.append(.init(timestampMs: now, isMarker: true), to: one.topic, Int(one.partition))
    }
    written = [:]
  }

  /// Appends a record within the transaction that the next commit ends.
  func publish(_ one: Published) { append(one.record, to: one.topic, one.partition) }

  private func takePublished(at now: LogTime) -> [Published] {
    var published: [Published] = []
    func add(_ topic: String, key: Text, room: Text, _ offset: Int64, _ place: Int64) {
      published.append(
        Published(
          topic: topic, partition: Int(Murmur2.partition(key: key.bytes, partitions: Int32(outputPartitions))),
          room: room.description, recordOffset: offset, place: place,
          record: .init(timestampMs: now, key: Array(key.bytes), value: Array(bytes.bytes))))
    }
    for command in batch.commands {
      bytes.removeAll()
      encoder.encode(command, into: &bytes)
      add(Self.commands, key: command.roomId, room: command.roomId, command.recordOffset, Int64(command.place))
    }
    for result in batch.results {
      bytes.removeAll()
      encoder.encode(result, into: &bytes)
      add(Self.results, key: result.userId, room: result.roomId, result.recordOffset, 0)
    }
    batch.removeAll()
    return published
  }

  private func write(_ what: JournalLine.What, at now: LogTime) {
    let line = JournalLine(offset: rooms.nextOffset, what: what).json
    append(.init(timestampMs: now, value: Array(line.utf8)), to: Self.journal)
  }

  private func append(_ entry: ArrayLogs.Entry, to topic: String, _ partition: Int = 0) {
    written[TopicPartition(topic, Int32(partition))] = logs.append(entry, to: topic, partition) + 1
  }
}
