package import Kafka

extension PartitionRange {
  /// What of these parts a group has processed.
  package static func processed(
    _ ranges: [PartitionRange], by group: String, _ properties: KafkaProperties
  ) throws -> [PartitionRange] {
    let offsets = try GroupOffsets(
      properties: properties, group: group, clientId: "flyscreen-compare", log: { _ in })
    let committed = try offsets.committed(ranges.map(\.partition), timeoutMs: 10_000)
    return ranges.map { range in
      let end = committed.first { $0.partition == range.partition }?.offset ?? 0
      let first = range.offsets.lowerBound
      return PartitionRange(
        partition: range.partition, offsets: first..<max(first, min(end, range.offsets.upperBound)),
        extent: range.extent)
    }
  }
}
