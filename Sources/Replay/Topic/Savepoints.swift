import Kafka
import Recovery

/// The savepoints on both sides of a place in the changelog of a partition.
struct Savepoints {
  /// The last before the place, and where it lies; the first behind it.
  private(set) var before: (Savepoint, at: Int64)?
  private(set) var after: (Savepoint, at: Int64)?

  /// The number of records that are few enough to be read through.
  private static let few: Int64 = 4096

  /// Finds the place by halves: offsets only go up from savepoint to savepoint.
  ///
  /// - Parameter isBefore: true for those before the place; false from one on for all.
  init(
    in changelog: TopicPartition, of group: String, _ extent: Range<Int64>, by stream: any PartitionStream,
    where isBefore: (Savepoint, _ at: Int64) -> Bool
  ) throws {
    var (low, high) = (extent.lowerBound, extent.upperBound)
    while high - low > Self.few {
      let middle = low + (high - low) / 2
      try stream.start(changelog, middle..<high, of: group)
      if let found = try Self.next(stream, changelog) {
        if isBefore(found.0, found.at) {
          before = found
          low = found.at + 1
          continue
        }
        after = found
      }
      high = middle
    }
    try stream.start(changelog, low..<high, of: group)
    while let found = try Self.next(stream, changelog) {
      if !isBefore(found.0, found.at) {
        after = found
        break
      }
      before = found
    }
    stream.stop()
  }

  private static func next(
    _ stream: any PartitionStream, _ changelog: TopicPartition
  ) throws -> (Savepoint, at: Int64)? {
    while let record = try stream.peek() {
      defer { stream.advance() }
      guard record.key == nil, let value = record.value, !RoomRecord.hasMarks(key: record.key, value: value) else {
        continue
      }
      do throws(RestoreError) { return (try Savepoint(value), at: record.offset) } catch {
        // An earlier one tells as much, with more of the log.
        if case .damagedMetadata = error { continue }
        throw BrokenLog(
          "\(changelog) offset \(record.offset) is none of ours, or of another version of this program: replay with that"
        )
      }
    }
    return nil
  }
}
