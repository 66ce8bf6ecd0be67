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
}
