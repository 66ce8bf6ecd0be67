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
    let exact = ranges.filter { $0.isExact && !$0.offsets.isEmpty }
    if exact.isEmpty, let missing = Untold(ranges, [], asked: hasFrom).missing {
      throw CommandFailure(.untold, "can't tell: \(missing)")
    }
    if let oldest = exact.map(\.rules).min() { LogInput.printOldRules(oldest, "replay") }
    // Output under older rules may differ and be right, so this first looks whether there is any.
    let isUnderOldRules = exact.contains { $0.isUnderOldRules }
    var (comparison, difference) = try compare(exact, properties, isTold: !isUnderOldRules)
    var changed: [String] = []
    if difference?.isUnderOldRules == true {
      let parts = try exact.compactMap { try $0.isUnderOldRules ? partUnderCurrentRules(of: $0, &changed) : $0 }
      if parts.isEmpty { throw CommandFailure(.untold, "can't tell: \(changed.joined(separator: "; "))") }
      (comparison, difference) = try compare(parts, properties, isTold: true)
    } else if tellsAll, isUnderOldRules, difference != nil {
      (comparison, difference) = try compare(exact, properties, isTold: true)
    }
    if difference != nil, tellsAll { return try report(comparison.counts) }
    if let difference { return try report(difference) }
    var untold = Untold(ranges, comparison.reaches, asked: hasFrom)
    untold.add(changed)
    if let room, changed.isEmpty, ranges.allSatisfy(\.isExact), !comparison.knows(room) {
      throw CommandFailure(.failed, "no event of a room \(room) is in what was compared: is that its name?")
    }
    var output = StandardOutput()
    if comparison.commands + comparison.results > 0 || untold.missing == nil {
      let results = comparison.results > 0 ? ", \(comparison.results) results of grabs" : ""
      output.append("no difference: \(comparison.commands) commands of \(comparison.rooms) rooms\(results)\n")
      for place in untold.places { output.append(place + "\n") }
      try output.flush()
    }
    guard let missing = untold.missing else { return .done }
    throw CommandFailure(.untold, "can't tell: \(missing)")
  }

  /// - Parameter isTold: `--all` tells each as it is found.
  private func compare(
    _ ranges: [PartitionRange], _ properties: KafkaProperties, isTold: Bool
  ) throws -> (OutputComparison, OutputComparison.Difference?) {
    let topics = invocation.configuration.topics
    let comparison = try OutputComparison(
      ranges, commandsOn: topics.commands, resultsOn: topics.results, room: room, properties)
    var bar = ProgressBar()
    let difference: OutputComparison.Difference?
    if tellsAll, isTold {
      difference = try comparison.runAll {
        bar.show(comparison.records, comparison.progress)
      } tell: {
        try Self.tell($0)
      }
    } else {
      difference = try comparison.run { bar.show(comparison.records, comparison.progress) }
    }
    bar.clear()
    for warning in comparison.warnings { Flyscreen.printError("replay: not exact: \(warning)") }
    if comparison.uncheckedResults > 0 {
      Flyscreen.printError(
        "replay: there is no topic \(topics.results), so \(comparison.uncheckedResults) results of grabs are not compared"
      )
    }
    return (comparison, difference)
  }

  /// The part of a range that can still be compared, where a difference may come of older rules.
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

  /// `missing in room r1 of im.gifts[0]: {…} (render.commands[2] offset 17)`.
  private static func tell(_ difference: OutputComparison.Difference) throws {
    var output = StandardOutput()
    output.append(difference.line)
    try output.flush()
  }

  /// The counts of each kind, in all and of each room and user.
  private func report(_ counts: [Recipient: [OutputComparison.Kind: Int]]) throws -> ExitStatus {
    func words(_ counts: [OutputComparison.Kind: Int]) -> String {
      OutputComparison.Kind.allCases.compactMap { kind in
        counts[kind].flatMap { $0 > 0 ? "\($0) \(kind.rawValue)" : nil }
      }.joined(separator: ", ")
    }
    let differing = counts.filter { $0.value.values.contains { $0 > 0 } }
    var all: [OutputComparison.Kind: Int] = [:]
    for one in differing.values { all.merge(one, uniquingKeysWith: +) }
    var output = StandardOutput()
    output.append("\(all.values.reduce(0, +)) differ: \(words(all))\n")
    for kind in [Recipient.Kind.command, .result] {
      for (recipient, counts) in differing.sorted(by: { $0.key.key < $1.key.key }) where recipient.kind == kind {
        output.append("  \(recipient.words): \(words(counts))\n")
      }
    }
    try output.flush()
    return .failed
  }

  private func report(_ difference: OutputComparison.Difference) throws -> ExitStatus {
    var output = StandardOutput()
    output.append(difference.description)
    if difference.kind != .repeated, let why = try difference.reason.flatMap(explanation) { output.append(why) }
    try output.flush()
    return .failed
  }

  /// The reason why the expected item had to come, with the room as it stood before.
  private func explanation(_ reason: OutputComparison.Reason) throws -> String? {
    var explainer = Explainer(
      reason.question, room: reason.room, settings: LogSettings(), hashSeed: .random(in: .min ... .max))
    let source = try TopicSource([reason.range], LogInput.properties(invocation))
    while !explainer.isAnswered, let line = try source.next() { try explainer.play(line) }
    return explainer.explain()
  }
}

/// The part that could not be compared, since records are gone.
private struct Untold {
  /// The places, a line each, from which partitions were compared if not from where they had to be.
  private(set) var places: [String] = []
  /// The range that was not compared; nil: none.
  private(set) var missing: String?

  /// - Parameter asked: whether the beginning of the ranges was asked for.
  init(_ ranges: [PartitionRange], _ reaches: [OutputComparison.Reach], asked: Bool) {
    var missing: [String] = []
    for range in ranges {
      let reach = reaches.first { $0.partition.partition == range.partition }
      let gone = reach?.gone
      switch range.beginning {
      case .inexact(let why),
        .late(_, _, let why) where range.offsets.isEmpty || !range.isExact:
        missing.append("nothing of \(range.partition) can be compared: \(why)")
        continue
      default: break
      }
      if let gone, reach?.matched == 0 {
        missing.append("nothing of \(range.partition) can be compared: \(gone.why)")
        continue
      }
      guard let why = gone?.why ?? range.beginning.why ?? range.whyLate else { continue }
      let first = max(range.offsets.lowerBound, (gone?.through ?? -1) + 1)
      places.append("\(range.partition) from offset \(first) on: \(why)")
      if asked { missing.append("\(range.partition) is compared from offset \(first) on: \(why)") }
    }
    add(missing)
  }

  mutating func add(_ reasons: [String]) {
    let all = [missing].compactMap { $0 } + reasons
    missing = all.isEmpty ? nil : all.joined(separator: "; ")
  }
}

extension PartitionRange {
  fileprivate var isUnderOldRules: Bool { rules < LogRules.current }

  fileprivate var isLate: Bool {
    if case .late = beginning { return true }
    return false
  }

  /// The reason why it begins later than the time that was asked for.
  fileprivate var whyLate: String? { beginsLate.map { "what is left of it begins at \($0.dateAndClock)" } }
}

extension OutputComparison.Difference {
  /// Whether older rules were in force, while the output that is expected comes of those of now.
  fileprivate var isUnderOldRules: Bool { partition.isUnderOldRules }

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
      case .moved, .repeated: published ?? ""
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
