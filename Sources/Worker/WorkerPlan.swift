internal import Kafka
internal import Probes
internal import Settings
internal import Wire

/// Everything a member of a worker is made of, checked and put together once.
struct WorkerPlan: Sendable {
  var properties: KafkaProperties
  var group: String
  /// `worker.id`, or what this start was named.
  var name: String
  /// Whether the name is for good.
  var isNamed: Bool
  var topics: TopicSettings
  var layout: TopicLayout
  /// As they were at the start.
  var limits: OutputLimits
  var settings: LogSettings
  var pace: TransactionStateMachine.Pace
  var checkpointMs: Int64
  var begin: GroupBegin
  /// Addresses of the brokers, for messages.
  var servers: String
  var clientLog: ClientLog

  var transactionTool: TransactionTool { TransactionTool(servers: servers) }

  /// Beyond 49 bytes librdkafka 2.0.2 crashes in some requests.
  func clientId(_ member: Int) -> String { "flyscreen-\(name.prefix(30))-\(member)" }
}
