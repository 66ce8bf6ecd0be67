internal import Kafka
internal import Probes
internal import RoomEngine
package import Settings
internal import Wire

extension OutputLimits {
  /// Lines that say what to do where commands or results take shorter records than a worker may send.
  package static func objections(
    to settings: [String: [String: String]], of configuration: Configuration
  ) -> [String] {
    let needs = largestOutput(points: configuration.engine.like.maxPoints)
    return [configuration.topics.commands, configuration.topics.results].compactMap { topic in
      guard let has = settings[topic]?["max.message.bytes"].flatMap({ Int($0) }), has < needs else { return nil }
      return "\(WorkerError.outputTooShort(topic: topic, has: has, needs: needs))"
    }
  }
}

/// Looks at the topics before the first record is read: what is wrong with them then would be worse later.
struct TopicCheck: ~Copyable {
  private let admin: Admin
  private let properties: KafkaProperties
  private let log: Log
  private let tellsSettings: Bool
  private static let timeoutMs: Int32 = 3000

  init(
    properties: KafkaProperties, clientId: String, tellsSettings: Bool, log: Log, clientLog: @escaping ClientLog
  ) throws(KafkaError) {
    self.properties = properties
    self.tellsSettings = tellsSettings
    self.log = log
    admin = try Admin(properties: properties, clientId: clientId, log: clientLog)
  }

  /// Asks for the topics' partitions, and for the limits of those that a worker writes to.
  ///
  /// - Throws: ``WorkerError`` for topics that are not as they must be, ``KafkaError`` for brokers.
  func look(_ configuration: Configuration) throws -> (layout: TopicLayout, limits: OutputLimits) {
    let topics = configuration.topics
    var inputPartitions: [String: Int32] = [:]
    var places: [String: Int32] = [:]
    for input in topics.input {
      inputPartitions[input] = try partitions(of: input)
      places[input] = try topics.beside(input).map { try partitions(of: $0) }.min()
    }
    let commandPartitions = try partitions(of: topics.commands)
    let resultPartitions = try partitions(of: topics.results)
    let settings = try settings(of: topics.input + topics.outputs)
    if topics.timestamps == .logAppend { try checkTimestamps(of: topics.input, settings) }
    try checkRetention(configuration, settings)
    try checkDeadLetters(of: topics.input, settings)
    let largest = OutputLimits.largestOutput(points: configuration.engine.like.maxPoints)
    try checkOutputs([topics.commands, topics.results], needing: largest, settings)
    var limits = OutputLimits(producerBytes: properties.maxRecordBytes)
    limits.read(settings.filter { topics.outputs.contains($0.key) })
    let layout = TopicLayout(
      input: topics.input, inputPartitions: inputPartitions, places: places, commandPartitions: commandPartitions,
      resultPartitions: resultPartitions, format: configuration.commands.format == .json ? .json : .protobuf)
    return (layout, limits)
  }

  /// The topics' settings, by topic and name; warns of those that may not be seen.
  private func settings(of topics: [String]) throws -> [String: [String: String]] {
    guard tellsSettings else { return [:] }
    do {
      let answers = try admin.describe(Set(topics).sorted(), timeoutMs: Self.timeoutMs)
      for (topic, refusal) in answers.refusals.sorted(by: { $0.key < $1.key }) {
        // Another broker than the one that knows its partitions, which hasn't heard of it yet.
        if refusal.kind == .unknownTopic { throw WorkerError.missingTopic(topic) }
        guard refusal.kind == .authorization else { throw refusal }
        log.once(
          "settings of \(topic)", .warning,
          "a topic's settings can't be checked: give the right to describe its configuration", .topic(topic),
          .error(refusal))
      }
      return answers.settings
    } catch let error as KafkaError where error.isUnsupported {
      log.info("the broker tells no topic's settings, so none are checked", .error(error))
      return [:]
    }
  }

  private func partitions(of topic: String) throws -> Int32 {
    do {
      return Int32(try admin.partitionCount(of: topic, timeoutMs: Self.timeoutMs))
    } catch  where error.kind == .unknownTopic {
      throw WorkerError.missingTopic(topic)
    }
  }

  /// Gifts that are dropped before they are read, or before a restore needs them, can't be made up for.
  private func checkRetention(
    _ configuration: Configuration, _ settings: [String: [String: String]]
  ) throws(WorkerError) {
    let topics = configuration.topics
    for topic in topics.input + [topics.commands, topics.results] {
      if let line = TopicRules.compaction(of: topic, settings[topic] ?? [:]) { throw .losesRecords(line) }
    }
    // A room is written at least each 12th time that its turn comes.
    let neededMs = configuration.engine.dedupe.windowMs + 12 * configuration.worker.checkpointMs
    for topic in topics.input {
      let line = TopicRules.retention(
        of: topic, settings[topic] ?? [:], needsMs: neededMs,
        why: "a restore reads back dedupe.windowMs and 12 times worker.checkpointMs")
      if let line { throw .losesRecords(line) }
    }
  }

  private func checkTimestamps(of inputs: [String], _ settings: [String: [String: String]]) throws(WorkerError) {
    for input in inputs where settings[input]?["message.timestamp.type"] == "CreateTime" {
      throw .createTime(topic: input)
    }
  }

  /// A record that an input takes should fit the dead letters as it is.
  private func checkDeadLetters(of inputs: [String], _ settings: [String: [String: String]]) throws(WorkerError) {
    for input in inputs {
      let deadLetters = TopicSettings.deadLetters(of: input)
      if let bytes = Self.maxBytes(of: input, settings), let has = Self.maxBytes(of: deadLetters, settings), has < bytes
      {
        throw .deadLettersTooShort(topic: deadLetters, has: has, of: input, needs: bytes)
      }
    }
  }

  private func checkOutputs(
    _ topics: [String], needing bytes: Int, _ settings: [String: [String: String]]
  ) throws(WorkerError) {
    for topic in topics {
      if let has = Self.maxBytes(of: topic, settings), has < bytes {
        throw .outputTooShort(topic: topic, has: has, needs: bytes)
      }
    }
  }

  private static func maxBytes(of topic: String, _ settings: [String: [String: String]]) -> Int? {
    settings[topic]?["max.message.bytes"].flatMap { Int($0) }
  }
}
