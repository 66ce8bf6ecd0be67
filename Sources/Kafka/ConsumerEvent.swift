/// A consumer's reports besides records.
package enum ConsumerEvent: Hashable, Sendable {
  /// The group gave these partitions. Nothing is read until `assign`, which also tells the group that all is well:
  /// call it soon, if need be with none, and again when a partition is ready.
  case assigned([TopicPartition])
  /// The group takes these back, all that it gave. Unless `lost`, they are ours until `unassign`, which must follow:
  /// there is time to commit, less than the session timeout. `lost`: others may own them already.
  case revoked([TopicPartition], lost: Bool)
  /// All there was of this partition has been handed out; the next record will have this offset or a later one.
  case endOfPartition(TopicPartition, offset: Int64)
  /// An error; with a partition, if it is the error of one.
  case failed(KafkaError, of: TopicPartition?)
}
