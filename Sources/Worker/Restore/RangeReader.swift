import Kafka

/// Reads a range of one partition to its end, as far as committed readers see it. Its calls block.
struct RangeReader<Reader: MemberReader> {
  private let reader: Reader
  private var events: [ConsumerEvent] = []

  private static var waitMs: Int32 { 50 }

  init(_ reader: Reader) { self.reader = reader }

  /// - Parameters:
  ///   - silenceMs: The time without a record after which the range can't be read.
  ///   - take: Gets each record of the range.
  mutating func read(
    _ partition: TopicPartition, _ range: Range<Int64>, silenceMs: Int32, _ take: (Reader.Record) -> Void
  ) throws(KafkaError) {
    try reader.start(partition, at: .at(range.lowerBound))
    defer { reader.stop(partition) }
    var silentMs: Int32 = 0
    while silentMs < silenceMs {
      reader.receive(&events, waitMs: Self.waitMs)
      defer {
        reader.emptyBatch()
        events.removeAll()
      }
      silentMs = reader.count > 0 ? 0 : silentMs + Self.waitMs
      for i in 0..<reader.count {
        let record = reader[i]
        if record.offset < range.upperBound { take(record) }
        if record.offset >= range.upperBound - 1 { return }
      }
      for event in events {
        switch event {
        // An event of the partition that was read before may come late. A new leader may tell an end before the range's: it
        // has not heard yet how much was committed.
        case .endOfPartition(let ended, let end) where ended == partition && end >= range.upperBound: return
        case .failed(let error, _) where error.kind != .unreachable: throw error
        case .endOfPartition, .failed, .assigned, .revoked: break
        }
      }
    }
    throw KafkaError(
      name: "_TIMED_OUT", code: -185, message: "\(partition) could not be read in time", isRetriable: true,
      kind: .unreachable)
  }
}
