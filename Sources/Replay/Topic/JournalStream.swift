import JSON
import Kafka
import Recovery
import Settings

/// The journal of one partition, line by line.
final class JournalStream {
  private let partition: TopicPartition
  private let stream: (any PartitionStream)?
  private var line: (JournalLine, at: Int64)?
  /// The greatest offset of a line so far.
  private var reached: Int64 = 0
  /// Nil unless the group was made to work through records again; in a line.
  private(set) var warning: String?
  /// The first damaged line, in a line, until it is taken.
  private var damage: String?
  private var isDamaged = false
  private let input: TopicPartition
  private var document = JSONDocument()

  init(
    of input: TopicPartition, _ range: Range<Int64>, _ helpers: HelperTopics, _ connection: any LogConnection
  ) throws(KafkaError) {
    self.input = input
    partition = TopicPartition(helpers.journal(of: input.topic), input.partition)
    stream = range.isEmpty ? nil : connection.newStream()
    try stream?.start(partition, range, of: helpers.group)
  }

  /// The partition in which records of other groups were passed over.
  var foreign: TopicPartition? { stream?.foreign }

  private func peek() throws -> (JournalLine, at: Int64)? {
    if let line { return line }
    guard let stream else { return nil }
    while let record = try stream.peek() {
      guard let line = try line(of: record) else {
        if !isDamaged { damage = "\(partition) offset \(record.offset) is damaged and left out" }
        isDamaged = true
        stream.advance()
        continue
      }
      if line.offset >= reached {
        reached = line.offset
        self.line = (line, record.offset)
        return self.line
      }
      // A later pass goes over what has been gone through.
      warning =
        warning
        ?? "the group's offset of \(input) was set back from \(reached) to \(line.offset) or before: this is the first"
        + " time that it was worked through"
      stream.advance()
    }
    return nil
  }

  /// Nil: it is damaged.
  private func line(of record: StoredRecord) throws -> JournalLine? {
    do throws(RestoreError) {
      guard let value = record.value else { throw .journal }
      return try JournalLine(json: value, with: &document)
    } catch {
      if error == .damagedLine { return nil }
      throw BrokenLog("\(partition) offset \(record.offset): \(error)")
    }
  }

  /// The next line's content, if it came before the record with that offset; it stays the next.
  func told(before offset: Int64) throws -> JournalLine.What? {
    guard let (line, _) = try peek(), line.offset <= offset else { return nil }
    return line.what
  }

  /// The reason why the settings and the timers from here on may have been others, once; nil: they were these.
  func takeDamage() throws -> String? {
    _ = try peek()
    defer { damage = nil }
    return damage
  }

  /// The record before which the next line came; nil: there is none.
  func nextOffset() throws -> Int64? { try peek()?.0.offset }

  /// The next line if it came before the record with that offset, and where it lies.
  func next(before offset: Int64) throws -> (JournalLine, at: Int64)? {
    guard let (line, at) = try peek(), line.offset <= offset else { return nil }
    self.line = nil
    stream?.advance()
    return (line, at)
  }
}
