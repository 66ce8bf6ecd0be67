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
