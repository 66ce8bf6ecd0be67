package import Kafka
package import RoomModel
internal import Worker

/// A place in a topic's log, as people name it.
package enum LogPlace: Equatable, Sendable {
  case beginning
  /// After the last record that is committed when it is asked for.
  case end
  case offset(Int64)
  /// The first record of that time or later.
  case time(LogTime)
}

/// A part of one partition of an input topic.
package struct PartitionRange: Sendable {
  package let partition: TopicPartition
  package var offsets: Range<Int64>
  /// All that the broker has of it.
  package let extent: Range<Int64>
  /// All that it has of the journal. What was asked for later is there with all that these lines tell of.
  let journal: Range<Int64>
}

/// Asks the broker which records places mean.
package struct TopicRange {
  private let topic: String
  private let stream: PartitionStream

  package init(_ topic: String, _ properties: KafkaProperties) throws {
    self.topic = topic
    stream = try PartitionStream(properties)
  }

  /// - Parameter partition: nil: all.
  package func partitions(_ partition: Int32?, from: LogPlace, to: LogPlace) throws -> [PartitionRange] {
    let count = try stream.partitionCount(of: topic)
    try checkLogs()
    if let partition, partition >= count {
      throw BrokenLog("\(topic) has no partition \(partition): it has \(count), from 0")
    }
    var ranges: [PartitionRange] = []
    for number in partition.map({ $0..<$0 + 1 }) ?? 0..<count {
      let partition = TopicPartition(topic, number)
      let extent = try stream.extent(of: partition)
      let first = try offset(of: from, in: partition, extent)
      let last = try offset(of: to, in: partition, extent)
      let journal = try stream.extent(of: TopicPartition(WorkerTopics.journal(of: topic), number))
      ranges.append(
        PartitionRange(partition: partition, offsets: first..<max(first, last), extent: extent, journal: journal))
    }
    return ranges
  }

  /// Without its journal a log doesn't tell when timers fired, nor under which settings.
  private func checkLogs() throws {
    for name in [WorkerTopics.journal(of: topic), WorkerTopics.changelog(of: topic)] {
      do throws(KafkaError) {
        _ = try stream.partitionCount(of: name)
      } catch {
        guard error.kind == .unknownTopic else { throw error }
        throw BrokenLog(
          "\(topic) is no input of a worker's, since there is no topic \(name): see topics.input, and whether it was"
            + " deleted")
      }
    }
  }

  private func offset(of place: LogPlace, in partition: TopicPartition, _ extent: Range<Int64>) throws -> Int64 {
    switch place {
    case .beginning: return extent.lowerBound
    case .end: return extent.upperBound
    case .time(let time):
      return min(try stream.offset(of: partition, at: time) ?? extent.upperBound, extent.upperBound)
    case .offset(let offset):
      if offset < extent.lowerBound {
        throw BrokenLog("\(partition) begins at offset \(extent.lowerBound): what lies before it is gone")
      }
      if offset > extent.upperBound {
        throw BrokenLog("\(partition) ends at offset \(extent.upperBound): there is no \(offset) yet")
      }
      return offset
    }
  }
}
