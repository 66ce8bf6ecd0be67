/// The last stable offset of a partition, which committed readers see, and the end of its log.
package struct PartitionEnds: Hashable, Sendable {
  /// The offset after the last record that committed readers see. Below ``end`` it is the first offset of the oldest
  /// open transaction.
  package var readable: Int64
  /// The offset after the last record.
  package var end: Int64

  package init(readable: Int64, end: Int64) {
    self.readable = readable
    self.end = end
  }
}

/// Finds partitions whose last stable offset stands still below their end: a transaction hangs there, and nobody ends it.
package struct StandingEnds: Sendable {
  private struct Seen {
    var ends: PartitionEnds
    /// The last stable offset has stood here, below the end, since this time; nil: it is at the end.
    var sinceMs: Int64?
  }

  private let limitMs: Int64
  private var seen: [TopicPartition: Seen] = [:]

  /// - Parameter limitMs: A transaction that is open for so long hangs.
  package init(limitMs: Int64) { self.limitMs = limitMs }

  /// - Parameter hungAt: The last stable offset at which a transaction was seen to hang, whatever has been away since: where it
  ///   still stands there, no limit is awaited.
  package mutating func note(
    _ ends: PartitionEnds, of partition: TopicPartition, hungAt: Int64? = nil, nowMs: Int64
  ) {
    let before = seen[partition]
    let stands = before?.ends.readable == ends.readable ? before?.sinceMs : nil
    let sinceMs = stands ?? (hungAt == ends.readable ? nowMs - limitMs : nowMs)
    seen[partition] = Seen(ends: ends, sinceMs: ends.readable < ends.end ? sinceMs : nil)
  }

  /// Drops all that was seen of the partition: nobody knows how it went on.
  package mutating func forget(_ partition: TopicPartition) { seen[partition] = nil }

  /// The same for each partition of the topic.
  package mutating func forget(topic: String) { seen = seen.filter { $0.key.topic != topic } }

  /// Partitions whose last stable offset has stood for the limit.
  package func standing(nowMs: Int64) -> [TopicPartition: PartitionEnds] {
    seen.compactMapValues { seen in
      guard let sinceMs = seen.sinceMs, nowMs - sinceMs >= limitMs else { return nil }
      return seen.ends
    }
  }
}
