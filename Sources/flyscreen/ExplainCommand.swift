import Kafka
import Replay
import RoomModel
import Settings
import Wire

extension Subcommand {
  static let explain = Subcommand(
    name: "explain",
    summary: "tells why a command was sent, or what became of an event",
    note: "Sections in its answers are those of STAGES.md: Schemas/STAGES.md in the repository of this program.",
    operands: "[COMMAND-ID]",
    options: [
      CommandOption("room", "ROOM", "the room it is of"),
      CommandOption("event", "EVENT-ID", "the event; without it, the command of the id COMMAND-ID is explained"),
      CommandOption("user", "USER-ID", "or all events of this user"),
    ] + LogInput.fileOptions + LogInput.topicOptions + [
      CommandOption("until", "MS", "after the last line, fires timers up to this log time [none]")
    ],
    needs: ["room"],
    settings: ["gift", "wish", "like", "rain", "dedupe", "topics"]
  ) { invocation in
    do { return try ExplainTask(invocation).run() } catch let error as BrokenLog {
      throw CommandFailure(.failed, error.description)
    }
  }
}

/// Finds the log that has the answer, and asks it.
private struct ExplainTask {
  private let invocation: Invocation
  private let room: String
  private let question: Explainer.Question
  private let until: Int64?

  /// How many records before a command's own are read, to name what stands behind it.
  private static let lookback: Int64 = 10_000

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    room = try invocation.arguments.required("room")
    question = try Explainer.Question(invocation.arguments)
    until = try invocation.arguments.integer("until", Arguments.times)
  }

  private var isFromFile: Bool { invocation.arguments.has("input") }

  func run() throws -> ExitStatus {
    let (source, settings) = try source()
    var explainer = Explainer(question, room: room, settings: settings, hashSeed: .random(in: .min ... .max))
    try play(source, explainer: &explainer)
    if !isFromFile, explainer.hasNoResult,
      let others = try LogInput.otherRanges(invocation, than: room, for: "explain")
    {
      LogInput.printLate(others, "explain")
      try play(
        TopicSource(others, room: room, LogInput.properties(invocation)), explainer: &explainer)
    }
    let published = try published(explainer)
    let isOld = explainer.oldestRules < LogRules.current
    if let contradiction = explainer.contradiction(published) {
      throw CommandFailure(isOld ? .untold : .failed, contradiction)
    }
    LogInput.printOldRules(explainer.oldestRules, "explain")
    guard let answer = explainer.explain(published: published) else {
      throw CommandFailure(.failed, explainer.noAnswer)
    }
    var output = StandardOutput()
    output.append(answer)
    try output.flush()
    return .done
  }

  /// What Kafka has of the commands that the answer names; nothing where that is not known.
  private func published(_ explainer: borrowing Explainer) throws -> PublishedCommands {
    var names = explainer.namedCommands().map(\.name)
    if case .command(let name) = question { names = [name] }
    if isFromFile || names.isEmpty { return PublishedCommands() }
    do {
      let search = try PublishedSearch(
        in: invocation.configuration.topics.commands, room: room, LogInput.properties(invocation))
      var published = try search.find(names)
      for (topic, partition) in published.logsWithAbsent {
        if let standing = try standing(TopicPartition(topic, partition)) {
          published.note(standing, topic: topic, partition: partition)
        }
      }
      return published
    } catch let error as KafkaError where error.kind == .unknownTopic {
      Flyscreen.printError("explain: when commands were published is not known: \(error.message) (topics.commands)")
      return PublishedCommands()
    }
  }

  /// How far the group has come; nil: that can't be told.
  private func standing(_ partition: TopicPartition) throws -> PublishedCommands.Standing? {
    let properties = try LogInput.properties(invocation)
    let offsets = try GroupOffsets(
      properties: properties, group: invocation.configuration.groupId, clientId: "flyscreen-explain", log: { _ in })
    guard let committed = try? offsets.committed([partition], timeoutMs: 10_000).first else { return nil }
    let end = try TopicRange(partition.topic, properties).end(of: partition.partition)
    return PublishedCommands.Standing(
      "\(partition.topic)/\(partition.partition)", offset: max(0, committed.offset ?? 0), end: end)
  }

  private func play(_ source: any LogSource, explainer: inout Explainer) throws {
    var bar = ProgressBar()
    var lines = 0
    while !explainer.isAnswered, let line = try source.next() {
      line.printWarning("explain")
      do { try explainer.play(line) } catch { throw BrokenLog("\(source.place): \(error)") }
      lines += 1
      bar.show(lines, source.progress)
    }
    if !explainer.isAnswered, let until { explainer.fire(to: until) }
    bar.clear()
    source.printWarnings("explain")
  }

  // MARK: Which log

  private func source() throws -> (any LogSource, LogSettings) {
    if isFromFile { return try LogInput.open(invocation, for: "explain") }
    let settings = try LogInput.topicSettings(invocation, for: "explain")
    let ranges: [PartitionRange]
    switch question {
    case .command(let name): ranges = try self.ranges(of: name)
    case .event, .user:
      ranges = try LogInput.ranges(invocation, of: room)
      LogInput.printLate(ranges, "explain")
    }
    return (try TopicSource(ranges, room: room, LogInput.properties(invocation)), settings)
  }

  /// The command's partition, from a little before the record that its id names.
  private func ranges(of name: CommandName) throws -> [PartitionRange] {
    let topic = try TopicRange(
      name.topic, LogInput.properties(invocation), helpers: invocation.configuration.topics.helpers)
    let (from, to) = try LogInput.places(invocation)
    guard from == nil else {
      return try topic.partitions(name.partition, from: from!, to: to ?? .end)
    }
    return try topic.partition(name.partition, around: name.offset, lookback: Self.lookback, to: to ?? .end)
  }
}

extension Explainer.Question {
  fileprivate init(_ arguments: Arguments) throws(SettingsError) {
    switch (arguments["event"], arguments["user"], arguments.operands.count) {
    case (let event?, nil, 0): self = .event(event)
    case (nil, let user?, 0): self = .user(user)
    case (nil, nil, 1):
      guard let name = CommandName(arguments.operands[0]) else {
        throw SettingsError("'\(arguments.operands[0])' is no command's id; one looks like im.gifts/0/17/1")
      }
      self = .command(name)
    default:
      throw SettingsError("give one thing to explain: a command's id, --event EVENT-ID or --user USER-ID")
    }
  }
}
