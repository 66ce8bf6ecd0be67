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
  func layout(of topics: TopicSettings, _ configuration: Configuration) throws -> TopicLayout {
    var inputPartitions: [String: Int32] = [:]
    for input in topics.input {
      let count = try partitions(of: input)
      inputPartitions[input] = count
      for topic in [
        TopicSettings.changelog(of: input), TopicSettings.journal(of: input), TopicSettings.deadLetters(of: input),
      ] {
        let has = try partitions(of: topic)
        if has != count { throw WorkerError.partitionsDiffer(topic: topic, has: has, of: input, needs: count) }
      }
    }
    let commandPartitions = try partitions(of: topics.commands)
    let resultPartitions = try partitions(of: topics.results)
    if configuration.topics.timestamps == .logAppend {
      let settings = try admin.settings(
        of: topics.input + topics.input.map(TopicSettings.deadLetters), timeoutMs: Self.timeoutMs)
      try checkTimestamps(of: topics.input, settings)
      try checkDeadLetters(of: topics.input, settings)
    }
    return TopicLayout(
      input: topics.input, inputPartitions: inputPartitions, commandPartitions: commandPartitions,
      resultPartitions: resultPartitions, format: configuration.commands.format == .json ? .json : .protobuf)
  }

  private func partitions(of topic: String) throws -> Int32 {
    do {
      return Int32(try admin.partitionCount(of: topic, timeoutMs: Self.timeoutMs))
    } catch  where error.kind == .unknownTopic {
      throw WorkerError.missingTopic(topic)
    }
  }

  private func checkTimestamps(of inputs: [String], _ settings: [String: [String: String]]) throws(WorkerError) {
    for input in inputs where settings[input]?["message.timestamp.type"] == "CreateTime" {
      throw .createTime(topic: input)
    }
  }

  /// Whatever an input takes must fit the dead letters, or one record that nobody understands would stop its
  /// partition for ever.
  private func checkDeadLetters(of inputs: [String], _ settings: [String: [String: String]]) throws(WorkerError) {
    for input in inputs {
      let deadLetters = TopicSettings.deadLetters(of: input)
      if let bytes = Self.maxBytes(of: input, settings), let has = Self.maxBytes(of: deadLetters, settings), has < bytes
      {
        throw .deadLettersTooShort(topic: deadLetters, has: has, of: input, needs: bytes)
      }
    }
  }

  private static func maxBytes(of topic: String, _ settings: [String: [String: String]]) -> Int? {
    settings[topic]?["max.message.bytes"].flatMap { Int($0) }
  }
}
