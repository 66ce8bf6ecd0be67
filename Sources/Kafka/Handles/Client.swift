import CRdKafka

/// One librdkafka client, freed once, when its last owner is gone.
///
/// Not Sendable: its owners stay on one thread. What others may do meanwhile (wake it) has a type of its own.
final class Client {
  let handle: OpaquePointer
  let inbox: Inbox
  /// As it was made.
  let properties: [(name: String, value: String)]
  /// Topics that the application holds, by name; librdkafka wants them back before it goes.
  private var topics: [(name: String, handle: OpaquePointer)] = []
  /// Time limit for librdkafka to end its threads, in milliseconds. After it they are left to the end of the process:
  /// a deleted topic can keep 2.0.2 waiting for ever.
  var destroyBoundMs = 5_000
  private(set) var isDestroyed = false

  /// `properties` are taken as they are, in order, but for the bound of what is unpacked; `inbox` gets what librdkafka
  /// calls back with.
  init(_ type: rd_kafka_type_t, _ properties: [(name: String, value: String)], _ inbox: Inbox) throws(KafkaError) {
    self.inbox = inbox
    self.properties = properties
    let conf = try ClientConfiguration(properties.filter { $0.name != UnpackBound.property })
    rd_kafka_conf_set_opaque(conf.handle, Unmanaged.passUnretained(inbox).toOpaque())
    inbox.register(on: conf.handle, type)
    if type == RD_KAFKA_CONSUMER {
      inbox.unpackBound = try UnpackBound(properties)
      UnpackBound.register(on: conf.handle)
    }
    var text = CText()
    guard let handle = text.fill({ rd_kafka_new(type, conf.handle, $0, $1) }) else {
      // The configuration is still ours: its owner frees it.
      throw KafkaError(rd_kafka_last_error(), text.string, kind: .settings)
    }
    conf.wasTaken()
    self.handle = handle
    // Log lines wait in the main queue, and are handed on by whoever polls it.
    rd_kafka_set_log_queue(handle, nil)
  }

  deinit { destroy() }

  /// The handle of a topic, the same each time.
  func topic(_ name: String) throws(KafkaError) -> OpaquePointer {
    if let known = topics.first(where: { $0.name == name }) { return known.handle }
    guard let topic = rd_kafka_topic_new(handle, name, nil) else {
      throw KafkaError(rd_kafka_last_error(), "topic \(name)")
    }
    topics.append((name, topic))
    return topic
  }

  /// Ends the client: `false` if librdkafka did not within its bound.
  @discardableResult
  func destroy() -> Bool {
    guard !isDestroyed else { return true }
    isDestroyed = true
    for topic in topics { rd_kafka_topic_destroy(topic.handle) }
    topics = []
    let teardown = ClientTeardown(handle: handle, inbox: inbox)
    return teardown.run(boundMs: destroyBoundMs)
  }

  /// Serves what waits in the main queue: delivery reports, errors, log lines.
  func poll(_ timeoutMs: Int32 = 0) { rd_kafka_poll(handle, timeoutMs) }

  /// A call that only timed out, or found no broker: the reason is in an error that came on its own.
  func explained(_ error: KafkaError) -> KafkaError {
    guard error.kind == .unreachable || error.isOfElections else { return error }
    poll()
    return judged(inbox.reason(for: error))
  }
}
