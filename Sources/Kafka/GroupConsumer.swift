import CRdKafka
import Platform

/// A member of a consumer group, for a thread of its own.
///
/// Every record of a batch belongs to a partition that was ours when it was received; a revocation that comes with
/// a batch is answered after the batch's records (or, if lost, in their place), so: records first, events then.
package struct GroupConsumer: ~Copyable {
  private var queue: ConsumerQueue
  private let client: Client
  private let isStatic: Bool

  /// Joins as soon as it is received from. Topics that aren't there come as events.
  ///
  /// - Parameter instanceId: Names a member for good (static membership); `nil` for one that comes and goes.
  package init(
    properties: KafkaProperties, group: String, instanceId: String? = nil, clientId: String, topics: [String],
    statistics: ClientStatistics? = nil, log: @escaping ClientLog
  ) throws(KafkaError) {
    let client = try Client(
      RD_KAFKA_CONSUMER,
      KafkaProperties.with(
        statistics, properties.groupConsumer(group: group, instanceId: instanceId, clientId: clientId)),
      Inbox(log: log, statistics: statistics))
    let held = try topics.map { name throws(KafkaError) in (name: name, handle: try client.topic(name)) }
    let subscription = PartitionList(topics.map { TopicPartition($0, -1) })
    try KafkaError.check(rd_kafka_subscribe(client.handle, subscription.handle), "subscribing")
    self.client = client
    isStatic = instanceId != nil
    queue = ConsumerQueue(client, owning: rd_kafka_queue_get_consumer(client.handle), topics: held)
  }

  /// Waits up to `waitMs` for a record, a rebalance or a wake, then takes what there is, without waiting any more.
  package mutating func receive(into batch: inout RecordBatch, events: inout [ConsumerEvent], waitMs: Int32) {
    queue.receive(into: &batch, events: &events, waitMs: waitMs)
  }

  /// Reads these partitions from here on, and no others: those read so far begin anew at what is given. May be called
  /// at any time while the group leaves us partitions, with some of them or none (4 to 14 ms to the next record, on a
  /// busy machine); the first call after an `.assigned` tells the group that we took note.
  package mutating func assign(_ partitions: [(partition: TopicPartition, offset: StartOffset)]) throws(KafkaError) {
    let list = PartitionList([])
    for (partition, offset) in partitions { list.add(partition, offset: offset.raw) }
    try check(rd_kafka_assign(client.handle, list.handle), "assigning")
    waitUntilStopped()
    queue.setPartitions(partitions.map(\.partition))
  }

  /// Reads nothing more: the answer to `.revoked`, and the only one that the group takes for it.
  package mutating func unassign() throws(KafkaError) {
    try check(rd_kafka_assign(client.handle, nil), "giving partitions back")
    waitUntilStopped()
    queue.setPartitions([])
  }

  /// A member that has failed for good refuses every assignment, before it is told why.
  private func check(_ code: rd_kafka_resp_err_t, _ what: String) throws(KafkaError) {
    guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return }
    throw KafkaError(code, "\(what): \(String(cString: rd_kafka_err2str(code)))", of: client.handle)
  }

  /// Returns once the partitions of the assignment before have stopped.
  ///
  /// librdkafka answers an assignment before they have. If another assignment comes that soon, it stops them a second
  /// time, and the second report of a stop ends the process (its issue 5573, in 2.15.0 still). Its main thread handles
  /// requests in turn: the stops come before the first of these two, and their reports before the second.
  private func waitUntilStopped() {
    for _ in 0..<2 {
      var assigned: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?
      rd_kafka_assignment(client.handle, &assigned)
      if let assigned { rd_kafka_topic_partition_list_destroy(assigned) }
    }
  }

  /// The group's committed offsets, once no transaction of a predecessor is pending for them.
  package func committed(
    _ partitions: [TopicPartition], timeoutMs: Int32
  ) throws(KafkaError) -> [CommittedOffset] {
    try client.committed(partitions, timeoutMs: timeoutMs)
  }

  /// The broker that leads each partition of a topic, as many as there are; nil: none does.
  package func leaders(of topic: String, timeoutMs: Int32) throws(KafkaError) -> [Int32?] {
    try client.leaders(of: topic, timeoutMs: timeoutMs)
  }

  package var membership: GroupMembership { GroupMembership(client) }

  /// The coordinator's name for it; `nil` before it has joined, and while it joins anew.
  package var memberId: String? {
    guard let text = rd_kafka_memberid(client.handle) else { return nil }
    defer { rd_kafka_mem_free(client.handle, text) }
    return text.pointee == 0 ? nil : String(cString: text)
  }

  package var waker: ConsumerWaker { queue.waker }

  /// The end of a partition as the last fetch reported it: costs a look-up, not a request.
  package func cachedEnd(of partition: TopicPartition) -> Int64? { queue.cachedEnd(of: partition) }

  package func queryWatermarks(
    of partition: TopicPartition, timeoutMs: Int32
  ) throws(KafkaError) -> (low: Int64, high: Int64) {
    try queue.queryWatermarks(of: partition, timeoutMs: timeoutMs)
  }

  /// Leaves the group, so that others need not wait for the session to end. Partitions still ours are given back.
  /// A static member stays in the group until its session ends, so it has nothing to say: librdkafka's own way to close
  /// it waits 5 s for nobody.
  /// `false` if it took longer than it may: the process had better end.
  /// Empty the batches first: their records are this consumer's memory.
  package consuming func close(boundedMs: Int) -> Bool {
    if isStatic {
      client.destroyBoundMs = boundedMs
      return true
    }
    let deadline = MonotonicClock.nowMs() + Int64(boundedMs)
    if let refusal = rd_kafka_consumer_close_queue(client.handle, queue.handle) {
      // A member that failed for good is in no group any more.
      return KafkaError(owning: refusal).isFatal
    }
    while rd_kafka_consumer_closed(client.handle) == 0 {
      let left = deadline - MonotonicClock.nowMs()
      guard left > 0 else { return false }
      if let message = rd_kafka_consume_queue(queue.handle, Int32(min(left, 100))) { rd_kafka_message_destroy(message) }
      if client.inbox.events.contains(where: \.isRebalance) { rd_kafka_assign(client.handle, nil) }
      client.inbox.events.removeAll()
    }
    client.destroyBoundMs = max(0, Int(deadline - MonotonicClock.nowMs()))
    return true
  }
}

extension ConsumerEvent {
  fileprivate var isRebalance: Bool {
    switch self {
    case .assigned, .revoked: true
    case .endOfPartition, .failed: false
    }
  }
}
