import RoomModel
import RoomScreen

/// The answer about events, as text.
extension Explainer {
  static let whyLate = "No worker worked its partition off then (one had died, say), or it was behind"

  static func text(
    of event: EventExplanation, _ head: String, _ published: PublishedCommands, isOfFile: Bool
  ) -> String {
    let count = event.traces.count + event.moreCount
    var lines = ["\(head): \(counted(count, "record"))"] + notes(of: event, published)
    for trace in event.traces {
      lines.append("")
      lines.append("\(trace.record.name) of \(trace.record.timestampMs.dateAndClock): \(trace.words)")
      lines.append("  \(trace.sentence)")
      if let message = trace.record.message {
        lines.append("  came as \(message.cameAs.printable)")
        if let event = message.readAs { lines.append("  read as \(event.printable)") }
      }
      for wait in trace.waits + trace.tierWaits { lines += wait.lines.map { "  \($0)" } }
      for line in trace.lines {
        var words = line.words
        if let command = line.replayed { words += " [\(name(command, published))]" }
        let after = "+\(line.at - trace.record.timestampMs) ms"
        lines.append(
          "  \(line.at.clock) \(String(repeating: " ", count: max(0, 9 - after.count)))\(after)  \(words)  (\(line.rule.rawValue))"
        )
      }
    }
    if event.moreCount > 0 {
      let hint = isOfFile ? "a file that begins later has them" : "--from begins later"
      lines.append("\n… and \(event.moreCount) more, not followed; \(hint)")
    }
    lines.append(
      "\nrules are those of STAGES.md; times are log times, \(ShownZone.current.name); a record's is Kafka's: appended (LogAppendTime)"
        + " or sent (CreateTime)")
    return lines.joined(separator: "\n") + "\n"
  }

  /// A line each: what is not yet sent, not compared, not as published, and late.
  static func notes(of event: EventExplanation, _ published: PublishedCommands) -> [String] {
    let commands = event.traces.flatMap { $0.lines.compactMap(\.replayed) }
    var pending: [PublishedCommands.Standing] = []
    var late: [Milliseconds] = []
    for command in commands {
      switch published[command.name] {
      case .pending(let standing): pending.append(standing)
      case .found(let found) where found.json == command.json:
        if found.isLate(command.atMs) { late.append(found.timeMs - command.atMs) }
      case .found, .absent, .unknown: break
      }
    }
    let others = commands.count { $0.otherwise(published) != nil }
    var notes: [String] = []
    let swallowed = event.traces.count { $0.addsNothingToStreak }
    if swallowed > 0 {
      notes.append("\(counted(swallowed, "gift")) added nothing: their streakId had told as many before")
    }
    if let standing = pending.first {
      notes.append("not yet: \(standing.words); \(counted(pending.count, "command")) of what is told here it will send")
    }
    for standing in published.standings where !pending.contains(standing) {
      let ahead = event.traces.count {
        $0.partitionName == standing.partition && $0.record.offset >= standing.offset
      }
      guard ahead > 0 else { continue }
      notes.append("not yet: \(standing.words); what is told of \(counted(ahead, "record")) here will be")
    }
    let users = event.namesakes.sorted { $0.key < $1.key }
    if !users.isEmpty {
      notes.append(
        "it is an id, and a name, too: of "
          + users.map { "\($0.key.string.printable) (\(counted($0.value, "event")))" }.joined(separator: ", "))
    }
    if let line = published.notCompared(commands) { notes.append(line) }
    if others > 0 {
      notes.append(
        "NOT AS PUBLISHED: \(counted(others, "command")) of what was replayed; so what is told here is not what was")
    }
    if let most = late.max() {
      notes.append("LATE: \(counted(late.count, "command")) published up to \(most) ms late. \(whyLate)")
    }
    return notes
  }

  /// `im.gifts/0/17/1, published 20:31:02.550`.
  private static func name(_ command: ReplayedCommand, _ published: PublishedCommands) -> String {
    if let state = command.state(published) { return "\(command.name), \(state)" }
    guard case .found(let found) = published[command.name] else { return "\(command.name)" }
    let time = "\(command.name), published \(found.timeMs.clock)"
    return found.isLate(command.atMs) ? "\(time): LATE, \(found.timeMs - command.atMs) ms after its time" : time
  }
}
