package import Kafka
internal import Recovery
package import Settings

/// Everything a member of a worker is made of, checked and put together once.
package struct WorkerPlan: Sendable {
  var properties: KafkaProperties
  var group: String
  /// `worker.id`, or what this start was named.
  var name: String
  /// Whether the name is for good.
  var isNamed: Bool
  var topics: TopicSettings
  var layout: TopicLayout
  /// The limits of the output topics at the start.
  var limits: OutputLimits
  var settings: LogSettings
  var pace: TransactionStateMachine.Pace
  var checkpointMs: Int64
  /// With so many events of a partition remembered their marks are written.
  package var manyMarks = RestorableRooms.manyMarks
  var begin: GroupBegin
  var rewind: [String]
  /// Addresses of the brokers, for messages.
  var servers: String
  var clientLog: ClientLog

  package init(
    properties: KafkaProperties, group: String, name: String, isNamed: Bool, topics: TopicSettings,
    layout: TopicLayout, limits: OutputLimits, settings: LogSettings, pace: TransactionStateMachine.Pace,
    checkpointMs: Int64, begin: GroupBegin, rewind: [String], servers: String, clientLog: @escaping ClientLog
  ) {
    self.properties = properties
    self.group = group
    self.name = name
    self.isNamed = isNamed
    self.topics = topics
    self.layout = layout
    self.limits = limits
    self.settings = settings
    self.pace = pace
    self.checkpointMs = checkpointMs
    self.begin = begin
    self.rewind = rewind
    self.servers = servers
    self.clientLog = clientLog
  }

  var transactionTool: TransactionTool { TransactionTool(servers: servers) }

  /// Beyond 49 bytes librdkafka 2.0.2 crashes in some requests.
  func clientId(_ member: Int) -> String { "flyscreen-\(name.prefix(30))-\(member)" }
}
