import Replay
import Settings

/// `replay --compare`: status 1 if a command or a result differs.
struct ComparisonRun {
  private let invocation: Invocation
  private let room: String?

  init(_ invocation: Invocation) throws(SettingsError) {
    self.invocation = invocation
    room = invocation.arguments["room"]
    for option in ["input", "settings", "until", "json", "results", "speed", "timeline", "what-if"]
    where invocation.arguments.has(option) {
      throw SettingsError("--compare holds a topic against what was published; leave out --\(option)")
    }
  }

  func run() throws -> ExitStatus {
    _ = try LogInput.topicSettings(invocation, for: "replay")
    let asked = try LogInput.ranges(invocation)
    let properties = try LogInput.properties(invocation)
    let group = invocation.configuration.groupId
    let ranges = try PartitionRange.processed(asked, by: group, properties)
    guard ranges.contains(where: { !$0.offsets.isEmpty }) else {
      throw CommandFailure(
        .failed, "there is nothing to compare: the group \(group) has processed no record of this range")
    }
    for (range, asked) in zip(ranges, asked) where range.offsets.upperBound < asked.offsets.upperBound {
      Flyscreen.printError(
        range.offsets.isEmpty
          ? "replay: of \(range.partition) nothing was read: \(group) has processed none of it"
          : "replay: \(range.partition) is compared up to offset \(range.offsets.upperBound), as far as \(group) has got"
      )
    }
    let topics = invocation.configuration.topics
    let comparison = try OutputComparison(
      ranges, commandsOn: topics.commands, resultsOn: topics.results, room: room, properties)
    var bar = ProgressBar()
    let difference = try comparison.run { bar.show(comparison.records, comparison.progress) }
    bar.clear()
    for warning in comparison.warnings {
      Flyscreen.printError("replay: not exact until the rooms have forgotten what was before: \(warning)")
    }
    if comparison.uncheckedResults > 0 {
      Flyscreen.printError(
        "replay: there is no topic \(topics.results), so \(comparison.uncheckedResults) results of grabs are not compared"
      )
    }
    if let room, difference == nil, !comparison.knows(room) {
      throw CommandFailure(.failed, "no event of a room \(room) is in what was compared: is that its name?")
    }
    var output = StandardOutput()
    if let difference {
      output.append(difference.description)
      if let why = try difference.reason.flatMap(explanation) { output.append(why) }
    } else {
      let results = comparison.results > 0 ? ", \(comparison.results) results of grabs" : ""
      output.append("no difference: \(comparison.commands) commands of \(comparison.rooms) rooms\(results)\n")
    }
    try output.flush()
    return difference == nil ? .done : .failed
  }

  /// Why what was expected had to come, with the room as it stood before.
  private func explanation(_ reason: OutputComparison.Reason) throws -> String? {
    var explainer = Explainer(
      reason.question, room: reason.room, settings: LogSettings(), hashSeed: .random(in: .min ... .max))
    let source = try TopicSource([reason.range], LogInput.properties(invocation))
    while !explainer.isAnswered, let line = try source.next() { try explainer.play(line) }
    return explainer.explain()
  }
}

extension OutputComparison.Difference {
  fileprivate var description: String {
    """
    the first difference, \(whose) of \(partition.partition):
    expected   \(expected ?? "nothing here")
    published  \(published ?? "nothing")\(place.map { " (\($0))" } ?? "")
    \(isRepeated ? Self.isLikelyTwice : "")

    """
  }

  private var whose: String {
    switch recipient.kind {
    case .command: "in room \(recipient.key)"
    case .result: "in the results of user \(recipient.key)"
    }
  }

  private static let isLikelyTwice =
    "What comes of later records came before it: was the group's offset set back, so that all was published twice?\n"
}
