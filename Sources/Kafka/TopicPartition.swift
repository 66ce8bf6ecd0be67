/// One partition of one topic.
package struct TopicPartition: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var topic: String
  package var partition: Int32

  package init(_ topic: String, _ partition: Int32) {
    self.topic = topic
    self.partition = partition
  }

  package static func < (a: TopicPartition, b: TopicPartition) -> Bool {
    (a.topic, a.partition) < (b.topic, b.partition)
  }

  package var description: String { "\(topic)[\(partition)]" }
}

/// The partition of a record, without a `String`: the place of its topic among those that the client was
/// given, and the partition. A record is led to its task by comparing or indexing with it.
package struct PartitionKey: Hashable, Comparable, Sendable {
  package let bits: UInt64

  @inlinable package init(topic ordinal: Int, partition: Int32) {
    bits = UInt64(UInt32(ordinal)) << 32 | UInt64(UInt32(bitPattern: partition))
  }

  /// The place of the topic in the client's list of topics.
  @inlinable package var topicOrdinal: Int { Int(bits >> 32) }
  @inlinable package var partition: Int32 { Int32(truncatingIfNeeded: bits) }

  @inlinable package static func < (a: PartitionKey, b: PartitionKey) -> Bool { a.bits < b.bits }
}

/// The offset at which reading begins.
package enum StartOffset: Hashable, Sendable {
  case at(Int64)
  case earliest
  case latest
}

/// An offset that a group committed for a partition: the next one to read, and what was noted beside it.
package struct CommittedOffset: Hashable, Sendable {
  package var partition: TopicPartition
  /// `nil`: the group committed none.
  package var offset: Int64?
  /// ASCII without NUL (librdkafka 2.0.2 reads others wrong).
  package var metadata: String?

  package init(_ partition: TopicPartition, offset: Int64?, metadata: String? = nil) {
    self.partition = partition
    self.offset = offset
    self.metadata = metadata
  }
}
