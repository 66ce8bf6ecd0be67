import Glibc
import JSON
import Platform
import Replay
import RoomModel
import RoomScreen
import Settings

extension Subcommand {
  static let replay = Subcommand(
    name: "replay",
    summary: "replays a saved log or a range of input topics through the engine",
    options: LogInput.fileOptions + LogInput.topicOptions + [
      CommandOption(
        "what-if", "FILE",
        "replays as it was, then under these settings, and sums up each run; several files separated by commas"),
      CommandOption("until", "MS", "fires timers after the last line up to this log time [none]"),
      CommandOption("room", "ROOM", "plays this room only"),
      CommandOption("timeline", "FILE.html", "writes a page that shows the room (--room) over time"),
      CommandOption("json", nil, "prints the commands, one a line, in place of a summary"),
      CommandOption("results", nil, "prints the results of grabs, one a line"),
      CommandOption(
        "compare", nil,
        "compares the replay with the published commands and results; shows the first difference"),
      CommandOption("all", nil, "with --compare: prints every difference, a line each"),
      CommandOption("speed", "N", "times the recorded speed, 1…1000 [unlimited]"),
    ],
    settings: Configuration.logGroups + ["topics", "kafka"]
  ) { invocation in
    do { return try LogInput.withZone(invocation) { try ReplayTask(invocation).run() } } catch let error as BrokenLog {
      throw CommandFailure(.failed, error.description)
    }
  }
}

/// Chooses one of the tasks of `replay`, and does it.
private struct ReplayTask {
  private let invocation: Invocation
  private let until: Int64?
  private let speed: Int64?

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    until = try invocation.arguments.integer("until", Arguments.times)
    speed = try invocation.arguments.integer("speed", Int64(1)...1000)
  }

  func run() throws -> ExitStatus {
    let arguments = invocation.arguments
    if arguments.has("json"), arguments.has("results") {
      throw SettingsError("--json and --results are both there; choose one")
    }
    if arguments.has("compare") { return try ComparisonRun(invocation).run() }
    if let files = try arguments.list("what-if") {
      for option in ["json", "results", "speed", "timeline"] where arguments.has(option) {
        throw SettingsError("--what-if sums up several runs; leave out --\(option)")
      }
      let (source, settings) = try LogInput.open(invocation, for: "replay")
      let run = try WhatIfRun(files, over: settings, room: arguments["room"].map { ID($0) })
      return try run.play(OlderRules(in: source), until: until)
    }
    if arguments.has("all") { throw SettingsError("--all goes with --compare") }
    if arguments.has("timeline"), !arguments.has("room") {
      throw SettingsError("--timeline draws one room; say which with --room")
    }
    let room = arguments["room"].map { ID($0) }
    let drawn = arguments.has("timeline") ? room : nil
    let (source, settings) = try LogInput.open(invocation, for: "replay", room: drawn)
    let page = try drawn.map { try TimelineFile(arguments.required("timeline"), room: $0, settings) }
    let replayer = ParallelReplayer(
      settings: settings, room: room,
      keeping: arguments.has("json") ? .commands : arguments.has("results") ? .results : .nothing,
      threads: UsableCores.current().count)
    var run = ReplayRun(replayer, page, printsLines: arguments.has("json") || arguments.has("results"))
    try run.play(OlderRules(in: source), speed: speed)
    if let drawn, page?.isEmpty ?? false, arguments.has("topic"),
      let others = try LogInput.otherRanges(invocation, than: drawn, for: "replay")
    {
      LogInput.printLate(others, "replay")
      try run.play(OlderRules(in: TopicSource(others, LogInput.properties(invocation))), speed: speed)
    }
    try run.end(until: until)
    return run.isExact ? .done : .untold
  }
}

/// Carries lines to the engine, and its output to the standard output.
private struct ReplayRun: ~Copyable {
  private let replayer: ParallelReplayer
  private let page: TimelineFile?
  /// Partitions whose output may differ from what was published, and why, a line each.
  private var doubts: [String] = []
  private var output = StandardOutput()
  private var bar = ProgressBar()

  private static var chunkBytes: Int { 1 << 18 }

  private let printsLines: Bool

  /// - Parameter printsLines: whether commands or results are printed, not a summary.
  init(_ replayer: ParallelReplayer, _ page: TimelineFile?, printsLines: Bool) {
    self.printsLines = printsLines
    self.replayer = replayer
    self.page = page
  }

  mutating func play(_ source: any LogSource, speed: Int64?) throws {
    var pace = speed.map { ReplayPace(speed: $0) }
    do {
      while let line = try source.next() {
        if let warning = line.warning {
          // It is of what comes then, if that comes.
          try replayer.finish()
          try print()
          line.printWarning("replay")
          try mark(warning, line)
        }
        while let now = pace?.wait(for: line) {
          try replayer.fire(to: now)
          try replayer.finish()
          try print()
        }
        try replayer.play(line, at: source.place)
        do { try page?.play(line) } catch let error as BrokenLog { throw BrokenLog("\(source.place): \(error)") }
        if speed != nil { try replayer.finish() }
        if replayer.output.count >= Self.chunkBytes || speed != nil { try print() }
        bar.show(replayer.records, source.progress)
      }
      try replayer.finish()
    } catch {
      bar.clear()
      // An error in an earlier line comes first.
      var first = error
      do { try replayer.finish() } catch { first = error }
      try print()
      throw first
    }
    bar.clear()
    source.printWarnings("replay")
  }

  var isExact: Bool { doubts.isEmpty }

  /// Among commands and results a line of its own, which is none of them.
  private mutating func mark(_ warning: String, _ line: LogLine) throws(CommandFailure) {
    let partition = "\(line.topic)[\(line.partition)]"
    doubts.append("\(partition): \(warning)")
    guard printsLines else { return }
    var mark = ByteBuffer()
    mark.append(#"{"notExact":{"partition":"#)
    mark.appendString(partition)
    mark.append(#","why":"#)
    mark.appendString(warning)
    mark.append("}}\n")
    output.append(mark.bytes)
    try output.flush()
  }

  mutating func end(until: Int64?) throws {
    if let until { try replayer.fire(to: until) }
    try replayer.finish()
    try page?.end(until: until)
    try print()
    if !printsLines {
      for doubt in doubts { output.append("not exact: \(doubt)\n") }
      output.append(replayer.summary.description)
      try output.flush()
    }
  }

  private mutating func print() throws(CommandFailure) {
    output.append(replayer.output.bytes)
    replayer.output.removeAll()
    try output.flush()
  }
}

extension LogSource {
  /// Prints its warnings to stderr.
  func printWarnings(_ command: String) {
    for warning in warnings { Flyscreen.printError("\(command): not exact: \(warning)") }
  }
}

extension LogLine {
  /// Prints to stderr why the following output may differ from what was published.
  func printWarning(_ command: String) {
    guard let warning else { return }
    let span = if case .state = content { " until the rooms have forgotten what was before" } else { " from there on" }
    Flyscreen.printError("\(command): not exact\(span): \(warning)")
  }
}
