import CRdKafka

/// A group's progress in all partitions, seen from outside; also in those that no member works on.
package struct GroupWatch: ~Copyable {
  private let client: Client

  package init(
    properties: KafkaProperties, group: String, clientId: String, log: @escaping ClientLog
  ) throws(KafkaError) {
    client = try Client(
      RD_KAFKA_CONSUMER, properties.groupWatch(group: group, clientId: clientId), Inbox(log: log))
  }

  /// The number of a topic's partitions.
  package func partitionCount(of topic: String, timeoutMs: Int32) throws(KafkaError) -> Int {
    try client.partitionCount(of: topic, timeoutMs: timeoutMs)
  }

  /// The group's committed offsets.
  package func committed(_ partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [CommittedOffset] {
    try client.committed(partitions, timeoutMs: timeoutMs)
  }

  /// The offset after the last record of each partition, in one request a broker. Where a partition has no leader none
  /// are told.
  package func ends(of partitions: [TopicPartition], timeoutMs: Int32) throws(KafkaError) -> [TopicPartition: Int64] {
    let list = PartitionList([])
    for partition in partitions { list.add(partition, offset: Int64(RD_KAFKA_OFFSET_END)) }
    do {
      try KafkaError.check(rd_kafka_offsets_for_times(client.handle, list.handle, timeoutMs), "the ends of partitions")
    } catch {
      throw client.explained(error)
    }
    var ends: [TopicPartition: Int64] = [:]
    for entry in list.entries where entry.err == RD_KAFKA_RESP_ERR_NO_ERROR && entry.offset >= 0 {
      ends[TopicPartition(entry)] = entry.offset
    }
    return ends
  }

  /// The last stable offset and the end of each partition. Where a partition has no leader none are told.
  ///
  /// - Parameter reader: Asked for what committed readers see.
  package func ends(
    of partitions: [TopicPartition], readableBy reader: borrowing Reader, timeoutMs: Int32
  ) throws(KafkaError) -> [TopicPartition: PartitionEnds] {
    // A commit between the two questions makes the difference larger, never negative.
    let readable = try reader.readableEnds(of: partitions, timeoutMs: timeoutMs)
    var found: [TopicPartition: PartitionEnds] = [:]
    for (partition, end) in try ends(of: partitions, timeoutMs: timeoutMs) {
      guard let readable = readable[partition] else { continue }
      found[partition] = PartitionEnds(readable: readable, end: end)
    }
    return found
  }

  /// The first offset of a partition, and the one after its last.
  package func watermarks(of partition: TopicPartition, timeoutMs: Int32) throws(KafkaError) -> (
    low: Int64, high: Int64
  ) {
    try client.watermarks(of: partition, timeoutMs: timeoutMs)
  }

  /// Serves what librdkafka has to report.
  package func serve() { client.poll() }
}
