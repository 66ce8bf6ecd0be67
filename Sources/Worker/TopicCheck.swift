internal import Kafka
internal import Settings
internal import Wire

/// Looks at the topics before the first record is read: what is wrong with them then would be worse later.
struct TopicCheck: ~Copyable {
  private let admin: Admin
  private static let timeoutMs: Int32 = 3000

  init(properties: KafkaProperties, clientId: String, log: @escaping ClientLog) throws(KafkaError) {
    admin = try Admin(properties: properties, clientId: clientId, log: log)
  }

  /// - Throws: ``WorkerError`` for topics that are not as they must be, ``KafkaError`` for brokers.
  func layout(of topics: WorkerTopics, _ configuration: Configuration) throws -> TopicLayout {
    var inputPartitions: [String: Int32] = [:]
    for input in topics.input {
      let count = try partitions(of: input)
      inputPartitions[input] = count
      for topic in [
        WorkerTopics.changelog(of: input), WorkerTopics.journal(of: input), WorkerTopics.deadLetters(of: input),
      ] {
        let has = try partitions(of: topic)
        if has != count { throw WorkerError.partitionsDiffer(topic: topic, has: has, of: input, needs: count) }
      }
    }
    let commandPartitions = try partitions(of: topics.commands)
    _ = try partitions(of: topics.results)
    if configuration.topics.timestamps == .logAppend { try checkTimestamps(of: topics.input) }
    return TopicLayout(
      input: topics.input, inputPartitions: inputPartitions, commandPartitions: commandPartitions,
      format: configuration.commands.format == .json ? .json : .protobuf)
  }

  private func partitions(of topic: String) throws -> Int32 {
    do {
      return Int32(try admin.partitionCount(of: topic, timeoutMs: Self.timeoutMs))
    } catch  where error.kind == .unknownTopic {
      throw WorkerError.missingTopic(topic)
    }
  }

  private func checkTimestamps(of topics: [String]) throws {
    for (topic, settings) in try admin.settings(of: topics, timeoutMs: Self.timeoutMs).sorted(by: { $0.key < $1.key })
    where settings["message.timestamp.type"] == "CreateTime" {
      throw WorkerError.createTime(topic: topic)
    }
  }
}
