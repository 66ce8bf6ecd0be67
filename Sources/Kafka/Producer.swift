import CRdKafka

/// A producer without transactions: each record once while it lives, in the order of its partition.
package final class Producer {
  private let client: Client
  private var topics: [OutputTopic] = []

  package init(properties: KafkaProperties, clientId: String, log: @escaping ClientLog) throws(KafkaError) {
    client = try Client(RD_KAFKA_PRODUCER, properties.producer(clientId: clientId), Inbox(log: log))
  }

  /// A topic to write to; asks the broker for its partitions the first time.
  package func topic(_ name: String, timeoutMs: Int32) throws(KafkaError) -> OutputTopic {
    if let known = topics.first(where: { $0.name == name }) { return known }
    let topic = try OutputTopic(client, name, timeoutMs: timeoutMs)
    topics.append(topic)
    return topic
  }

  /// The same topic with the partitions that it has now: asks the broker each time.
  package func grown(_ topic: OutputTopic, timeoutMs: Int32) throws(KafkaError) -> OutputTopic {
    guard try client.partitionCount(of: topic.name, timeoutMs: timeoutMs) > topic.partitionCount else { return topic }
    let grown = try OutputTopic(client, topic.name, timeoutMs: timeoutMs)
    topics.removeAll { $0.name == topic.name }
    topics.append(grown)
    return grown
  }

  func slots(_ count: Int) -> UnsafeMutablePointer<Int64> { client.inbox.slots(count) }

  /// Serves delivery reports and log lines, waiting up to `waitMs` for one.
  package func serve(waitMs: Int32 = 0) { client.poll(waitMs) }

  /// Records that the broker has.
  package var deliveredCount: Int { client.inbox.deliveredCount }
  /// The first record that could not be delivered.
  package var deliveryFailure: KafkaError? { client.inbox.deliveryFailure.map(client.judged) }

  /// The error after which it delivers nothing more; another producer may.
  package var refusal: KafkaError? { client.inbox.refusal }

  /// Waits until the broker has everything, or has refused it.
  package func flush(timeoutMs: Int32) throws(KafkaError) {
    do {
      try KafkaError.check(rd_kafka_flush(client.handle, timeoutMs), "records are still on their way")
    } catch {
      throw client.explained(error)
    }
    if let failure = deliveryFailure { throw failure }
  }

  /// Throws away what was not sent. `false` if librdkafka took longer than it may.
  package func close(boundedMs: Int) -> Bool {
    rd_kafka_purge(client.handle, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT)
    client.destroyBoundMs = boundedMs
    return client.destroy()
  }
}
