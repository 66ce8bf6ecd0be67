package import Kafka

extension PartitionRange {
  /// The parts of these that a group has processed.
  package static func processed(
    _ ranges: [PartitionRange], by group: String, _ properties: KafkaProperties
  ) throws -> [PartitionRange] {
    let offsets = try GroupOffsets(
      properties: properties, group: group, clientId: "flyscreen-compare", log: { _ in })
    let committed = try offsets.committed(ranges.map(\.partition), timeoutMs: 10_000)
    return ranges.map { range in
      var processed = range
      let end = committed.first { $0.partition == range.partition }?.offset ?? 0
      let first = range.offsets.lowerBound
      processed.offsets = first..<max(first, min(end, range.offsets.upperBound))
      return processed
    }
  }
}
