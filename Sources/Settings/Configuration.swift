package import RoomEngine
package import RoomModel

/// All settings of a process, read and checked (`ConfigurationReader`).
package struct Configuration: Equatable, Sendable {
  package var logSettings = LogSettings()
  package var topics = TopicSettings()
  package var commands = CommandSettings()
  package var worker = WorkerSettings()
  package var gateway = GatewaySettings()
  package var logging = LoggingSettings()
  /// librdkafka's properties, by their own names: `bootstrap.servers`.
  package var kafka: [String: String] = [:]

  package init() {}

  /// Reads the file of `topics.mapping`, for those who read inputs.
  package mutating func readMapping() throws(SettingsError) {
    logSettings.mappings = topics.mapping.isEmpty ? nil : try MappingFile(path: topics.mapping)
  }

  package var engine: EngineSettings { logSettings.engine }
  /// The time after which clients take an item of a screen for over if no command told of it: gift views, pins, goals and
  /// crowds are told again by then, rains and goals have ended (STAGES.md, sections 3, 6, 8, 12 and 13), and two seconds
  /// are left for the command's way. 0: views are not told again.
  package var staleAfterMs: Int64 {
    let (gift, goal) = (engine.gift, engine.goal)
    guard gift.refreshMs > 0 else { return 0 }
    let views = max(gift.refreshMs, gift.enterMs) + gift.tickMs
    let others = [engine.pin.refreshMs, goal.refreshMs, goal.graceMs, engine.crowd.showMs, engine.rain.graceMs]
    return max(views, others.max()!) + 2000
  }

  /// The consumer group.
  package var groupId: String { kafka["group.id"] ?? "flyscreen" }

  /// The brokers' addresses, for every command that needs a broker.
  package func bootstrapServers() throws(SettingsError) -> String {
    if let servers = kafka["bootstrap.servers"] ?? kafka["metadata.broker.list"],
      servers.contains(where: { $0 != "," && $0 != " " })
    {
      return servers
    }
    throw SettingsError(
      "no broker is named: give --kafka.bootstrap.servers HOST:PORT, or KAFKA_BOOTSTRAP_SERVERS in the environment")
  }
}

/// INTERFACES.md, "Topics".
package struct TopicSettings: Equatable, Sendable {
  /// The clock that input records carry.
  package enum Timestamps: String, CaseIterable, Sendable { case logAppend, any }

  package var input = ["im.gifts", "im.wishes"]
  package var commands = "render.commands"
  package var results = "rain.results"
  package var timestamps = Timestamps.logAppend
  /// A file with what messages of platforms' own have for events; empty: none.
  package var mapping = ""
  /// Partitions of topics that are made.
  package var partitions: Int32 = 8
  /// Replicas of topics that are made; 0: the broker's default.
  package var replication: Int32 = 0
  package var produce = ProduceTopics()
  package var helpers = HelperTopics()

  package init() {}

  package static func deadLetters(of input: String) -> String { "\(input).dlq" }

  /// The topics that go with an input topic, and have as many partitions.
  package func beside(_ input: String) -> [String] {
    [helpers.changelog(of: input), helpers.journal(of: input), Self.deadLetters(of: input)]
  }

  /// All that a worker writes to.
  package var outputs: [String] {
    [commands, results] + input.flatMap { beside($0) }
  }
}

/// The topics of events from `send`, `simulate`, `demo` and gateways, by kind.
package struct ProduceTopics: Equatable, Sendable {
  private var topics: [EventKind: [String]] = [:]

  package init() {}

  private static func standard(_ kind: EventKind) -> [String] {
    switch kind.traits.destination {
    case .gifts: ["im.gifts"]
    case .wishes: ["im.wishes"]
    // None: to each of `topics.input`.
    case .all: []
    }
  }

  subscript(kind: EventKind) -> [String] {
    get { topics[kind] ?? Self.standard(kind) }
    set { topics[kind] = newValue == Self.standard(kind) ? nil : newValue }
  }

  /// The topic of a kind that has one.
  subscript(one kind: EventKind) -> String {
    get { self[kind].first ?? "" }
    set { self[kind] = [newValue] }
  }
}

extension TopicSettings {
  /// The topics of events of a kind that are made here: one, or each where the room may have what they are for.
  package func produced(_ kind: EventKind) -> [String] { produce[kind].isEmpty ? input : produce[kind] }
}

/// The topics that a worker keeps beside its inputs (INTERFACES.md, "Topics"): each group has its own.
package struct HelperTopics: Equatable, Sendable {
  /// The beginning of their names.
  package var prefix = "flyscreen"
  /// The group whose records are read; those of others in the same topics are passed over.
  package var group = "flyscreen"

  package init() {}

  package func changelog(of input: String) -> String { "\(prefix).changelog.\(input)" }
  package func journal(of input: String) -> String { "\(prefix).journal.\(input)" }

  /// The header of each record in them that says which group wrote it. Before there was one, one group wrote them.
  package static let groupHeader = "flyscreen-group"
}

/// The form in which commands and results are written.
package struct CommandSettings: Equatable, Sendable {
  package enum Format: String, CaseIterable, Sendable { case json, protobuf }

  package var format = Format.json

  package init() {}
}

package struct WorkerSettings: Equatable, Sendable {
  /// Empty: each start makes a name of its own.
  package var id = ""
  /// Nil: as many as there are cores for, and partitions.
  package var members: Int?
  package static let membersRange = 1...64
  /// 0: any free one.
  package var httpPort: UInt16 = 9090
  /// An address of this machine, in digits; empty: all.
  package var httpAddress = ""
  /// The interval while it keeps up. Wall clock, like all below.
  package var commitMs: Int64 = 4
  package var catchUpCommitMs: Int64 = 100
  package var checkpointMs: Int64 = 5000
  package var begin = GroupBegin.beginning
  /// `follow`, or commits of other programs as `im.gifts/3@1200`.
  package var rewind: [String] = []

  package init() {}
}

/// Settings of the log on stderr.
package struct LoggingSettings: Equatable, Sendable {
  package enum Level: String, CaseIterable, Sendable { case debug, info, warning, error }
  package enum Format: String, CaseIterable, Sendable { case logfmt, json }

  package var level = Level.info
  package var format = Format.logfmt

  package init() {}
}
