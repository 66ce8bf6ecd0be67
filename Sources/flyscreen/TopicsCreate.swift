import Kafka
import Probes
import Settings
import Worker

extension Subcommand {
  static let topicsCreate = Subcommand(
    name: "topics create",
    summary: "makes missing topics; says which settings of existing ones are wrong",
    options: [
      CommandOption(
        "grow", "INPUT=N", "first gives an input topic and what goes with it N partitions; several with commas")
    ],
    settings: ["topics", "kafka"]
  ) { invocation in
    var topics = try TopicsCreate(invocation)
    return try topics.run()
  }
}

/// Running it again changes nothing. Status 1: something is there, but not as it should be.
private struct TopicsCreate: ~Copyable {
  private let topics: TopicSettings
  private let admin: Admin
  /// A topic and its number of partitions: `im.gifts=64`.
  private let wanted: [String]
  /// What it made, and how many partitions each has at least: a broker that tells less has not heard of it yet.
  private var known: [String: Int] = [:]
  private static let timeoutMs: Int32 = 10_000

  init(_ invocation: Invocation) throws {
    let configuration = invocation.configuration
    _ = try configuration.bootstrapServers()
    let wanted = try invocation.arguments.list("grow") ?? []
    let admin = try Admin(
      properties: KafkaProperties(configuration.kafka), clientId: "flyscreen-topics",
      log: Log(configuration.logging).ofClient)
    self.admin = admin
    topics = configuration.topics
    self.wanted = wanted
  }

  mutating func run() throws -> ExitStatus {
    try grow()
    let names = TopicPlan.names(topics)
    let before = try existing(names)
    // Inputs first: what goes with one must take its records, whose size the broker's own settings may decide.
    let inputs = TopicPlan(topics, existing: before).missing.filter { topics.input.contains($0.name) }
    var made = try make(inputs)
    let plan = TopicPlan(topics, existing: inputs.isEmpty ? before : try existing(names))
    made.merge(try make(plan.missing)) { $1 }
    for name in names {
      if let partitions = made[name] {
        print("\(name): made, \(partitions) partitions")
      } else {
        print("\(name): there already" + (before[name].map { ", \($0.partitions) partitions" } ?? ""))
      }
    }
    guard let first = plan.differences.first else { return .done }
    for difference in plan.differences { print("differs: \(difference)") }
    throw CommandFailure(.failed, "\(first)" + (plan.differences.count > 1 ? " (and more, see above)" : ""))
  }

  /// Grows the topics that the command line names: no file and no environment makes a topic grow.
  private mutating func grow() throws {
    if wanted.isEmpty { return }
    var existing: [String: Int] = [:]
    for name in TopicPlan.names(topics) { existing[name] = try partitionCount(of: name) }
    let growth: TopicGrowth
    do throws(TopicGrowth.Refusal) {
      growth = try TopicGrowth(wanted, of: topics, existing: existing)
    } catch {
      throw CommandFailure(.usage, error.description)
    }
    for step in growth.steps {
      try admin.grow(step.topic, to: step.to, timeoutMs: Self.timeoutMs)
      known[step.topic] = step.to
      // A worker must find an input's helper topics grown before the input has.
      _ = try self.existing([step.topic])
      print("\(step.topic): grown from \(step.from) to \(step.to) partitions")
    }
  }

  /// The partitions of those that were not there, by name.
  private mutating func make(_ missing: [TopicPlan.Missing]) throws -> [String: Int] {
    guard !missing.isEmpty else { return [:] }
    let raced = try admin.createTopics(
      missing.map {
        Admin.NewTopic(
          $0.name, partitions: $0.partitions, replication: topics.replication == 0 ? nil : Int(topics.replication),
          settings: $0.settings)
      }, timeoutMs: Self.timeoutMs)
    let made: [String: Int] = missing.reduce(into: [:]) { made, topic in
      if !raced.contains(topic.name) { made[topic.name] = topic.partitions }
    }
    for topic in missing { known[topic.name] = made[topic.name] ?? 1 }
    // Whoever comes next is to find them.
    _ = try existing(missing.map(\.name))
    return made
  }

  /// nil: there is no such topic.
  private func partitionCount(of topic: String) throws(KafkaError) -> Int? {
    do {
      return try admin.partitionCount(of: topic, timeoutMs: Self.timeoutMs)
    } catch {
      if error.kind == .unknownTopic { return nil }
      throw error
    }
  }

  /// What a broker tells of topics, once it has heard of what was made.
  private func existing(_ names: [String]) throws -> [String: TopicPlan.Existing] {
    let known = known.filter { names.contains($0.key) }
    func unheard(_ told: [String: TopicPlan.Existing]) -> String? {
      known.keys.sorted().first { told[$0]?.partitions ?? 0 < known[$0]! }
    }
    let existing = try MetadataGrace.ask(limitMs: Int64(Self.timeoutMs)) {
      try told(names)
    } until: {
      unheard($0) == nil
    }
    if let topic = unheard(existing) {
      throw CommandFailure(
        .failed,
        "\(topic) is made or grown, but the brokers don't tell of it after \(Self.timeoutMs) ms: run this again")
    }
    return existing
  }

  private func told(_ names: [String]) throws(KafkaError) -> [String: TopicPlan.Existing] {
    var partitions: [String: Int] = [:]
    for name in names { partitions[name] = try partitionCount(of: name) }
    let answers = try admin.describe(partitions.keys.sorted(), timeoutMs: Self.timeoutMs)
    for (topic, refusal) in answers.refusals {
      guard refusal.kind == .unknownTopic else { throw refusal }
      partitions[topic] = nil
    }
    return partitions.reduce(into: [:]) { existing, topic in
      existing[topic.key] = TopicPlan.Existing(partitions: topic.value, settings: answers.settings[topic.key] ?? [:])
    }
  }
}
