import Kafka
import Platform

/// The last command that was read of each partition. By it a log is known again: a broker may say that records are gone
/// that are there, since it led the partition until a moment ago and has not heard better.
struct LastCommands {
  private var positions: [Int32: PartitionPosition] = [:]

  /// The longest look at a log, in milliseconds.
  private static let limitMs: Int64 = 2000

  subscript(_ partition: Int32) -> PartitionPosition? {
    get { positions[partition] }
    set { positions[partition] = newValue }
  }

  /// Looks in the log of each partition, by a client of its own.
  ///
  /// - Parameters:
  ///   - found: the extent of each log now.
  ///   - readTo: the next offset that would be read of each partition.
  func look(
    in topic: String, _ found: [Int32: PartitionWatermarks], readTo: [Int32: Int64],
    _ open: () throws(KafkaError) -> Reader
  ) throws(KafkaError) -> [Int32: TopicProgress.Finding] {
    var findings: [Int32: TopicProgress.Finding] = [:]
    var sought: [Int32: PartitionPosition] = [:]
    for (partition, log) in found {
      let next = readTo[partition]!
      findings[partition] = log.high < next ? .shorter : log.low > next ? .overtaken : .unknown
      // To read it again would be to read on.
      if positions[partition] == nil, log.begin == next { findings[partition] = .same }
      guard findings[partition] == .unknown, let last = positions[partition], last.offset >= log.low else { continue }
      findings[partition] = .untold
      sought[partition] = last
    }
    if sought.isEmpty { return findings }
    var reader = try open()
    for (partition, last) in sought { try reader.start(TopicPartition(topic, partition), at: .at(last.offset)) }
    var decoder = CommandRecordDecoder()
    var batch = RecordBatch()
    var events: [ConsumerEvent] = []
    let endMs = MonotonicClock.nowMs() + Self.limitMs
    while !sought.isEmpty, MonotonicClock.nowMs() < endMs {
      reader.receive(into: &batch, events: &events, waitMs: 100)
      for index in 0..<batch.count {
        let partition = batch.source(index).partition
        guard let last = sought.removeValue(forKey: partition) else { continue }
        let received = decoder.read(batch[index], readMs: 0, home: { _ in partition }, skip: { _, _ in })
        findings[partition] = received?.entry.position == last ? .same : .another
      }
      for case .failed(_, let place?) in events { sought[place.partition] = nil }
      batch.removeAll()
      events.removeAll()
    }
    return findings
  }
}
