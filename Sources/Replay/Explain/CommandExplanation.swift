import RoomEngine
import RoomModel
import Wire

/// Waits for one command of a room, and explains why it was sent.
struct CommandExplanation: RoomObserver {
  let name: CommandName
  private(set) var finding: Finding?
  private var origins = Origins()
  /// The count of commands at that record; nil: it did not come.
  private(set) var seenThere: Int64?

  struct Finding {
    /// The rows of the answer, each with its name; an empty name: that of the row before.
    let rows: [(place: String, words: String)]
    let command: ReplayedCommand
  }

  init(_ name: CommandName) { self.name = name }

  func wantsPicture(at offset: Int64, in partition: PartitionReplay) -> Bool {
    offset == name.offset && finding == nil && partition.isOf(name)
  }

  mutating func observeDeadLetter(_ record: LogRecord, _ reason: NotUnderstood, in partition: PartitionReplay) {}

  mutating func observe(_ step: RoomStep, in partition: PartitionReplay) {
    guard finding == nil, partition.isOf(name) else { return }
    origins.learn(from: step)
    for command in step.commands where command.recordOffset == name.offset {
      seenThere = command.place + 1
      if command.place == name.place {
        let replayed = ReplayedCommand(name: name, atMs: command.atMs, json: partition.json(of: command))
        finding = Finding(rows: rows(of: command, in: step, partition), command: replayed)
      }
    }
    origins.forget(after: step)
  }

  // MARK: The answer

  private func rows(
    of command: RoomCommand, in step: RoomStep, _ partition: PartitionReplay
  ) -> [(place: String, words: String)] {
    let partitionName = partition.name
    let settings = partition.engine.settings(of: command.roomId)
    let reason = Reason(of: command, in: step, settings)
    var rows: [(place: String, words: String)] = [
      ("sent", "\(command.atMs.dateAndClock), log time \(command.atMs)"),
      ("why", reason.words),
      ("rule", "STAGES.md, \(reason.rule.rawValue)"),
    ]
    rows += cause(of: step, partition).map { ("cause", $0) }
    let behind = origins.lines(behind: command, partitionName: partitionName)
    rows += behind.enumerated().map { ($0.offset == 0 ? "behind it" : "", $0.element) }
    if step.commands.count > 1 {
      let others = step.commands.filter { $0.place != command.place || $0.recordOffset != command.recordOffset }
      rows.append(
        (
          "with it",
          others.map { "\($0.body.kind) \(partitionName)/\($0.recordOffset)/\($0.place)" }.joined(separator: ", ")
        ))
    }
    rows.append(("", ""))
    rows.append(("the room just before", ""))
    let before = (step.before ?? RoomPicture()).lines(
      partitionName: partitionName, holders: partition.holders,
      tellsFreeLanes: Self.lanes.contains(command.body.kind))
    rows += before.isEmpty ? [("  nothing", "")] : before.map { ("  \($0.place)", $0.words) }
    return rows
  }

  /// The kinds for which it tells that a lane is free.
  private static let lanes: Set<RoomCommand.Body.Kind> = [.giftShow, .giftBump, .giftHide]

  private func cause(of step: RoomStep, _ partition: PartitionReplay) -> [String] {
    switch step.cause {
    case .settings: return ["a change of settings"]
    case .timer(let timer):
      let whose = timer.words.map { " (\($0))" } ?? ""
      let last = partition.engine.lastOffset
      return [
        "timer '\(timer.kind.words)'\(whose), due \(timer.deadline.clock); the last record before it was "
          + partition.name(ofRecord: last)
      ]
    case .event(let event, let record, _):
      let id = event.eventId.isEmpty ? "without an eventId" : event.eventId.description.printable
      let late = step.at > record.timestampMs ? ", \(step.at - record.timestampMs) ms late" : ""
      return ["event \(id), record \(record.name) of \(record.timestampMs.clock)\(late): \(event.words)"]
    }
  }
}

extension TimerPicture {
  /// The thing that it is of; nil: it is the room's.
  fileprivate var words: String? {
    if let combo { return combo.words }
    if let wish { return wish.words }
    if let rain { return "rain \(rain.rainId.printable)" }
    if let pin { return pin.words }
    return goal?.words
  }
}

extension String {
  func padded(to count: Int) -> String { self + String(repeating: " ", count: max(1, count - self.count)) }

  /// The text without blanks at its end.
  var trimmed: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
