import Kafka
import Probes
import Settings
import Worker

extension Command {
  static let topicsCreate = Command(
    name: "topics create",
    summary: "makes the topics as they should be; says what differs where they exist",
    settings: ["topics"]
  ) { invocation in
    try TopicsCreate(invocation).run()
  }
}

/// Running it again changes nothing. Status 1: something is there, but not as it should be.
private struct TopicsCreate: ~Copyable {
  private let topics: TopicSettings
  private let admin: Admin
  private static let timeoutMs: Int32 = 5000

  init(_ invocation: Invocation) throws {
    let configuration = invocation.configuration
    _ = try configuration.bootstrapServers()
    let admin = try Admin(
      properties: KafkaProperties(configuration.kafka), clientId: "flyscreen-topics",
      log: Log(configuration.logging).ofClient)
    self.admin = admin
    topics = configuration.topics
  }

  func run() throws -> ExitStatus {
    let names = TopicPlan.names(topics)
    let existing = try existing(names)
    let plan = TopicPlan(topics, existing: existing)
    let replication = topics.replication == 0 ? nil : Int(topics.replication)
    let raced = try admin.createTopics(
      plan.missing.map {
        Admin.NewTopic($0.name, partitions: $0.partitions, replication: replication, settings: $0.settings)
      }, timeoutMs: Self.timeoutMs)
    for name in names {
      if let made = plan.missing.first(where: { $0.name == name }), !raced.contains(name) {
        print("\(name): made, \(made.partitions) partitions")
      } else {
        print("\(name): there already" + (existing[name].map { ", \($0.partitions) partitions" } ?? ""))
      }
    }
    guard let first = plan.differences.first else { return .done }
    for difference in plan.differences { print("differs: \(difference)") }
    throw CommandFailure(.failed, "\(first)" + (plan.differences.count > 1 ? " (and more, see above)" : ""))
  }

  private func existing(_ names: [String]) throws(KafkaError) -> [String: TopicPlan.Existing] {
    var partitions: [String: Int] = [:]
    for name in names {
      do {
        partitions[name] = try admin.partitionCount(of: name, timeoutMs: Self.timeoutMs)
      } catch  where error.kind == .unknownTopic {}
    }
    let settings = try admin.settings(of: partitions.keys.sorted(), timeoutMs: Self.timeoutMs)
    return partitions.reduce(into: [:]) { existing, topic in
      existing[topic.key] = TopicPlan.Existing(partitions: topic.value, settings: settings[topic.key] ?? [:])
    }
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
}
