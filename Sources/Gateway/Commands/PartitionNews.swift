package import RoomScreen

/// What is new of a partition for somebody who follows it.
package struct PartitionNews: Sendable {
  /// In their order. Nil: some are gone that were not taken in time, or the partition is read anew: who has followed it
  /// needs snapshots.
  package let entries: [HistoryEntry]?
  /// The number of the entry that comes after them.
  package let end: Int
  /// How far the partition goes with them.
  package let position: PartitionPosition
  /// Of the rooms that were asked for, in their order, as of just that.
  package let snapshots: [Snapshot]
}

extension PartitionState {
  /// - Parameters:
  ///   - number: of the first entry that is new.
  ///   - rooms: that are in this partition.
  package func news(
    from number: Int, snapshotsOf rooms: [ID] = [], monotonicMs: Int64, wallMs: Int64
  ) -> PartitionNews {
    PartitionNews(
      entries: history.entries(from: number).map { Array($0) }, end: history.end, position: history.position,
      snapshots: rooms.map { screen(of: $0, monotonicMs: monotonicMs, wallMs: wallMs).snapshot })
  }
}
