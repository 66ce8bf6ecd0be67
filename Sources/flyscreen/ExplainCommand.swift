import Foundation
import Kafka
import Platform
import Replay
import RoomModel
import RoomScreen
import Settings
import Wire

extension Subcommand {
  static let explain = Subcommand(
    name: "explain",
    summary: "says why a command was sent, what became of an event, or what was on the screen",
    note: "Rules in its answers are those of STAGES.md: Schemas/STAGES.md in the repository of this program.",
    operands: "[COMMAND-ID]",
    options: [
      CommandOption("room", "ROOM", "room to explain"),
      CommandOption("event", "EVENT-ID", "explains this event instead of the command COMMAND-ID"),
      CommandOption("user", "USER-ID", "explains all events of this user"),
      CommandOption("at", "TIME", "lists everything that was on the screen at this time (in the forms of --from)"),
    ] + LogInput.fileOptions + LogInput.topicOptions + [
      CommandOption(
        "anyway", nil, "answers also where it can't be told exactly how the room stood, as it may have been (status 3)"),
      CommandOption("json", nil, "prints the answer as JSON, on one line"),
      CommandOption("until", "MS", "fires timers after the last line up to this log time [none]"),
    ],
    needs: ["room"],
    settings: Configuration.logGroups + ["topics", "kafka"]
  ) { invocation in
    do { return try LogInput.withZone(invocation) { try ExplainTask(invocation).run() } } catch let error as BrokenLog {
      throw CommandFailure(.failed, error.description)
    }
  }
}

/// Finds the log that has the answer, and asks it.
private struct ExplainTask {
  private let invocation: Invocation
  private let room: ID
  private let question: Explainer.Question
  private let until: Int64?

  /// The number of records before a command's own that are read, to name its origins.
  private static let lookback: Int64 = 10_000

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    room = ID(try invocation.arguments.required("room"))
    question = try Explainer.Question(invocation, nowMs: Self.now(invocation))
    until = try invocation.arguments.integer("until", Arguments.times)
  }

  private var isFromFile: Bool { invocation.arguments.has("input") }

  /// The time before which a time of day is the last there was, and from which a span counts back. Of a file they are the
  /// first there is in it, and its end.
  private static func now(_ invocation: Invocation) throws -> LogTime {
    let at = invocation.arguments["at"]
    guard let path = invocation.arguments["input"] else { return WallClock.nowMs() }
    if LogPlace.isSpan(at) {
      if let last = try LogFileSource.lastTime(path: path) { return last }
      throw SettingsError("--at: '\(at!)' counts back from a file's end, which \(path) doesn't tell; give a time")
    }
    guard LogPlace.isTimeOfDay(at), let first = try LogFileSource.firstTime(path: path) else {
      return WallClock.nowMs()
    }
    return first + 86_399_999
  }

  func run() throws -> ExitStatus {
    let opened: (any LogSource, LogSettings, [PartitionRange], gone: [TopicPartition])
    do { opened = try source() } catch let error as BrokenLog where error.isGone {
      return try print(cantTell: [error.description])
    }
    let (source, settings, ranges, gone) = opened
    if !gone.isEmpty {
      return try print(cantTell: gone.map { "what \($0) had at that time is gone" })
    }
    let untold = Untold(question, room: room, of: ranges)
    if !isAnyway, let why = untold.ofPlace { return try print(cantTell: [why]) }
    var explainer = Explainer(
      question, room: room, settings: settings, hashSeed: .random(in: .min ... .max), isOfFile: isFromFile)
    try play(source, explainer: &explainer)
    var earlier = isFromFile ? [] : try untold.earlier(in: LogInput.properties(invocation), for: &explainer)
    var missing = untold.gone
    if !isFromFile, !untold.isOfPlace, explainer.hasNoResult, earlier.isEmpty,
      let others = try LogInput.otherRanges(invocation, than: room, for: "explain")
    {
      try play(
        TopicSource(others, room: room, LogInput.properties(invocation)), explainer: &explainer)
      let elsewhere = Untold(question, room: room, of: others)
      earlier = try elsewhere.earlier(in: LogInput.properties(invocation), for: &explainer)
      missing += elsewhere.gone
    }
    let doubts = untold.doubts(explainer) + [explainer.tooEarly, untoldFuture].compactMap { $0 }
    if !untold.isOfPlace, explainer.hasNoResult, earlier.isEmpty, !(missing + doubts).isEmpty {
      return try print(cantTell: doubts + missing + [explainer.noAnswer])
    }
    if let late = explainer.tooLate { return try print(cantTell: [late]) }
    if !doubts.isEmpty, !isAnyway { return try print(cantTell: earlier + doubts) }
    explainer.endMoment()
    let published = try published(explainer)
    let isOld = explainer.oldestRules < LogRules.current
    if let contradiction = explainer.contradiction(published) {
      throw CommandFailure(isOld ? .untold : .failed, contradiction)
    }
    LogInput.printOldRules(explainer.oldestRules, "explain")
    if invocation.arguments.has("json") {
      let explanation = Explanation(cantTell: earlier + doubts, answer: explainer.answer(published: published))
      if explanation.exact, explanation.answer == nil { throw CommandFailure(.failed, explainer.noAnswer) }
      return try print(json: explanation)
    }
    let answer = explainer.explain(published: published)
    if !(earlier + doubts).isEmpty { return try print(cantTell: earlier + doubts, answer: answer) }
    guard let answer else { throw CommandFailure(.failed, explainer.noAnswer) }
    var output = StandardOutput()
    output.append(answer)
    try output.flush()
    return .done
  }

  // MARK: Gaps in the answer

  private var isAnyway: Bool { invocation.arguments.has("anyway") }

  private func print(cantTell lines: [String], answer: String? = nil) throws -> ExitStatus {
    if invocation.arguments.has("json") { return try print(json: Explanation(cantTell: lines)) }
    var output = StandardOutput()
    for line in lines { output.append("can't tell: \(line)\n") }
    if let answer { output.append("\n" + answer) }
    try output.flush()
    return .untold
  }

  private func print(json explanation: Explanation) throws -> ExitStatus {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var output = StandardOutput()
    output.append(String(decoding: try encoder.encode(explanation), as: UTF8.self) + "\n")
    try output.flush()
    return explanation.exact ? .done : .untold
  }

  /// Of a moment that is yet to come nothing is known; nil: it isn't.
  private var untoldFuture: String? {
    guard case .moment(let time) = question, !isFromFile, time > WallClock.nowMs() else { return nil }
    return "that moment is yet to come"
  }

  /// The commands that the answer names as Kafka has them, and where the worker stands; nothing where that is not known.
  private func published(_ explainer: borrowing Explainer) throws -> PublishedCommands {
    var names = explainer.namedCommands().map(\.name)
    if case .command(let name) = question { names = [name] }
    var published = PublishedCommands()
    if isFromFile { return published }
    // A worker that publishes meanwhile stands further than what is found tells.
    let logs = Set(names.map { TopicPartition($0.topic, $0.partition) } + explainer.answeredOf)
    let standings = try logs.compactMap(standing)
    do {
      if !names.isEmpty {
        let search = try PublishedSearch(
          in: invocation.configuration.topics.commands, room: room, LogInput.properties(invocation))
        published = try search.find(names, standings)
      }
    } catch let error as KafkaError where error.kind == .unknownTopic {
      Flyscreen.printError("explain: the times of publishing are not known: \(error.message) (topics.commands)")
    }
    published.standings = standings
    return published
  }

  /// The place up to which the group has come; nil: that can't be told.
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
    let filter = othersFilter
    while !explainer.isAnswered, var line = try source.next() {
      line.printWarning("explain")
      filter?.apply(to: &line)
      do { try explainer.play(line) } catch { throw BrokenLog("\(source.place): \(error)") }
      lines += 1
      bar.show(lines, source.progress)
      guard let filter else { continue }
      let before = lines
      try source.records { record in
        // Lets the bar move on from time to time.
        guard lines - before < 1000, explainer.take(record, filter) else { return false }
        lines += 1
        return true
      }
    }
    if !explainer.isAnswered, let until { explainer.fire(to: until) }
    bar.clear()
    source.printWarnings("explain")
  }

  /// Nil: a saved log may tell how far its timers came by other rooms' timers alone.
  private var othersFilter: RoughRoomFilter? {
    isFromFile ? nil : RoughRoomFilter(asked: question, room: room)
  }

  // MARK: The log

  private func source() throws -> (any LogSource, LogSettings, [PartitionRange], gone: [TopicPartition]) {
    if isFromFile {
      let (source, settings) = try LogInput.open(invocation, for: "explain")
      return (source, settings, [], [])
    }
    let settings = try LogInput.topicSettings(invocation, for: "explain")
    let ranges: [PartitionRange]
    var gone: [TopicPartition] = []
    switch question {
    case .command(let name): ranges = try self.ranges(of: name)
    case .event, .user:
      ranges = try LogInput.ranges(invocation, of: room, isExact: !isAnyway)
    case .moment(let time):
      (ranges, gone) = try LogInput.ranges(
        invocation, of: room, at: time, lookback: Self.lookback, isExact: !isAnyway)
    }
    return (try TopicSource(ranges, room: room, LogInput.properties(invocation)), settings, ranges, gone)
  }

  /// The command's partition, from a little before the record that its id names.
  private func ranges(of name: CommandName) throws -> [PartitionRange] {
    let topic = try TopicRange(
      name.topic, LogInput.properties(invocation), helpers: invocation.configuration.topics.helpers)
    let (from, to) = try LogInput.places(invocation)
    guard from == nil else {
      return try topic.partitions(name.partition, from: from!, to: to ?? .end, isExact: !isAnyway)
    }
    return try topic.partition(
      name.partition, around: name.offset, lookback: Self.lookback, to: to ?? .end, isExact: !isAnyway)
  }
}

/// The line of `--json`.
private struct Explanation: Encodable {
  let exact: Bool
  /// The reasons why it can't be told exactly, a line each.
  let cantTell: [String]
  /// The answer; where that can't be told exactly: about what is known exactly, or with `--anyway` all as it may have been.
  let answer: Answer?

  init(cantTell: [String], answer: Answer? = nil) {
    exact = cantTell.isEmpty
    self.cantTell = cantTell
    self.answer = answer
  }
}

extension Explainer.Question {
  fileprivate init(_ invocation: Invocation, nowMs: LogTime) throws {
    let arguments = invocation.arguments
    switch (arguments["event"], arguments["user"], arguments["at"], arguments.operands.count) {
    case (let event?, nil, nil, 0): self = .event(ID(event))
    case (nil, let user?, nil, 0): self = .user(ID(user))
    case (nil, nil, let at?, 0):
      let zone = try TimeZone.given(arguments["zone"])
      guard let time = LogPlace.time(at, nowMs, zone) else {
        throw SettingsError("--at: '\(at)' will not do; give \(LogPlace.timesThatDo)")
      }
      for other in ["from", "to"] where arguments.has(other) {
        throw SettingsError("--at finds its part of the log by itself; leave out --\(other)")
      }
      self = .moment(time)
    case (nil, nil, nil, 1):
      guard let name = CommandName(arguments.operands[0]) else {
        throw SettingsError("'\(arguments.operands[0])' is no command's id; one looks like im.gifts/0/17/1")
      }
      self = .command(name)
    default:
      throw SettingsError("give one thing to explain: a command's id, --event EVENT-ID, --user USER-ID or --at TIME")
    }
  }
}
