import CRdKafka
import Platform

/// A producer whose records, and the input offsets they come from, appear to committed readers all at once or never.
/// Its calls block: it belongs on a thread of its own (the worker's).
///
/// After an abort, or a commit that failed, the records of that transaction are as if never sent: roll back what made
/// them. After a call on the end of a transaction that timed out nobody knows how it ended: make a new producer with
/// the same id, whose `initTransactions` settles it.
package final class TransactionalProducer {
  private let client: Client
  private let topics: [OutputTopic]
  private let rows = OutputRows()
  /// The count of transactions that had ended when the last one began.
  private var endedBefore = 0

  /// Loads the metadata of the topics it will write to: throws where one isn't there, or no broker answers in time.
  ///
  /// - Parameter batchBytes: The most bytes that are sent to a partition at once, except for a single record.
  package init(
    properties: KafkaProperties, transactionalId: String, clientId: String, outputs: [String],
    batchBytes: Int = .max, timeoutMs: Int32, statistics: ClientStatistics? = nil, log: @escaping ClientLog
  ) throws(KafkaError) {
    let client = try Client(
      RD_KAFKA_PRODUCER,
      KafkaProperties.with(
        statistics,
        properties.transactionalProducer(
          transactionalId: transactionalId, clientId: clientId, batchBytes: batchBytes)),
      Inbox(log: log, statistics: statistics, rows: rows))
    self.client = client
    topics = try outputs.map { name throws(KafkaError) in try OutputTopic(client, name, timeoutMs: timeoutMs) }
  }

  /// One of the topics given at the start.
  package func topic(_ name: String) -> OutputTopic {
    guard let topic = topics.first(where: { $0.name == name }) else {
      preconditionFailure("\(name) is not among the outputs")
    }
    return topic
  }

  /// Ends what an earlier producer with this id left open, and fences it. Call again where it is retriable.
  package func initTransactions(timeoutMs: Int32) throws(KafkaError) {
    try call { rd_kafka_init_transactions($0, timeoutMs) }
  }

  package func begin() throws(KafkaError) {
    client.inbox.deliveryFailure = nil
    client.inbox.refusedTopic = nil
    endedBefore = rows.transaction
    try call { rd_kafka_begin_transaction($0) }
  }

  /// Adds to the transaction where its input ends. Without offsets a zombie's transaction is not told from its
  /// successor's: send those of every partition that the transaction touched.
  package func sendOffsets(
    _ offsets: [CommittedOffset], group: borrowing GroupMetadata, timeoutMs: Int32
  ) throws(KafkaError) {
    let list = PartitionList([])
    for offset in offsets {
      guard let next = offset.offset else { continue }
      list.add(offset.partition, offset: next, metadata: offset.metadata)
    }
    let group = group.handle
    try call { rd_kafka_send_offsets_to_transaction($0, list.handle, group, timeoutMs) }
  }

  /// Flushes, then commits.
  package func commit(timeoutMs: Int32) throws(KafkaError) {
    try call { rd_kafka_commit_transaction($0, timeoutMs) }
    rows.transactionEnded()
  }

  /// Throws away what was not sent, and makes committed readers never see the rest.
  package func abort(timeoutMs: Int32) throws(KafkaError) {
    try call { rd_kafka_abort_transaction($0, timeoutMs) }
    rows.transactionEnded()
  }

  /// The partitions that the last transaction wrote to, each with the first offset at which the broker is known to have a
  /// record of it; nil: it has told of none.
  package var touched: [TopicPartition: Int64?] {
    var touched: [TopicPartition: Int64?] = [:]
    for topic in topics {
      for (partition, offset) in topic.touched(after: endedBefore) {
        touched[TopicPartition(topic.name, partition)] = .some(offset)
      }
    }
    return touched
  }

  /// Waits until the broker has told of a record in each partition that the transaction wrote to.
  package func awaitTouched(timeoutMs: Int32) throws(KafkaError) {
    let endMs = MonotonicClock.nowMs() + Int64(timeoutMs)
    while touched.values.contains(where: { $0 == nil }) {
      if let failure = refusal ?? deliveryFailure { throw failure }
      guard MonotonicClock.nowMs() < endMs else {
        throw client.explained(KafkaError(RD_KAFKA_RESP_ERR__TIMED_OUT, "a record of a transaction"))
      }
      client.poll(10)
    }
  }

  /// Waits until the broker has taken all that this producer was ever given, or refused some of it.
  ///
  /// - Parameter count: the number of records that it was given.
  /// - Returns: a topic that it may not write to; nil: the broker has everything.
  package func awaitDelivery(of count: Int, timeoutMs: Int32) throws(KafkaError) -> String? {
    let endMs = MonotonicClock.nowMs() + Int64(timeoutMs)
    while client.inbox.deliveredCount < count {
      if let topic = client.inbox.refusedTopic { return topic }
      if let failure = deliveryFailure { throw failure }
      guard MonotonicClock.nowMs() < endMs else {
        throw client.explained(KafkaError(RD_KAFKA_RESP_ERR__TIMED_OUT, "a record of a transaction"))
      }
      client.poll(50)
    }
    return nil
  }

  /// Serves delivery reports and log lines, without waiting: call it while nothing else of this producer is called.
  package func serve() { client.poll() }

  /// Whether a broker went away since this was last asked.
  package func takeLostBroker() -> Bool {
    defer { client.inbox.hasLostBroker = false }
    return client.inbox.hasLostBroker
  }

  /// The first record of this transaction, or of the last one, that could not be delivered: the commit fails for it, at
  /// times before this is known. Once an abort is through, it is.
  package var deliveryFailure: KafkaError? { client.inbox.deliveryFailure.map(client.judged) }
  /// The topic that this transaction may not write to. librdkafka hears of it between our calls: the next call, even
  /// one that adds a record, only says that the transaction has failed.
  package var refusal: KafkaError? {
    client.poll()
    return client.inbox.refusedTopic.map {
      let code = RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED
      return KafkaError(code, "topic \($0): \(String(cString: rd_kafka_err2str(code)))")
    }
  }

  /// The topic that last refused a record.
  package var refusingTopic: String? { client.inbox.refusingTopic }

  /// Ends it without a word to the broker: an open transaction stays open until the next producer with this id, or
  /// its timeout. `false` if librdkafka took longer than it may.
  package func close(boundedMs: Int) -> Bool {
    rd_kafka_purge(client.handle, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT)
    client.destroyBoundMs = boundedMs
    return client.destroy()
  }

  private func call(_ body: (OpaquePointer) -> OpaquePointer?) throws(KafkaError) {
    do {
      try KafkaError.check(body(client.handle))
    } catch {
      throw named(client.explained(error))
    }
  }

  /// librdkafka doesn't say which topic we may not write to.
  private func named(_ error: KafkaError) -> KafkaError {
    guard error.code == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED.rawValue else { return error }
    client.poll()
    guard let topic = client.inbox.refusedTopic else { return error }
    var named = error
    named.message = "topic \(topic): \(error.message)"
    return named
  }
}
