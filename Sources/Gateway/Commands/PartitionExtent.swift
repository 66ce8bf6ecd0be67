import Kafka
import Platform

/// What there is of a partition of the commands topic, and what of it is to be read back.
struct PartitionExtent {
  /// The first record that is still there.
  let low: Int64
  /// From here on all is read, so that what was on the screens in the lookback is known.
  let begin: Int64
  /// After the last record.
  let end: Int64
}

extension Reader {
  func extents(
    of partitions: [Int32], in topic: String, lookbackMs: Int64, timeoutMs: Int32
  ) throws(KafkaError) -> [Int32: PartitionExtent] {
    // Stamps of commands mean little; a margin makes up for producers' clocks, and for the time from a record's stamp
    // to its commit.
    let marginMs: Int64 = 10_000
    // So many records before the end are read however old they are, so that a position has a command to name.
    let fewRecords: Int64 = 64
    let places = partitions.map { TopicPartition(topic, $0) }
    let byTime = try offsets(of: places, at: WallClock.nowMs() - lookbackMs - marginMs, timeoutMs: timeoutMs)
    var extents: [Int32: PartitionExtent] = [:]
    for place in places {
      let (low, end) = try queryWatermarks(of: place, timeoutMs: timeoutMs)
      let offset = byTime[place].flatMap { $0 } ?? end
      extents[place.partition] = PartitionExtent(low: low, begin: max(low, min(offset, end - fewRecords)), end: end)
    }
    return extents
  }
}
