/// Calls of Kafka's own tool for transactions, ready to be typed.
package struct TransactionTool: Sendable {
  private let servers: String

  package init(servers: String) { self.servers = servers }

  private func call(_ verb: String, _ partition: TopicPartition, _ more: String = "") -> String {
    "kafka-transactions.sh --bootstrap-server \(servers) \(verb) --topic \(partition.topic)"
      + " --partition \(partition.partition)" + more
  }

  /// Lists what hangs in the partition.
  package func findHanging(_ partition: TopicPartition) -> String { call("find-hanging", partition, Self.minute) }

  /// Lists what hangs in all partitions of a topic.
  package func findHanging(_ topic: String) -> String {
    "kafka-transactions.sh --bootstrap-server \(servers) find-hanging --topic \(topic)\(Self.minute)"
  }

  /// The tool's default of 15 minutes finds nothing that is younger. It takes whole minutes.
  private static let minute = " --max-transaction-timeout 1"

  /// Lists the producers of the partition, and at which offsets their open transactions begin.
  package func describeProducers(_ partition: TopicPartition) -> String { call("describe-producers", partition) }

  /// Aborts the part of a transaction that lies in the partition and begins at its last stable offset.
  package func abort(_ partition: TopicPartition, _ ends: PartitionEnds) -> String {
    call("abort", partition, " --start-offset \(ends.readable)")
  }
}
