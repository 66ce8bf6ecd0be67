import Kafka
import Recovery
import Settings
import Worker

extension Subcommand {
  static let transactions = Subcommand(
    name: "transactions",
    summary: "finds hanging transactions, and prints the commands that end each",
    note: "It looks at all topics of the group twice, and lists partitions whose last stable offset stood still"
      + "\nbelow their end meanwhile. Its exit status is 1 where there is one. It changes nothing.",
    options: [CommandOption("seconds", "N", "seconds between the two looks [15]")],
    settings: ["topics", "kafka"]
  ) { invocation in
    var list = try TransactionsList(invocation)
    return try list.run()
  }
}

private struct TransactionsList: ~Copyable {
  private let configuration: Configuration
  private var survey: HangingSurvey
  private let tool: TransactionTool
  private let seconds: Int

  private static let timeoutMs: Int32 = 10_000

  init(_ invocation: Invocation) throws {
    let configuration = invocation.configuration
    let servers = try configuration.bootstrapServers()
    let seconds = try invocation.arguments.integer("seconds", 1...3600) ?? 15
    let survey = try HangingSurvey(
      configuration, KafkaProperties(configuration.kafka), clientId: "flyscreen-transactions")
    self.survey = survey
    self.configuration = configuration
    self.seconds = seconds
    tool = TransactionTool(servers: servers)
  }

  mutating func run() throws -> ExitStatus {
    let partitions = try survey.partitions()
    let hanging = try survey.hanging(in: partitions, seconds: seconds)
    for line in survey.notChecked { print("not checked: \(line)") }
    guard !hanging.isEmpty else {
      print("no transaction hangs in \(partitions.count) partitions")
      return .done
    }
    let ids = try transactionalIds()
    for (partition, ends) in hanging.sorted(by: { $0.key < $1.key }) { tell(partition, ends, ids) }
    print(
      """
      All partitions of a producer are decided alike, \(OffsetsTopic.name) too: describe-producers tells which are whose.
      First end the worker with that transactional id: its next commit would decide them. RUNBOOK.md,
      "FlyscreenTransactionHangs", has the steps. Where Kafka asks for a password or TLS, each takes --command-config FILE.
      """)
    let count = hanging.count == 1 ? "1 partition" : "\(hanging.count) partitions"
    throw CommandFailure(.failed, "a transaction hangs in \(count); the commands above end it")
  }

  /// The transactional ids of the member that made the last stable commit, by partition of an input.
  private func transactionalIds() throws(KafkaError) -> [TopicPartition: [String]] {
    var inputs: [TopicPartition] = []
    for input in configuration.topics.input {
      let count = try survey.watch.partitionCount(of: input, timeoutMs: Self.timeoutMs)
      inputs += (0..<Int32(count)).map { TopicPartition(input, $0) }
    }
    var ids: [TopicPartition: [String]] = [:]
    for offset in try survey.watch.committed(inputs, timeoutMs: Self.timeoutMs) {
      guard let metadata = offset.metadata.flatMap({ try? CommitMetadata(text: $0) }) else { continue }
      ids[offset.partition] = ProducerTurn.transactionalIds(
        ofCommit: metadata.commit, group: configuration.groupId)
    }
    return ids
  }

  private func tell(_ partition: TopicPartition, _ ends: PartitionEnds, _ ids: [TopicPartition: [String]]) {
    print("\(partition.topic) partition \(partition.partition): readable to \(ends.readable), ends at \(ends.end)")
    print("  whose:   \(whose(partition, ids))")
    print("  look:    \(tool.findHanging(partition))")
    print("           \(tool.describeProducers(partition))")
    print("  end it:  \(tool.abort(partition, ends))")
  }

  private func whose(_ partition: TopicPartition, _ ids: [TopicPartition: [String]]) -> String {
    let topics = configuration.topics
    if topics.input.contains(partition.topic) { return "a producer that sends to it, none of this group" }
    let input = topics.input.first { topics.beside($0).contains(partition.topic) }
    let likely = input.map { ids[TopicPartition($0, partition.partition)] ?? [] } ?? Set(ids.values.joined()).sorted()
    return likely.isEmpty ? "not known" : "likely " + likely.joined(separator: " or ")
  }
}
