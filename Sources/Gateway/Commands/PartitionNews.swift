package import RoomScreen

/// The news of a partition for one loop that follows it.
package struct PartitionNews: Sendable {
  /// New entries in their order. Nil: some are gone that were not taken in time, or the partition is read again:
  /// its streams need snapshots.
  package let entries: [HistoryEntry]?
  /// The number of the entry that comes after them.
  package let end: Int
  /// The position of the partition after them.
  package let position: PartitionPosition
  /// Snapshots of the rooms that were asked for, in their order, as of that position.
  package let snapshots: [Snapshot]
}

extension ServedPartition {
  /// - Parameters:
  ///   - number: of the first entry that is new.
  ///   - rooms: that are in this partition.
  package func news(
    from number: Int, snapshotsOf rooms: [ID] = [], monotonicMs: Int64, wallMs: Int64
  ) -> PartitionNews {
    PartitionNews(
      entries: history.entries(from: number).map { Array($0) }, end: history.end, position: history.position,
      snapshots: rooms.map { snapshot(of: $0, monotonicMs: monotonicMs, wallMs: wallMs) })
  }
}
