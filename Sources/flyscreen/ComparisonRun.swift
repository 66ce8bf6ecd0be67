import Kafka
import Replay
import RoomScreen
import Settings

/// `replay --compare`: status 1 if a command or a result differs, 3 if that can't be told of what was asked for.
struct ComparisonRun {
  private let invocation: Invocation
  private let room: ID?
  /// Whether all that differs is printed, not only the first.
  private let tellsAll: Bool

  init(_ invocation: Invocation) throws(SettingsError) {
    self.invocation = invocation
    room = invocation.arguments["room"].map { ID($0) }
    tellsAll = invocation.arguments.has("all")
    for option in ["input", "settings", "until", "json", "results", "speed", "timeline", "what-if"]
    where invocation.arguments.has(option) {
      throw SettingsError("--compare compares a topic's replay with its published commands; leave out --\(option)")
    }
  }

  func run() throws -> ExitStatus {
    _ = try LogInput.topicSettings(invocation, for: "replay")
    let asked = try LogInput.ranges(invocation)
    let properties = try LogInput.properties(invocation)
    let group = invocation.configuration.groupId
    let processed = try PartitionRange.processed(asked, by: group, properties)
    for (range, asked) in zip(processed, asked) where range.offsets.upperBound < asked.offsets.upperBound {
      Flyscreen.printError(
        range.offsets.isEmpty
          ? "replay: \(range.partition) skipped: the group \(group) has not processed it"
          : "replay: \(range.partition) is compared up to offset \(range.offsets.upperBound), which the group \(group) has processed"
      )
    }
    let ranges = processed.filter { !$0.offsets.isEmpty || $0.isLate }
    guard !ranges.isEmpty else {
      throw CommandFailure(
        .failed, "nothing to compare: the group \(group) has processed no record of this range")
    }
    let hasFrom = invocation.arguments.has("from")
    // Output under older rules may differ and be right.
    var changed: [String] = []
    let parts = try ranges.filter { $0.isExact && !$0.offsets.isEmpty }.compactMap {
      $0.rules < LogRules.current ? try partUnderCurrentRules(of: $0, &changed) : $0
    }
    if parts.isEmpty, let missing = Untold(ranges, [], changed, asked: hasFrom).missing {
      throw CommandFailure(.untold, "can't tell: \(missing)")
    }
    let comparison = try compare(parts, properties)
    var output = StandardOutput()
    if comparison.differences > 0 {
      if tellsAll { output.append("\(comparison.differences) differ\n") }
      try output.flush()
      return .failed
    }
    let untold = Untold(ranges, comparison.reaches, changed, asked: hasFrom)
    if let room, changed.isEmpty, ranges.allSatisfy(\.isExact), !comparison.knows(room) {
      throw CommandFailure(.failed, "no event of a room \(room) is in what was compared: is that its name?")
    }
    if comparison.commands + comparison.results > 0 || untold.missing == nil {
      let results = comparison.results > 0 ? ", \(comparison.results) results of grabs" : ""
      output.append("no difference: \(comparison.commands) commands of \(comparison.rooms) rooms\(results)\n")
      for place in untold.places { output.append(place + "\n") }
      try output.flush()
    }
    guard let missing = untold.missing else { return .done }
    throw CommandFailure(.untold, "can't tell: \(missing)")
  }

  /// Prints each command or result that differs: with `--all` a line, else the first at length.
  private func compare(_ ranges: [PartitionRange], _ properties: KafkaProperties) throws -> OutputComparison {
    let topics = invocation.configuration.topics
    let comparison = try OutputComparison(
      ranges, commandsOn: topics.commands, resultsOn: topics.results, room: room, properties)
    var bar = ProgressBar()
    try comparison.run {
      bar.show(comparison.records, comparison.progress)
    } tell: { difference in
      if !tellsAll { bar.clear() }
      var output = StandardOutput()
      output.append(tellsAll ? difference.line : try difference.description + explanation(difference))
      try output.flush()
      return tellsAll
    }
    bar.clear()
    for warning in comparison.warnings { Flyscreen.printError("replay: not exact: \(warning)") }
    if comparison.uncheckedResults > 0 {
      Flyscreen.printError(
        "replay: there is no topic \(topics.results), so \(comparison.uncheckedResults) results of grabs are not compared"
      )
    }
    return comparison
  }

  /// The part of a range that can still be compared: after a savepoint of this program's rules.
  private func partUnderCurrentRules(
    of range: PartitionRange, _ changed: inout [String]
  ) throws -> PartitionRange? {
    let topic = try TopicRange(
      range.partition.topic, LogInput.properties(invocation), helpers: invocation.configuration.topics.helpers)
    let part = try topic.partUnderCurrentRules(of: range)
    let before = part.map { " before offset \($0.offsets.lowerBound)" } ?? ""
    changed.append("\(range.partition)\(before) can't be compared: \(LogRules.changed(since: range.rules))")
    return part
  }

  /// The reason why the expected item had to come, with the room as it stood before.
  private func explanation(_ difference: OutputComparison.Difference) throws -> String {
    guard difference.kind != .repeated, let reason = difference.reason else { return "" }
    var explainer = Explainer(
      reason.question, room: reason.room, settings: LogSettings(), hashSeed: .random(in: .min ... .max))
    let source = try TopicSource([reason.range], LogInput.properties(invocation))
    while !explainer.isAnswered, let line = try source.next() { try explainer.play(line) }
    return explainer.explain() ?? ""
  }
}

/// The part that could not be compared, since records are gone.
private struct Untold {
  /// The places, a line each, from which partitions were compared if not from where they had to be.
  private(set) var places: [String] = []
  /// The range that was not compared; nil: none.
  let missing: String?

  /// - Parameters:
  ///   - others: Reasons why other parts were not compared.
  ///   - asked: whether the beginning of the ranges was asked for.
  init(
    _ ranges: [PartitionRange], _ reaches: [OutputComparison.Reach], _ others: [String], asked: Bool
  ) {
    var missing: [String] = []
    for range in ranges {
      let reach = reaches.first { $0.partition.partition == range.partition }
      var nothing = reach?.matched == 0 ? reach?.gone?.why : nil
      if !range.isExact || range.offsets.isEmpty { nothing = range.beginning.why ?? nothing }
      if let nothing {
        missing.append("nothing of \(range.partition) can be compared: \(nothing)")
        continue
      }
      guard let why = reach?.gone?.why ?? range.beginning.why ?? range.whyLate else { continue }
      let first = max(range.offsets.lowerBound, (reach?.gone?.through ?? -1) + 1)
      places.append("\(range.partition) from offset \(first) on: \(why)")
      if asked { missing.append("\(range.partition) is compared from offset \(first) on: \(why)") }
    }
    missing += others
    self.missing = missing.isEmpty ? nil : missing.joined(separator: "; ")
  }
}

extension PartitionRange {
  fileprivate var isLate: Bool {
    if case .late = beginning { return true }
    return false
  }

  /// The reason why it begins later than the time that was asked for.
  fileprivate var whyLate: String? { beginsLate.map { "what is left of it begins at \($0.dateAndClock)" } }
}

extension OutputComparison.Difference {
  fileprivate var description: String {
    """
    the first difference, in \(recipient.words) of \(partition.partition): \(kind.rawValue)
    expected   \(expected ?? "nothing here")
    published  \(published ?? "nothing")\(place.map { " (\($0))" } ?? "")
    \(kind == .repeated ? Self.isLikelyTwice : "")

    """
  }

  /// One for `--all`; of one that is other, both.
  fileprivate var line: String {
    let both =
      switch kind {
      case .missing: expected ?? ""
      case .repeated: published ?? ""
      case .other: "\(published ?? "nothing") instead of \(expected ?? "nothing")"
      }
    return "\(kind.rawValue) in \(recipient.words) of \(partition.partition): \(both.printable)"
      + (kind == .missing ? "" : place.map { " (\($0))" } ?? "") + "\n"
  }

  private static let isLikelyTwice =
    "It, or what comes after it, was published before: was the group's offset set back, so that all was published twice?\n"
}

extension Recipient {
  fileprivate var words: String {
    switch kind {
    case .command: "room \(key.printable)"
    case .result: "the results of user \(key.printable)"
    }
  }
}
