import CRdKafka

/// Reads partitions without a group, committed records only: what a restore, a tail or a replay needs. Each partition
/// begins and ends on its own.
package struct Reader: ~Copyable {
  private var queue: ConsumerQueue
  private let client: Client
  private var reading: Set<TopicPartition> = []

  /// The ends of partitions come as events.
  ///
  /// - Parameters:
  ///   - partitions: how many are read at once, if each is to have its share of the memory of few.
  ///   - staysAtEnd: it reads on as more comes; false: what is there now is all that is wanted.
  package init(
    properties: KafkaProperties, clientId: String, partitions: Int = 1, staysAtEnd: Bool = true,
    statistics: ClientStatistics? = nil, log: @escaping ClientLog
  ) throws(KafkaError) {
    client = try Client(
      RD_KAFKA_CONSUMER,
      KafkaProperties.with(
        statistics, properties.reader(clientId: clientId, partitions: partitions, staysAtEnd: staysAtEnd)),
      Inbox(log: log, statistics: statistics))
    queue = ConsumerQueue(client, owning: rd_kafka_queue_new(client.handle))
  }

  /// Another that reads other partitions over the same connections, from a queue of its own: what comes of them waits
  /// until it is asked for.
  package init(beside other: borrowing Reader) {
    client = other.client
    queue = ConsumerQueue(client, owning: rd_kafka_queue_new(client.handle))
  }

  deinit {
    for partition in reading { rd_kafka_consume_stop(try? client.topic(partition.topic), partition.partition) }
  }

  /// Begins to read a partition, which must not be read already.
  package mutating func start(_ partition: TopicPartition, at offset: StartOffset) throws(KafkaError) {
    let topic = queue.topicHandle(try queue.register(partition.topic))
    guard rd_kafka_consume_start_queue(topic, partition.partition, offset.raw, queue.handle) == 0 else {
      let code = rd_kafka_last_error()
      throw KafkaError(code, "reading \(partition): \(String(cString: rd_kafka_err2str(code)))")
    }
    reading.insert(partition)
    queue.setPartitions(reading)
  }

  /// Reads it no more; nothing of it is received from here on.
  package mutating func stop(_ partition: TopicPartition) {
    guard reading.remove(partition) != nil, let topic = try? client.topic(partition.topic) else { return }
    rd_kafka_consume_stop(topic, partition.partition)
    queue.setPartitions(reading)
  }

  /// Waits up to `waitMs` for something to come, then takes what there is, without waiting any more.
  package mutating func receive(into batch: inout RecordBatch, events: inout [ConsumerEvent], waitMs: Int32) {
    queue.receive(into: &batch, events: &events, waitMs: waitMs)
  }

  /// Throws away what waits to be received.
  package mutating func discard() {
    var batch = RecordBatch()
    var events: [ConsumerEvent] = []
    repeat {
      batch.removeAll()
      events = []
      receive(into: &batch, events: &events, waitMs: 0)
    } while !batch.isEmpty || !events.isEmpty
  }

  package func topicName(_ ordinal: Int) -> String { queue.topicNames[ordinal] }

  package func key(of partition: TopicPartition) -> PartitionKey? {
    queue.topicNames.firstIndex(of: partition.topic).map {
      PartitionKey(topic: $0, partition: partition.partition)
    }
  }

  package var waker: ConsumerWaker { queue.waker }

  package func cachedEnd(of partition: TopicPartition) -> Int64? { queue.cachedEnd(of: partition) }

  /// Asks for the first offset and the one after the last that committed readers see.
  package func queryWatermarks(
    of partition: TopicPartition, timeoutMs: Int32
  ) throws(KafkaError) -> (low: Int64, high: Int64) {
    try queue.queryWatermarks(of: partition, timeoutMs: timeoutMs)
  }

  /// The first offsets whose records are of `timeMs` or later; `nil` where there is none yet.
  package func offsets(
    of partitions: [TopicPartition], at timeMs: Int64, timeoutMs: Int32
  ) throws(KafkaError) -> [TopicPartition: Int64?] {
    try queue.client.offsets(of: partitions, at: .time(timeMs), timeoutMs: timeoutMs).mapValues { $0 >= 0 ? $0 : nil }
  }

  /// The offset after the last record that committed readers see, of each partition; in one request a broker.
  package func readableEnds(
    of partitions: [TopicPartition], timeoutMs: Int32
  ) throws(KafkaError) -> [TopicPartition: Int64] {
    try queue.client.offsets(of: partitions, at: .end, timeoutMs: timeoutMs)
  }

  /// The broker that leads each partition of a topic, as many as there are; nil: none does.
  package func leaders(of topic: String, timeoutMs: Int32) throws(KafkaError) -> [Int32?] {
    try client.leaders(of: topic, timeoutMs: timeoutMs)
  }

  /// The number of a topic's partitions.
  package func partitionCount(of topic: String, timeoutMs: Int32) throws(KafkaError) -> Int {
    try client.partitionCount(of: topic, timeoutMs: timeoutMs)
  }
}
