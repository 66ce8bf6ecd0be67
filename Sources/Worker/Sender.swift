import Kafka
import RoomModel
import Settings
import Wire

/// A transactional producer with the topics of a worker: takes what an ``Outbox`` holds.
final class Sender {
  let producer: TransactionalProducer
  private let commands: OutputTopic
  private let results: OutputTopic
  private let changelogs: [OutputTopic]
  private let journals: [OutputTopic]
  private let deadLetters: [OutputTopic]
  private let batches: UnsafeMutableBufferPointer<OutputBatch>
  private let format: Format

  init(
    properties: KafkaProperties, transactionalId: String, clientId: String, topics: TopicSettings, format: Format,
    timeoutMs: Int32, log: @escaping ClientLog
  ) throws(KafkaError) {
    producer = try TransactionalProducer(
      properties: properties, transactionalId: transactionalId, clientId: clientId, outputs: topics.outputs,
      timeoutMs: timeoutMs, log: log)
    commands = producer.topic(topics.commands)
    results = producer.topic(topics.results)
    var changelogs: [OutputTopic] = []
    var journals: [OutputTopic] = []
    var deadLetters: [OutputTopic] = []
    for input in topics.input {
      changelogs.append(producer.topic(TopicSettings.changelog(of: input)))
      journals.append(producer.topic(TopicSettings.journal(of: input)))
      deadLetters.append(producer.topic(TopicSettings.deadLetters(of: input)))
    }
    self.changelogs = changelogs
    self.journals = journals
    self.deadLetters = deadLetters
    self.format = format
    batches = .allocate(capacity: commands.partitionCount)
    for i in 0..<commands.partitionCount {
      batches.initializeElement(at: i, to: OutputBatch(commands, partition: Int32(i)))
    }
  }

  deinit {
    batches.deinitialize()
    batches.deallocate()
  }

  /// Hands everything to librdkafka, in order for each partition.
  func send(_ outbox: borrowing Outbox) throws(KafkaError) {
    for entry in outbox.entries {
      switch entry.target {
      case .commands where format == .json:
        try batches[Int(entry.partition)].append(key: outbox.key(of: entry), value: outbox.value(of: entry))
      case .commands:
        try produce(entry, of: outbox, to: commands, headers: [Self.protobuf])
      case .results:
        try produce(entry, of: outbox, to: results, headers: format == .json ? [] : [Self.protobuf])
      case .changelog:
        try produce(entry, of: outbox, to: changelogs[Int(entry.topic)])
      case .journal:
        try produce(entry, of: outbox, to: journals[Int(entry.topic)])
      case .deadLetters:
        let headers = entry.headers < 0 ? [] : outbox.headers[entry.headers].map { OutputHeader($0.name, $0.value) }
        try produce(entry, of: outbox, to: deadLetters[Int(entry.topic)], headers: headers)
      }
    }
    for i in batches.indices where !batches[i].isEmpty { try batches[i].flush() }
  }

  private static let protobuf = OutputHeader("content-type", Format.protobuf.contentType.description)

  private func produce(
    _ entry: Outbox.Entry, of outbox: borrowing Outbox, to topic: OutputTopic, headers: [OutputHeader] = []
  ) throws(KafkaError) {
    try topic.produce(
      entry.partition, key: outbox.key(of: entry), value: outbox.value(of: entry), headers: headers)
  }

  /// The last offsets that the broker told of, of an input partition's changelog and journal.
  func written(topic: Int, partition: Int32) -> (changelog: Int64?, journal: Int64?) {
    (changelogs[topic].delivered(partition), journals[topic].delivered(partition))
  }
}
