import Foundation
import Replay
import Settings

/// `replay --compare`: status 1 if a command differs.
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
    _ = try LogInput.settings(invocation, for: "replay")
    let asked = try LogInput.ranges(invocation)
    let properties = try LogInput.properties(invocation)
    let group = invocation.configuration.groupId
    let ranges = try PartitionRange.processed(asked, by: group, properties)
    guard ranges.contains(where: { !$0.offsets.isEmpty }) else {
      throw CommandFailure(
        .failed, "there is nothing to compare: the group \(group) has processed no record of this range")
    }
    for (range, asked) in zip(ranges, asked) where range.offsets.upperBound < asked.offsets.upperBound {
      Flyscreen.complain(
        "replay: \(range.partition) is compared up to offset \(range.offsets.upperBound), as far as \(group) has got")
    }
    let comparison = try CommandComparison(
      ranges, publishedOn: invocation.configuration.topics.commands, room: room, properties)
    var bar = ProgressBar()
    let difference = try comparison.run { bar.show(comparison.records, comparison.progress) }
    bar.clear()
    for doubt in comparison.doubts {
      Flyscreen.complain("replay: not exact until the rooms have forgotten what was before: \(doubt)")
    }
    var output = StandardOutput()
    if let difference {
      output.append(difference.description)
      if let why = try explanation(of: difference) { output.append(why) }
    } else {
      output.append("no difference: \(comparison.commands) commands of \(comparison.rooms) rooms\n")
    }
    try output.flush()
    return difference == nil ? .done : .failed
  }

  /// Why the command that was expected had to come, with the room as it stood before.
  private func explanation(of difference: CommandComparison.Difference) throws -> String? {
    guard let name = difference.commandId.flatMap({ CommandName($0) }) else { return nil }
    var explainer = Explainer(
      .command(name), room: difference.room, settings: LogSettings(), hashSeed: .random(in: .min ... .max))
    let source = try TopicSource([difference.partition], LogInput.properties(invocation))
    while !explainer.isAnswered, let line = try source.next() { try explainer.play(line) }
    return explainer.answer()
  }
}

extension CommandComparison.Difference {
  /// Of the command that was expected, or else of the one that came instead.
  fileprivate var commandId: String? {
    guard let command = expected ?? published, let start = command.range(of: #""id":""#)?.upperBound,
      let end = command[start...].firstIndex(of: "\"")
    else { return nil }
    return String(command[start..<end])
  }

  fileprivate var description: String {
    """
    the first difference, in room \(room) of \(partition.partition):
    expected   \(expected ?? "no command here")
    published  \(published ?? "nothing")\(place.map { " (\($0))" } ?? "")
    \(isRepeated ? Self.isLikelyTwice : "")

    """
  }

  private static let isLikelyTwice =
    "Commands of later records came before it: was the group's offset set back, so that all was published twice?\n"
}
