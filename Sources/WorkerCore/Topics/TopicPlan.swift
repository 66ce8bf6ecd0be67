package import Settings

/// The topics that must exist, and the faults of those that do (INTERFACES.md, "Topics").
package struct TopicPlan: Equatable, Sendable {
  /// A topic as the broker has it.
  package struct Existing: Equatable, Sendable {
    package var partitions: Int
    package var settings: [String: String]

    package init(partitions: Int, settings: [String: String]) {
      self.partitions = partitions
      self.settings = settings
    }
  }

  package struct Missing: Equatable, Sendable {
    package var name: String
    package var partitions: Int
    package var settings: [String: String]
  }

  package private(set) var missing: [Missing] = []
  /// One line each, with the remedy.
  package private(set) var differences: [String] = []

  /// Every topic that is looked at.
  package static func names(_ topics: TopicSettings) -> [String] {
    topics.input + topics.outputs
  }

  package init(_ topics: TopicSettings, existing: [String: Existing]) {
    for input in topics.input { plan(input: input, topics, existing) }
    differences += (topics.input + [topics.commands, topics.results]).compactMap {
      TopicRules.compaction(of: $0, existing[$0]?.settings ?? [:])
    }
    for name in [topics.commands, topics.results] where existing[name] == nil {
      missing.append(Missing(name: name, partitions: Int(topics.partitions), settings: [:]))
    }
  }

  private mutating func plan(input: String, _ topics: TopicSettings, _ existing: [String: Existing]) {
    let there = existing[input]
    if let there {
      if there.settings[Name.timestamps] == "CreateTime", topics.timestamps == .logAppend {
        differences.append(
          "\(input) has \(Name.timestamps)=CreateTime, so one sender's wrong clock would freeze it: "
            + Self.change(input, "\(Name.timestamps)=LogAppendTime"))
      }
    } else {
      missing.append(
        Missing(name: input, partitions: Int(topics.partitions), settings: [Name.timestamps: "LogAppendTime"]))
    }
    let partitions = there?.partitions ?? Int(topics.partitions)
    let changelog = topics.helpers.changelog(of: input)
    plan(log: changelog, of: input, there, partitions, existing[changelog])
    let journal = topics.helpers.journal(of: input)
    plan(log: journal, of: input, there, partitions, existing[journal])
    plan(deadLetters: TopicSettings.deadLetters(of: input), of: input, there, partitions, existing)
  }

  /// The changelog or the journal: what they tell is of use as long as the input that it belongs to.
  private mutating func plan(
    log name: String, of input: String, _ inputThere: Existing?, _ partitions: Int, _ there: Existing?
  ) {
    let retention = inputThere?.settings[Name.retention]
    guard let there else {
      var settings = [Name.cleanup: "delete", Name.retentionBytes: "-1", Name.timestamps: "LogAppendTime"]
      settings[Name.retention] = retention
      missing.append(Missing(name: name, partitions: partitions, settings: settings))
      return
    }
    comparePartitions(name, there, input, partitions)
    if let policy = there.settings[Name.cleanup], policy != "delete" {
      differences.append(
        "\(name) has \(Name.cleanup)=\(policy), which drops what a replay needs: "
          + Self.change(name, "\(Name.cleanup)=delete"))
    }
    if let retention, let has = there.settings[Name.retention], Self.isShorter(has, than: retention) {
      differences.append(
        "\(name) has \(Name.retention)=\(has), less than \(input) (\(retention)), so old input could not be replayed: "
          + Self.change(name, "\(Name.retention)=\(retention)"))
    }
  }

  /// A dead letter is a record of the input and some headers, so it may be longer than the input allows.
  private mutating func plan(
    deadLetters name: String, of input: String, _ inputThere: Existing?, _ partitions: Int,
    _ existing: [String: Existing]
  ) {
    let inputBytes = inputThere?.settings[Name.maxBytes].flatMap { Int($0) } ?? Self.usualMaxBytes
    guard let there = existing[name] else {
      let settings = [Name.maxBytes: String(inputBytes + Self.headerBytes)]
      missing.append(Missing(name: name, partitions: partitions, settings: settings))
      return
    }
    comparePartitions(name, there, input, partitions)
    if let bytes = there.settings[Name.maxBytes].flatMap({ Int($0) }), bytes < inputBytes {
      differences.append(
        "\(name) has \(Name.maxBytes)=\(bytes), less than \(input) (\(inputBytes)), whose records may come to it: "
          + Self.change(name, "\(Name.maxBytes)=\(inputBytes + Self.headerBytes)"))
    }
  }

  private mutating func comparePartitions(_ name: String, _ there: Existing, _ input: String, _ partitions: Int) {
    if there.partitions < partitions {
      differences.append(
        "\(name) has \(there.partitions) partitions, but needs \(partitions), as many as \(input): "
          + "run `flyscreen topics create --grow \(input)=\(partitions)`")
    }
  }

  private static func change(_ topic: String, _ setting: String) -> String {
    "change it by kafka-configs --alter --entity-type topics --entity-name \(topic) --add-config \(setting)"
  }

  /// -1 is for ever.
  private static func isShorter(_ has: String, than needed: String) -> Bool {
    guard let has = Int64(has), let needed = Int64(needed), has >= 0 else { return false }
    return needed < 0 || has < needed
  }

  /// Kafka's default of `max.message.bytes`.
  private static var usualMaxBytes: Int { 1_048_588 }
  /// More bytes than the headers of a dead letter take.
  private static var headerBytes: Int { 65_536 }

  private enum Name {
    static let timestamps = "message.timestamp.type"
    static let cleanup = "cleanup.policy"
    static let retention = "retention.ms"
    static let retentionBytes = "retention.bytes"
    static let maxBytes = "max.message.bytes"
  }
}
