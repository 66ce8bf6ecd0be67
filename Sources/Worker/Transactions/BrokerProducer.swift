import Kafka
import KafkaProbes
import RoomModel
import Settings
import Wire

/// A transactional producer of a member, with the topics of a worker: takes what an ``Outbox`` holds. Its calls block.
final class BrokerProducer: MemberProducer {
  private let producer: TransactionalProducer
  private let inputs: [String]
  private let commands: OutputTopic
  private let results: OutputTopic
  private let changelogs: [OutputTopic]
  private let journals: [OutputTopic]
  private let deadLetters: [OutputTopic]
  private let batches: UnsafeMutableBufferPointer<OutputBatch>
  private let format: Format
  private let health: WorkerHealth
  private let member: Int
  private(set) var hasSentCommands = false
  /// Names the group in records of changelogs and journals.
  private let group: OutputHeader
  private let groupName: String

  /// Ends what an earlier one with the member's name left open, and fences it.
  init(_ context: MemberContext<BrokerClients>, _ limits: OutputLimits, _ turn: ProducerTurn) throws(KafkaError) {
    let plan = context.plan
    let topics = plan.topics
    health = context.health
    member = context.number
    producer = try TransactionalProducer(
      properties: plan.properties, transactionalId: context.transactionalId(turn), clientId: context.clientId,
      outputs: topics.outputs, batchBytes: limits.batchBytes, timeoutMs: CallLimit.callMs,
      statistics: { [metrics = context.metrics, number = context.producerNumber(turn)] in
        metrics.producers.update(number, $0)
      },
      log: plan.clientLog)
    inputs = topics.input
    commands = producer.topic(topics.commands)
    results = producer.topic(topics.results)
    var changelogs: [OutputTopic] = []
    var journals: [OutputTopic] = []
    var deadLetters: [OutputTopic] = []
    for input in topics.input {
      changelogs.append(producer.topic(topics.helpers.changelog(of: input)))
      journals.append(producer.topic(topics.helpers.journal(of: input)))
      deadLetters.append(producer.topic(TopicSettings.deadLetters(of: input)))
    }
    self.changelogs = changelogs
    self.journals = journals
    self.deadLetters = deadLetters
    format = plan.layout.format
    groupName = plan.group
    group = OutputHeader(HelperTopics.groupHeader, topics.helpers.group)
    batches = .allocate(capacity: commands.partitionCount)
    for i in 0..<commands.partitionCount {
      batches.initializeElement(at: i, to: OutputBatch(commands, partition: Int32(i)))
    }
    try producer.initTransactions(timeoutMs: CallLimit.endMs)
  }

  /// Records go by the partitions that there were when the worker began: more may have come since, and if
  /// there are fewer, the topic is another. Nil: it is not.
  func madeAnew(since layout: TopicLayout) -> WorkerError? {
    var needed = [(commands, layout.commandPartitions), (results, layout.resultPartitions)]
    for (topic, input) in inputs.enumerated() {
      needed += [changelogs[topic], journals[topic], deadLetters[topic]].map { ($0, layout.workable(input)) }
    }
    return needed.first { $0.0.partitionCount < $0.1 }.map { topic, had in
      .madeAnew(topic: topic.name, has: topic.partitionCount, had: Int(had))
    }
  }

  deinit {
    batches.deinitialize()
    batches.deallocate()
  }

  func begin() throws(KafkaError) { try producer.begin() }

  /// Hands everything to librdkafka, in order for each partition.
  func send(_ outbox: borrowing Outbox) throws(KafkaError) {
    for entry in outbox.entries {
      switch entry.target {
      case .commands where format == .json:
        hasSentCommands = true
        try batches[Int(entry.partition)].append(key: outbox.key(of: entry), value: outbox.value(of: entry))
      case .commands:
        hasSentCommands = true
        try produce(entry, of: outbox, to: commands, headers: [Self.protobuf])
      case .results:
        try produce(entry, of: outbox, to: results, headers: format == .json ? [] : [Self.protobuf])
      case .changelog:
        try produce(entry, of: outbox, to: changelogs[Int(entry.topic)], headers: [group])
      case .journal:
        try produce(entry, of: outbox, to: journals[Int(entry.topic)], headers: [group])
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

  func send(_ commit: Member.Commit, of group: GroupMembership) throws(KafkaError) {
    try health.calling(member) { () throws(KafkaError) in
      try producer.sendOffsets(Self.offsets(commit.offsets), group: group.metadata(), timeoutMs: CallLimit.endMs)
    }
  }

  private static func offsets(_ offsets: [Member.Commit.Offset]) -> [CommittedOffset] {
    offsets.map { CommittedOffset($0.partition, offset: $0.offset, metadata: $0.metadata) }
  }

  func commit() throws(KafkaError) { try producer.commit(timeoutMs: CallLimit.endMs) }

  var touched: [TopicPartition: Int64?] { producer.touched }
  func takeLostBroker() -> Bool { producer.takeLostBroker() }

  func endAgain(_ partitions: [TopicPartition], inGroup: Bool, isCommit: Bool) throws(KafkaError) {
    try producer.begin()
    for partition in partitions {
      let topic = producer.topic(partition.topic)
      // A topic that was made anew has nothing that hangs.
      guard partition.partition < topic.partitionCount else { continue }
      try topic.produce(partition.partition, key: nil, value: nil, headers: [group, Self.blank])
    }
    // A partition belongs to the transaction once it has a record.
    try producer.awaitTouched(timeoutMs: CallLimit.endMs)
    if inGroup {
      // All offsets of a group lie in one partition. This one is nobody's, so nothing goes back by it.
      let offset = CommittedOffset(TopicPartition(changelogs[0].name, 0), offset: Self.blankOffset, metadata: nil)
      try producer.sendOffsets([offset], group: GroupMetadata(anyoneOf: groupName), timeoutMs: CallLimit.endMs)
    }
    if isCommit { try commit() } else { try abort(timeoutMs: CallLimit.endMs) }
  }

  private static let blank = OutputHeader(KafkaRecord.blankHeader, "1")
  /// Beyond every log, so that no tool tells of a lag.
  private static let blankOffset: Int64 = 1 << 62

  func abort(timeoutMs: Int32) throws(KafkaError) { try producer.abort(timeoutMs: timeoutMs) }

  /// The error of a topic that this transaction may not write to.
  var refusal: KafkaError? { producer.refusal }
  /// The first record of this transaction that could not be delivered.
  var deliveryFailure: KafkaError? { producer.deliveryFailure }
  /// The topic that last refused one.
  var refusingTopic: String? { producer.refusingTopic }

  /// The last offsets that the broker told of, of an input partition's changelog and journal.
  func written(_ input: TopicPartition) -> (changelog: Int64?, journal: Int64?) {
    let topic = inputs.firstIndex(of: input.topic)!
    return (changelogs[topic].delivered(input.partition), journals[topic].delivered(input.partition))
  }

  /// The number of partitions, by input, for which there are places to write to.
  var places: [String: Int32] {
    var places: [String: Int32] = [:]
    for (topic, input) in inputs.enumerated() {
      places[input] = Int32([changelogs[topic], journals[topic], deadLetters[topic]].map(\.partitionCount).min()!)
    }
    return places
  }

  /// Serves what librdkafka has to report, between other calls.
  func serve() { producer.serve() }

  func close() { _ = producer.close(boundedMs: Int(CallLimit.callMs)) }
}
