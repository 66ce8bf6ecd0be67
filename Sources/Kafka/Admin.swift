import CRdKafka
import Glibc

/// Makes topics, and reports how they are set up.
package struct Admin: ~Copyable {
  private let client: Client

  package init(properties: KafkaProperties, clientId: String, log: @escaping ClientLog) throws(KafkaError) {
    client = try Client(RD_KAFKA_PRODUCER, properties.admin(clientId: clientId), Inbox(log: log))
  }

  /// A topic to be made; `replication` `nil` is the broker's default.
  package struct NewTopic: Hashable, Sendable {
    package var name: String
    package var partitions: Int
    package var replication: Int?
    package var settings: [String: String]

    package init(_ name: String, partitions: Int, replication: Int? = nil, settings: [String: String] = [:]) {
      self.name = name
      self.partitions = partitions
      self.replication = replication
      self.settings = settings
    }
  }

  /// Makes topics. Returns those that were there already; they are left as they are.
  package func createTopics(_ topics: [NewTopic], timeoutMs: Int32) throws(KafkaError) -> [String] {
    guard !topics.isEmpty else { return [] }
    var requests: [OpaquePointer?] = []
    defer { for request in requests { rd_kafka_NewTopic_destroy(request) } }
    for topic in topics {
      var text = CText()
      let request = text.fill {
        rd_kafka_NewTopic_new(topic.name, Int32(topic.partitions), topic.replication.map { Int32($0) } ?? -1, $0, $1)
      }
      guard let request else { throw .settings("topic \(topic.name): \(text.string)") }
      requests.append(request)
      for (name, value) in topic.settings.sorted(by: { $0.key < $1.key }) {
        try KafkaError.check(rd_kafka_NewTopic_set_config(request, name, value), "\(topic.name): \(name)=\(value)")
      }
    }
    let reply = try ask(RD_KAFKA_ADMIN_OP_CREATETOPICS, timeoutMs) {
      rd_kafka_CreateTopics(client.handle, &requests, requests.count, $0, $1)
    }
    defer { rd_kafka_event_destroy(reply) }
    var count = 0
    let results = rd_kafka_CreateTopics_result_topics(rd_kafka_event_CreateTopics_result(reply), &count)
    var existing: [String] = []
    for result in UnsafeBufferPointer(start: results, count: count) {
      let name = String(cString: rd_kafka_topic_result_name(result))
      if rd_kafka_topic_result_error(result) == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS {
        existing.append(name)
      } else {
        try check(result, name)
      }
    }
    return existing
  }

  /// Gives a topic more partitions; `partitions` is how many it has then.
  package func grow(_ topic: String, to partitions: Int, timeoutMs: Int32) throws(KafkaError) {
    var text = CText()
    var request: OpaquePointer? = text.fill { rd_kafka_NewPartitions_new(topic, partitions, $0, $1) }
    guard request != nil else { throw .settings("topic \(topic): \(text.string)") }
    defer { rd_kafka_NewPartitions_destroy(request) }
    let reply = try ask(RD_KAFKA_ADMIN_OP_CREATEPARTITIONS, timeoutMs) {
      rd_kafka_CreatePartitions(client.handle, &request, 1, $0, $1)
    }
    defer { rd_kafka_event_destroy(reply) }
    var count = 0
    let results = rd_kafka_CreatePartitions_result_topics(rd_kafka_event_CreatePartitions_result(reply), &count)
    for result in UnsafeBufferPointer(start: results, count: count) { try check(result, topic) }
  }

  package func deleteTopics(_ names: [String], timeoutMs: Int32) throws(KafkaError) {
    var requests = names.map { rd_kafka_DeleteTopic_new($0) }
    defer { for request in requests { rd_kafka_DeleteTopic_destroy(request) } }
    let reply = try ask(RD_KAFKA_ADMIN_OP_DELETETOPICS, timeoutMs) {
      rd_kafka_DeleteTopics(client.handle, &requests, requests.count, $0, $1)
    }
    defer { rd_kafka_event_destroy(reply) }
    var count = 0
    let results = rd_kafka_DeleteTopics_result_topics(rd_kafka_event_DeleteTopics_result(reply), &count)
    for result in UnsafeBufferPointer(start: results, count: count) {
      try check(result, String(cString: rd_kafka_topic_result_name(result)))
    }
  }

  /// The number of a topic's partitions; a missing topic is an error of kind `.unknownTopic`.
  package func partitionCount(of topic: String, timeoutMs: Int32) throws(KafkaError) -> Int {
    try client.partitionCount(of: topic, timeoutMs: timeoutMs)
  }

  /// The broker that leads each partition of a topic; nil: none does.
  package func leaders(of topic: String, timeoutMs: Int32) throws(KafkaError) -> [Int32?] {
    try client.leaders(of: topic, timeoutMs: timeoutMs)
  }

  /// The settings of a broker as they are in force, by name.
  package func settings(ofBroker id: Int32, timeoutMs: Int32) throws(KafkaError) -> [String: String] {
    let answers = try describe(RD_KAFKA_RESOURCE_BROKER, [String(id)], timeoutMs: timeoutMs)
    if let refusal = answers.refusals.values.first { throw refusal }
    return answers.settings[String(id)] ?? [:]
  }

  /// The settings of topics as they are in force, by topic and name.
  package func settings(of topics: [String], timeoutMs: Int32) throws(KafkaError) -> [String: [String: String]] {
    let answers = try describe(topics, timeoutMs: timeoutMs)
    if let refusal = answers.refusals.min(by: { $0.key < $1.key }) { throw refusal.value }
    return answers.settings
  }

  /// The settings of topics as they are in force, by topic and name; and why there are none of a topic.
  package func describe(
    _ topics: [String], timeoutMs: Int32
  ) throws(KafkaError) -> (settings: [String: [String: String]], refusals: [String: KafkaError]) {
    guard !topics.isEmpty else { return ([:], [:]) }
    return try describe(RD_KAFKA_RESOURCE_TOPIC, topics, timeoutMs: timeoutMs)
  }

  private func describe(
    _ type: rd_kafka_ResourceType_t, _ names: [String], timeoutMs: Int32
  ) throws(KafkaError) -> (settings: [String: [String: String]], refusals: [String: KafkaError]) {
    var requests = names.map { rd_kafka_ConfigResource_new(type, $0) }
    defer { for request in requests { rd_kafka_ConfigResource_destroy(request) } }
    let reply = try ask(RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS, timeoutMs) {
      rd_kafka_DescribeConfigs(client.handle, &requests, requests.count, $0, $1)
    }
    defer { rd_kafka_event_destroy(reply) }
    var count = 0
    let results = rd_kafka_DescribeConfigs_result_resources(rd_kafka_event_DescribeConfigs_result(reply), &count)
    var settings: [String: [String: String]] = [:]
    var refusals: [String: KafkaError] = [:]
    for result in UnsafeBufferPointer(start: results, count: count) {
      let name = String(cString: rd_kafka_ConfigResource_name(result))
      let code = rd_kafka_ConfigResource_error(result)
      guard code == RD_KAFKA_RESP_ERR_NO_ERROR else {
        let text = rd_kafka_ConfigResource_error_string(result).map { String(cString: $0) }
        let what = type == RD_KAFKA_RESOURCE_BROKER ? "broker" : "topic"
        refusals[name] = KafkaError(code, "\(what) \(name): \(text ?? String(cString: rd_kafka_err2str(code)))")
        continue
      }
      var entryCount = 0
      let entries = rd_kafka_ConfigResource_configs(result, &entryCount)
      for entry in UnsafeBufferPointer(start: entries, count: entryCount) {
        guard let value = rd_kafka_ConfigEntry_value(entry) else { continue }
        settings[name, default: [:]][String(cString: rd_kafka_ConfigEntry_name(entry))] = String(cString: value)
      }
    }
    return (settings, refusals)
  }

  /// Asks a group's coordinator for its members. A group that the coordinator doesn't know has none.
  package func describeGroup(_ name: String, timeoutMs: Int32) throws(KafkaError) -> GroupDescription {
    let text = strdup(name)
    defer { free(text) }
    var names: [UnsafePointer<CChar>?] = [UnsafePointer(text)]
    let reply = try ask(RD_KAFKA_ADMIN_OP_DESCRIBECONSUMERGROUPS, timeoutMs, givesUpMs: Self.longestMs) {
      rd_kafka_DescribeConsumerGroups(client.handle, &names, names.count, $0, $1)
    }
    defer { rd_kafka_event_destroy(reply) }
    var count = 0
    let result = rd_kafka_event_DescribeConsumerGroups_result(reply)
    guard let groups = rd_kafka_DescribeConsumerGroups_result_groups(result, &count), count == 1, let group = groups[0]
    else { throw KafkaError(RD_KAFKA_RESP_ERR__BAD_MSG, "group \(name): no description came") }
    if let error = rd_kafka_ConsumerGroupDescription_error(group),
      rd_kafka_error_code(error) != RD_KAFKA_RESP_ERR_NO_ERROR
    {
      let text = String(cString: rd_kafka_error_string(error))
      throw client.explained(KafkaError(rd_kafka_error_code(error), "group \(name): \(text)"))
    }
    return GroupDescription(group)
  }

  private func check(_ result: OpaquePointer?, _ name: String) throws(KafkaError) {
    let code = rd_kafka_topic_result_error(result)
    guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return }
    let text = rd_kafka_topic_result_error_string(result).map { String(cString: $0) }
    throw KafkaError(code, "topic \(name): \(text ?? String(cString: rd_kafka_err2str(code)))")
  }

  /// The longest time that librdkafka takes for a request.
  private static let longestMs: Int32 = 3_600_000

  /// Sends a request and waits for its answer, an event that the caller destroys.
  ///
  /// `givesUpMs` is when librdkafka itself gives the request up; nil: with `timeoutMs`. A request to a group's
  /// coordinator must not time out in librdkafka: where the coordinator is found later, librdkafka 2.0.2 answers the
  /// request twice, and an assertion ends the process (`rd_kafka_admin_coord_request`).
  private func ask(
    _ operation: rd_kafka_admin_op_t, _ timeoutMs: Int32, givesUpMs: Int32? = nil,
    _ send: (_ options: OpaquePointer?, _ answers: OpaquePointer?) -> Void
  ) throws(KafkaError) -> OpaquePointer {
    let options = rd_kafka_AdminOptions_new(client.handle, operation)
    defer { rd_kafka_AdminOptions_destroy(options) }
    var text = CText()
    let code = text.fill { rd_kafka_AdminOptions_set_request_timeout(options, givesUpMs ?? timeoutMs, $0, $1) }
    try KafkaError.check(code, text.string)
    // A queue of the request's own, so that no later request meets an answer that came too late.
    let answers = rd_kafka_queue_new(client.handle)
    defer { rd_kafka_queue_destroy(answers) }
    send(options, answers)
    // Without an own end the request is always answered, if only that its time is over.
    guard let reply = rd_kafka_queue_poll(answers, givesUpMs == nil ? -1 : timeoutMs) else {
      throw client.explained(KafkaError(RD_KAFKA_RESP_ERR__TIMED_OUT, "no answer came within \(timeoutMs) ms"))
    }
    let error = rd_kafka_event_error(reply)
    guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
      defer { rd_kafka_event_destroy(reply) }
      let text = rd_kafka_event_error_string(reply).map { String(cString: $0) }
      throw client.explained(KafkaError(error, text))
    }
    return reply
  }
}
