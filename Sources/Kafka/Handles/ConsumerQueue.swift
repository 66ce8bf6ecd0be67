import CRdKafka

/// The queue of records and rebalances, which consumers and readers have in common.
///
/// The client's main queue, with its errors and log lines, stays apart from it: whoever asks why a call failed serves
/// that one, and librdkafka would not survive a record in it.
struct ConsumerQueue: ~Copyable {
  let client: Client
  let handle: OpaquePointer
  let waker: ConsumerWaker
  /// The topics, by their place: the first half of a `PartitionKey`.
  private(set) var topicNames: [String]
  private var topicHandles: [OpaquePointer]
  private var wakeup: FetchWakeup

  /// Takes over `handle`. A message names its topic by the topic's handle: holding the topics keeps librdkafka from
  /// giving the same handle to another later.
  init(_ client: Client, owning handle: OpaquePointer, topics: [(name: String, handle: OpaquePointer)] = []) {
    self.client = client
    self.handle = handle
    wakeup = FetchWakeup(client.properties)
    topicNames = topics.map(\.name)
    topicHandles = topics.map(\.handle)
    waker = ConsumerWaker(handle)
    client.inbox.waker = waker
  }

  deinit {
    waker.retire()
    rd_kafka_queue_destroy(handle)
  }

  /// Gives the topic its place; the same each time.
  mutating func register(_ topic: String) throws(KafkaError) -> Int {
    if let known = topicNames.firstIndex(of: topic) { return known }
    topicHandles.append(try client.topic(topic))
    topicNames.append(topic)
    return topicNames.count - 1
  }

  /// Says which partitions are read from now on.
  mutating func setPartitions(_ partitions: some Collection<TopicPartition>) { wakeup.setPartitions(partitions) }

  func topicHandle(_ ordinal: Int) -> OpaquePointer { topicHandles[ordinal] }

  mutating func receive(into batch: inout RecordBatch, events: inout [ConsumerEvent], waitMs: Int32) {
    let inbox = client.inbox
    var lastHandle: OpaquePointer?
    var lastOrdinal = 0
    var bytes = 0
    let earlier = batch.count
    batch.fill(from: handle, of: client, waitMs: waitMs) { message in
      guard message.pointee.err == RD_KAFKA_RESP_ERR_NO_ERROR else {
        // A batch that was put off is fetched again.
        if message.pointee.err != RD_KAFKA_RESP_ERR__BAD_COMPRESSION || inbox.unpackBound?.wasPutOff() != true {
          inbox.events.append(event(of: message))
        }
        rd_kafka_message_destroy(message)
        return nil
      }
      if message.pointee.rkt != lastHandle {
        guard let ordinal = topicHandles.firstIndex(of: message.pointee.rkt) else {
          // The record is of a topic that was never asked for.
          rd_kafka_message_destroy(message)
          return nil
        }
        lastHandle = message.pointee.rkt
        lastOrdinal = ordinal
      }
      bytes += message.pointee.len
      return PartitionKey(topic: lastOrdinal, partition: message.pointee.partition)
    }
    client.poll()
    wakeup.count(records: batch.count - earlier, bytes: bytes, by: client)
    guard !inbox.events.isEmpty else { return }
    events += inbox.events
    inbox.events.removeAll(keepingCapacity: true)
  }

  private func event(of message: UnsafeMutablePointer<rd_kafka_message_t>) -> ConsumerEvent {
    let code = message.pointee.err
    let partition = message.pointee.rkt.map {
      TopicPartition(String(cString: rd_kafka_topic_name($0)), message.pointee.partition)
    }
    if code == RD_KAFKA_RESP_ERR__PARTITION_EOF, let partition {
      return .endOfPartition(partition, offset: message.pointee.offset)
    }
    let text = rd_kafka_message_errstr(message).map { String(cString: $0) }
    // An error of a topic has the partition -1, and is none of a partition.
    let isOfPartition = message.pointee.partition >= 0
    let place = isOfPartition ? partition?.description : partition?.topic
    let words = [place, text].compactMap(\.self).joined(separator: ": ")
    return .failed(KafkaError(code, words, of: client.handle), of: isOfPartition ? partition : nil)
  }

  /// The end of a partition as the last fetch reported it, without asking the broker; `nil` before the first.
  func cachedEnd(of partition: TopicPartition) -> Int64? {
    var low: Int64 = 0
    var high: Int64 = 0
    let code = rd_kafka_get_watermark_offsets(client.handle, partition.topic, partition.partition, &low, &high)
    return code == RD_KAFKA_RESP_ERR_NO_ERROR && high >= 0 ? high : nil
  }

  /// Asks the broker for the first offset of a partition and the one after its last.
  func queryWatermarks(
    of partition: TopicPartition, timeoutMs: Int32
  ) throws(KafkaError) -> (low: Int64, high: Int64) {
    try client.watermarks(of: partition, timeoutMs: timeoutMs)
  }
}
