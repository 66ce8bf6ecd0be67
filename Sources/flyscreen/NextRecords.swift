import Kafka
import Worker

/// The records at which a group goes on.
enum NextRecords {
  /// Reads the next record of each partition, at which a worker would stop.
  static func lines(
    _ committed: [CommittedOffset], _ properties: KafkaProperties, clientId: String
  ) throws(KafkaError) -> [(verdict: CheckVerdict, what: String)] {
    var lines: [(verdict: CheckVerdict, what: String)] = []
    var reader = try Reader(
      properties: properties, clientId: clientId, partitions: committed.count, staysAtEnd: false, log: { _ in })
    var batch = RecordBatch()
    var events: [ConsumerEvent] = []
    var awaited: [TopicPartition: Int64] = [:]
    for found in committed {
      guard let offset = found.offset else { continue }
      try reader.start(found.partition, at: .at(offset))
      awaited[found.partition] = offset
    }
    for _ in 0..<100 where !awaited.isEmpty {
      reader.receive(into: &batch, events: &events, waitMs: 100)
      for i in 0..<batch.count {
        let place = TopicPartition(reader.topicName(batch[i].source.topicOrdinal), batch[i].source.partition)
        guard awaited.removeValue(forKey: place) != nil else { continue }
        reader.stop(place)
        if let passed = batch[i].passedBatch { lines.append((.warning, "\(place): workers will pass over \(passed)")) }
      }
      batch.removeAll()
      for event in events {
        switch event {
        case .endOfPartition(let place, _): awaited[place] = nil
        case .failed(let error, let place?):
          guard let offset = awaited.removeValue(forKey: place) else { continue }
          reader.stop(place)
          if error.isOfItsPartition {
            lines.append((.wrong, "\(place) can't be read from offset \(offset) on: \(error)"))
          }
        case .failed, .assigned, .revoked: break
        }
      }
      events.removeAll()
    }
    return lines
  }
}
