import Kafka
import Platform

/// The extent of a partition of the commands topic, and the part of it to be read back.
struct PartitionWatermarks {
  /// The first record that is still there.
  let low: Int64
  /// The first record to be read: with those after it, all screens of the lookback are known.
  let begin: Int64
  /// The offset after the last record.
  let high: Int64
}

extension Reader {
  func watermarks(
    of partitions: [Int32], in topic: String, lookbackMs: Int64, timeoutMs: Int32
  ) throws(KafkaError) -> [Int32: PartitionWatermarks] {
    // Stamps of commands mean little; a margin makes up for producers' clocks, and for the time from a record's stamp
    // to its commit.
    let marginMs: Int64 = 10_000
    // At least these records before the end are read, however old, so that a position has a command to name.
    let fewRecords: Int64 = 64
    let places = partitions.map { TopicPartition(topic, $0) }
    let byTime = try offsets(of: places, at: WallClock.nowMs() - lookbackMs - marginMs, timeoutMs: timeoutMs)
    var watermarks: [Int32: PartitionWatermarks] = [:]
    for place in places {
      let (low, high) = try queryWatermarks(of: place, timeoutMs: timeoutMs)
      let offset = byTime[place].flatMap { $0 } ?? high
      watermarks[place.partition] = PartitionWatermarks(
        low: low, begin: max(low, min(offset, high - fewRecords)), high: high)
    }
    return watermarks
  }
}
