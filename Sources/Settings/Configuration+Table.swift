import RoomModel

extension Configuration {
  /// Every setting, group by group. librdkafka's properties come on top (`kafka.`).
  package static let table: [Setting<Configuration>] =
    LogSettings.table.map { $0.within(\.logSettings) }.filter { $0.group != "topics" } + topics + commands + worker
    + GatewaySettings.table.map { $0.within(\.gateway) } + logging

  private static let topics: [Setting<Configuration>] =
    [
      .list("topics.input", \.topics.input, "topics", "topics of events", TopicName.checkInput),
      .text("topics.commands", \.topics.commands, "a topic", "topic of commands", TopicName.check),
      .text("topics.results", \.topics.results, "a topic", "topic of results of rain grabs", TopicName.check),
    ]
    + LogSettings.table.map { $0.within(\.logSettings) }.filter { $0.group == "topics" }
    + [
      .choice(
        "topics.timestamps", \.topics.timestamps,
        "accepted timestamps of input topics: LogAppendTime only, or any (a sender's wrong clock then freezes a partition)"
      ),
      .text(
        "topics.mapping", \.topics.mapping, "a file",
        "file that says what messages of a platform's own have for events (Schemas/MAPPING.md; empty: none)"
      ) { _ in },
      .integer(
        "topics.partitions", \.topics.partitions, 1...10_000, "partitions of a topic that `topics create` makes"),
      .integer(
        "topics.replication", \.topics.replication, 0...32_767,
        "replicas of a topic that `topics create` makes (0: the broker's default)"),
      .text(
        "topics.helpers", \.topics.helpers.prefix, "the beginning of a topic's name",
        "beginning of the names of changelogs and journals (not set: the group's id)", TopicName.check),
    ] + EventKind.allCases.map(produced)

  private static func produced(_ kind: EventKind) -> Setting<Configuration> {
    let (name, what) = (
      "topics.produce.\(kind.rawValue)",
      "topic of `\(kind.rawValue)` events from `send`, `simulate`, `demo` and gateways"
    )
    return kind.traits.destination == .all
      ? .texts(
        name, \.topics.produce[kind], "topics", "\(what), each to all of them (empty: to all of topics.input)",
        TopicName.check)
      : .text(name, \.topics.produce[one: kind], "a topic", what, TopicName.check)
  }

  private static let commands: [Setting<Configuration>] = [
    .choice("commands.format", \.commands.format, "encoding of commands and results")
  ]

  private static let worker: [Setting<Configuration>] = [
    .text(
      "worker.id", \.worker.id, "a name",
      "this worker's name for good: its restart moves no partition (empty: a new name at each start)", checkWorkerId),
    .optionalInteger(
      "worker.members", \.worker.members, WorkerSettings.membersRange,
      "members of the group in this process, each a thread (empty: as many as it may use cores, no more than an input has partitions)"
    ),
    .integer(
      "worker.http.port", \.worker.httpPort, 0...65_535,
      "port of /healthz, /readyz and /metrics (0: any free one)"
    ),
    .address("worker.http.address", \.worker.httpAddress, "address on which the worker serves these (empty: all)"),
    .integer(
      "worker.commitMs", \.worker.commitMs, 1...1000,
      "pause between two transactions while the worker keeps up"),
    .integer(
      "worker.catchUpCommitMs", \.worker.catchUpCommitMs, 1...1000,
      "length of a transaction while the worker is behind"),
    .integer(
      "worker.checkpointMs", \.worker.checkpointMs, 100...600_000,
      "time within which a changed room's state is written; a take-over reads back about as much"),
    begin(),
    .texts(
      "worker.rewind", \.worker.rewind, "commits, or follow",
      "intended commits by which a tool set the group back: topic/partition@offset, as im.gifts/3@1200"
        + " (follow: any; empty: none, and such a partition rests)", checkRewind),
  ]

  private static func checkRewind(_ text: String) throws(Refusal) {
    if text == "follow" { return }
    guard let match = text.wholeMatch(of: #/(.+)\/[0-9]{1,9}@[0-9]{1,18}/#), match.1.utf8.allSatisfy(TopicName.allows)
    else { throw Refusal("'\(text)' names no commit; give topic/partition@offset, as im.gifts/3@1200, or follow") }
  }

  private static func begin() -> Setting<Configuration> {
    Setting(
      name: "worker.begin", values: "beginning, end, a time",
      help: "the place where a group begins in an input topic without a commit (a time: 2026-11-21T20:31:00Z)",
      isNumber: false,
      store: { text, root throws(Refusal) in
        let text = try text.single()
        guard let begin = GroupBegin(text) else {
          throw Refusal("'\(text)' will not do; give beginning, end, or a time as 2026-11-21T20:31:00Z")
        }
        root.worker.begin = begin
      },
      text: { $0.worker.begin.text })
  }

  private static let logging: [Setting<Configuration>] = [
    .choice("log.level", \.logging.level, "lowest level that is written to stderr"),
    .choice("log.format", \.logging.format, "format of log lines"),
  ]

  private static func checkWorkerId(_ id: String) throws(Refusal) {
    guard id.utf8.count <= 200, id.utf8.allSatisfy(TopicName.allows) else {
      throw Refusal("'\(id)' is no name for a worker; give up to 200 of a-z, A-Z, 0-9, '.', '_', '-'")
    }
  }

  /// The rules between settings.
  func check(_ origins: SettingOrigins) throws(SettingsError) {
    try logSettings.check(origins)
    try checkHelpers(origins)
    for (name, topic) in [("topics.commands", topics.commands), ("topics.results", topics.results)]
    where topics.input.contains(topic) {
      throw SettingsError(
        "\(topic) is in topics.input (\(origins["topics.input"])) and is \(name) (\(origins[name]));"
          + " events and what becomes of them need topics of their own")
    }
    let named =
      [("topics.commands", topics.commands), ("topics.results", topics.results)]
      + topics.input.map { ("topics.input", $0) }
    for input in topics.input {
      for (name, topic) in named where topics.beside(input).contains(topic) {
        throw SettingsError(
          "\(name) (\(origins[name])): \(topic) is what a worker keeps beside its input \(input); give another topic")
      }
    }
    if topics.commands == topics.results {
      throw SettingsError(
        "topics.commands (\(origins["topics.commands"])) and topics.results (\(origins["topics.results"]))"
          + " are both \(topics.commands); each needs a topic of its own")
    }
  }
}

extension Configuration {
  private func checkHelpers(_ origins: SettingOrigins) throws(SettingsError) {
    let prefix = topics.helpers.prefix
    guard !prefix.isEmpty, prefix.utf8.allSatisfy(TopicName.allows) else {
      throw SettingsError(
        "kafka.group.id (\(origins["kafka.group.id"])): '\(prefix)' can't stand in the name of a topic, with which those of"
          + " changelogs and journals begin; set topics.helpers to what they are to begin with, as flyscreen")
    }
    for input in topics.input {
      let name = topics.helpers.changelog(of: input)
      if name.utf8.count > 249 {
        throw SettingsError(
          "\(name) is too long for a topic's name (249 bytes); set topics.helpers"
            + " (\(origins["topics.helpers"])) to something shorter")
      }
    }
  }
}

/// Names that Kafka takes for a topic.
enum TopicName {
  static func check(_ name: String) throws(Refusal) { try check(name, maxBytes: 249) }

  /// `flyscreen.changelog.` comes before it.
  static func checkInput(_ name: String) throws(Refusal) { try check(name, maxBytes: 229) }

  private static func check(_ name: String, maxBytes: Int) throws(Refusal) {
    guard (1...maxBytes).contains(name.utf8.count), name != ".", name != "..", name.utf8.allSatisfy(allows) else {
      throw Refusal("'\(name)' is no name for a topic; give 1 to \(maxBytes) of a-z, A-Z, 0-9, '.', '_', '-'")
    }
  }

  static func allows(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
