import Glibc
import Replay
import Settings
import Wire

extension Command {
  static let replay = Command(
    name: "replay",
    summary: "runs a saved log through the engine, without a broker",
    options: [
      CommandOption("input", "FILE", "the log: one record a line, as JSON"),
      CommandOption("settings", "FILE", "those in force before the first line; lines in the log change them"),
      CommandOption("until", "MS", "after the last line, fires timers up to this log time [none]"),
      CommandOption("room", "ROOM", "prints this room's commands only"),
      CommandOption("timeline", "FILE.html", "draws what came of the room (--room) over time, as a page"),
      CommandOption("json", nil, "prints the commands, one a line; a summary without"),
    ],
    settings: ["gift", "wish", "like", "rain", "dedupe", "topics"]
  ) { invocation in
    let arguments = invocation.arguments
    let path = try arguments.required("input")
    let until = try arguments.integer("until", Arguments.times)
    var settings = invocation.configuration.log
    if let file = arguments["settings"] { settings = try LogSettings(file: file) }
    let replayer = Replayer(settings: settings, room: arguments["room"], hashSeed: .random(in: .min ... .max))
    let page = try TimelineFile(arguments, settings)
    var run = ReplayRun(replayer, printsCommands: arguments.has("json"), page)
    do { try run.play(path, until: until) } catch let error as BrokenLog {
      throw CommandFailure(.failed, error.description)
    }
    return .done
  }
}

/// Carries lines from a file to the engine, and what comes of them to the standard output.
private struct ReplayRun: ~Copyable {
  private var replayer: Replayer
  private let printsCommands: Bool
  private let page: TimelineFile?
  private var output = StandardOutput()

  private static var page: Int { 1 << 18 }

  init(_ replayer: consuming Replayer, printsCommands: Bool, _ page: TimelineFile?) {
    self.replayer = replayer
    self.printsCommands = printsCommands
    self.page = page
  }

  mutating func play(_ path: String, until: Int64?) throws {
    let source = try LogFileSource(path: path)
    do {
      while let line = try source.next() {
        do {
          try replayer.play(line)
          try page?.play(line)
        } catch let error as BrokenLog {
          throw BrokenLog("\(source.place): \(error)")
        }
        if replayer.output.count >= Self.page { try print() }
      }
    } catch {
      try print()
      throw error
    }
    if let until { replayer.fire(to: until) }
    try page?.end(until: until)
    try print()
    if !printsCommands {
      output.append(replayer.summary.description)
      try flush()
    }
  }

  private mutating func print() throws(CommandFailure) {
    if printsCommands { output.append(replayer.output.bytes) }
    replayer.output.removeAll()
    try flush()
  }

  private mutating func flush() throws(CommandFailure) {
    guard output.flush() else {
      throw CommandFailure(.failed, "the output can't be written: \(String(cString: strerror(errno)))")
    }
  }
}
