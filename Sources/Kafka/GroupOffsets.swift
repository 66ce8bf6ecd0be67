import CRdKafka

/// A group's committed offsets, seen from outside.
package struct GroupOffsets: ~Copyable {
  private let client: Client

  package init(
    properties: KafkaProperties, group: String, clientId: String, log: @escaping ClientLog
  ) throws(KafkaError) {
    client = try Client(
      RD_KAFKA_CONSUMER, properties.groupConsumer(group: group, instanceId: nil, clientId: clientId), Inbox(log: log))
  }

  /// Waits until no transaction is pending for the offsets, and returns them.
  package func committed(
    _ partitions: [TopicPartition], timeoutMs: Int32
  ) throws(KafkaError) -> [CommittedOffset] {
    try client.committed(partitions, timeoutMs: timeoutMs)
  }

  /// Commits offsets for a group that has no members, and waits for it.
  package func commit(_ offsets: [TopicPartition: Int64]) throws(KafkaError) {
    let list = PartitionList([])
    for (partition, offset) in offsets { list.add(partition, offset: offset) }
    try KafkaError.check(rd_kafka_commit(client.handle, list.handle, 0), "the group's offsets")
  }
}
