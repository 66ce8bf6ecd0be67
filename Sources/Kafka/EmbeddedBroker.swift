import CRdKafka

/// librdkafka's in-process cluster: enough for a demo and for tests. It keeps 5 MiB a partition, no committed
/// offsets of transactions, and hides no aborted records. Topics are CreateTime. Nobody may ask it for their settings:
/// it has no controller, for which a client waits as long as it is told to.
package final class EmbeddedBroker {
  private let client: Client
  private let cluster: OpaquePointer

  package init(brokers: Int = 1) throws(KafkaError) {
    client = try Client(RD_KAFKA_PRODUCER, [("client.id", "embedded-broker"), ("log.queue", "true")], Inbox { _ in })
    guard let cluster = rd_kafka_mock_cluster_new(client.handle, Int32(brokers)) else {
      throw KafkaError(RD_KAFKA_RESP_ERR__FAIL, "the embedded broker did not start")
    }
    self.cluster = cluster
  }

  deinit { rd_kafka_mock_cluster_destroy(cluster) }

  package var bootstrapServers: String { String(cString: rd_kafka_mock_cluster_bootstraps(cluster)) }

  /// The first broker takes no connection meanwhile, as if it had ended.
  package func setAway(_ isAway: Bool) throws(KafkaError) {
    try KafkaError.check(
      isAway ? rd_kafka_mock_broker_set_down(cluster, 1) : rd_kafka_mock_broker_set_up(cluster, 1),
      "the embedded broker")
  }

  /// Answers the next requests for records as a broker does that led the partition until a moment ago, and has fewer
  /// of them: the offset is out of range.
  package func refuseOffsets(_ count: Int) {
    let fetch: Int16 = 1
    var errors = Array(repeating: RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE, count: count)
    rd_kafka_mock_push_request_errors_array(cluster, fetch, count, &errors)
  }

  /// Has one of its brokers, which count from 1, lead a partition.
  package func lead(_ partition: TopicPartition, by broker: Int32) throws(KafkaError) {
    try KafkaError.check(
      rd_kafka_mock_partition_set_leader(cluster, partition.topic, partition.partition, broker),
      "\(partition) on the embedded broker")
  }

  package func createTopic(_ name: String, partitions: Int) throws(KafkaError) {
    try KafkaError.check(
      rd_kafka_mock_topic_create(cluster, name, Int32(partitions), 1), "topic \(name) on the embedded broker")
  }
}
