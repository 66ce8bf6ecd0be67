import JSON
import Kafka
import RoomModel
import RoomScreen
import Settings
import Recovery

/// A part of one input partition with its journal, from the broker; first how its rooms stood before.
final class PartitionSource: LogSource {
  let range: PartitionRange
  private let input: TopicPartition
  private let connection: any LogConnection
  /// The room of the state; nil: all rooms.
  private let room: ID?
  private let topic: ByteBuffer
  /// Nil before the first line.
  private var streams: (input: any PartitionStream, journal: JournalStream)?
  /// The warning of the journal.
  private var warning: String?
  /// The partition in which records of other groups were passed over.
  private var foreign: TopicPartition?
  private var isRecordOut = false
  /// The next line, if it is a doubt.
  private var doubt: String?
  private var isClosed = false
  /// Up to here a batch was passed over, and one record stands for it.
  @exclusivity(unchecked) private var passedThrough: Int64 = -1
  @exclusivity(unchecked) private var lastOffset: Int64

  init(_ range: PartitionRange, room: ID?, _ connection: any LogConnection) {
    self.range = range
    self.room = room
    self.connection = connection
    input = range.partition
    lastOffset = range.offsets.lowerBound
    var topic = ByteBuffer(capacity: 256)
    topic.append(string: range.partition.topic)
    self.topic = topic
  }

  /// Lets go of what it holds; it has no more lines.
  func close() {
    streams = nil
    isClosed = true
  }

  func next() throws -> LogLine? {
    if isClosed { return nil }
    guard let streams else { return try begin() }
    if isRecordOut { streams.input.advance() }
    isRecordOut = false
    if let damage = try doubt ?? streams.journal.takeDamage() {
      doubt = nil
      return line(.doubt(damage))
    }
    return try next(of: streams)
  }

  private func next(of streams: (input: any PartitionStream, journal: JournalStream)) throws -> LogLine? {
    while let record = try streams.input.peek(), record.offset <= passedThrough { streams.input.advance() }
    let record = try streams.input.peek()
    let journalled = try streams.journal.next(before: record?.offset ?? range.offsets.upperBound)
    warning = streams.journal.warning
    foreign = streams.input.foreign ?? streams.journal.foreign
    switch journalled?.0.what {
    // It was the deadline of the last of them, which may have been another room's.
    case .firedTo(let time): return line(.firedTo(time, clock: room == nil ? nil : time))
    case .settings(let settings): return line(.settings(settings))
    case .passed(let last, let time):
      passedThrough = last
      // It ends behind the range.
      guard last < range.offsets.upperBound else { return try next(of: streams) }
      lastOffset = last
      return line(.record(LogRecord(offset: last, timestampMs: time, key: nil, value: .none)))
    case nil: break
    }
    guard let record else { return nil }
    if record.isPassed {
      streams.input.advance()
      passedThrough = record.offset
      doubt = "\(input): \(Damage.batch(through: record.offset))"
      return line(.record(LogRecord(offset: record.offset, timestampMs: record.timestampMs, key: nil, value: .none)))
    }
    isRecordOut = true
    lastOffset = record.offset
    return line(.record(record.logged))
  }

  /// Hands over the records from the next on, up to one that a line of the journal came before, or that is not taken.
  func records(while isTaken: (StoredRecord) -> Bool) throws {
    guard !isClosed, let streams else { return }
    if isRecordOut { streams.input.advance() }
    isRecordOut = false
    doubt = try doubt ?? streams.journal.takeDamage()
    if doubt != nil { return }
    let end = try streams.journal.nextOffset() ?? .max
    try streams.input.records { record in
      if record.offset <= passedThrough { return true }
      guard record.offset < end, !record.isPassed, isTaken(record) else { return false }
      lastOffset = record.offset
      return true
    }
  }

  private func begin() throws -> LogLine? {
    let stream = connection.newStream()
    let recovery = try TopicRecovery(range, by: stream)
    let journal = try JournalStream(of: input, recovery.journal, range.helpers, connection)
    let state = try recovery.state(by: stream, journal, room: room)
    passedThrough = recovery.passedThrough
    try stream.start(input, range.offsets)
    streams = (stream, journal)
    if let state { return line(.state(state)) }
    let record = try stream.peek()
    switch try journal.told(before: record?.offset ?? range.offsets.upperBound) {
    case .settings: return try next(of: (stream, journal))
    case nil where record == nil: return nil
    case .firedTo, .passed, nil: return line(.settings(range.plan.settings))
    }
  }

  private func line(_ content: LogLine.Content) -> LogLine {
    LogLine(topic: topic.text, partition: input.partition, content: content)
  }

  var warnings: [String] {
    let passedOver = foreign.map {
      "\($0) has records that another group than \(range.helpers.group) wrote, which are passed over (see kafka.group.id)"
    }
    return [warning, passedOver].compactMap { $0 }
  }

  var place: LinePlace { .offset(lastOffset, of: input) }

  /// The number of records that are done.
  var done: Int { isClosed ? range.offsets.count : streams == nil ? 0 : Int(lastOffset - range.offsets.lowerBound) }

  var progress: Double { range.offsets.isEmpty ? 1 : Double(done) / Double(range.offsets.count) }
}
