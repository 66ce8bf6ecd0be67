import Kafka
import Worker

/// The journal of one partition, line by line.
final class JournalStream {
  private let partition: TopicPartition
  private let stream: PartitionStream?
  private var line: JournalLine?

  init(of input: TopicPartition, _ range: Range<Int64>, _ properties: KafkaProperties) throws(KafkaError) {
    partition = TopicPartition(WorkerTopics.journal(of: input.topic), input.partition)
    stream = range.isEmpty ? nil : try PartitionStream(properties)
    try stream?.start(partition, range)
  }

  func peek() throws -> JournalLine? {
    if let line { return line }
    guard let stream, let record = try stream.peek() else { return nil }
    guard let value = record.value, let line = JournalLine(json: value) else {
      throw BrokenLog("\(partition) offset \(record.offset) is no line of a journal")
    }
    self.line = line
    return line
  }

  func advance() {
    line = nil
    stream?.advance()
  }

  /// The next line if it came before the record with that offset.
  func next(before offset: Int64) throws -> JournalLine? {
    guard let line = try peek(), line.offset <= offset else { return nil }
    advance()
    return line
  }
}
