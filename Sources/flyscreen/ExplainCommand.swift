import Replay
import Settings

extension Command {
  static let explain = Command(
    name: "explain",
    summary: "tells why a command was sent, or what became of an event",
    operands: "[COMMAND-ID]",
    options: [
      CommandOption("room", "ROOM", "the room it is of"),
      CommandOption("event", "EVENT-ID", "the event; without it, the command of the id COMMAND-ID is explained"),
      CommandOption("input", "FILE", "the log: one record a line, as JSON"),
      CommandOption("settings", "FILE", "those in force before the first line; lines in the log change them"),
      CommandOption("until", "MS", "after the last line, fires timers up to this log time [none]"),
    ],
    settings: ["gift", "wish", "like", "rain", "dedupe", "topics"]
  ) { invocation in
    let arguments = invocation.arguments
    let room = try arguments.required("room")
    let question = try Explainer.Question(arguments)
    let path = try arguments.required("input")
    let until = try arguments.integer("until", Arguments.times)
    var settings = invocation.configuration.log
    if let file = arguments["settings"] { settings = try LogSettings(file: file) }

    var explainer = Explainer(
      question, room: room, settings: settings, hashSeed: .random(in: .min ... .max))
    do {
      try explainer.play(LogFileSource(path: path), until: until)
    } catch let error as BrokenLog {
      throw CommandFailure(.failed, error.description)
    }
    guard let answer = explainer.answer() else { throw CommandFailure(.failed, explainer.noAnswer) }
    var output = StandardOutput()
    output.append(answer)
    output.flush()
    return .done
  }
}

extension Explainer {
  fileprivate mutating func play(_ source: any LogSource, until: Int64?) throws {
    while !isAnswered, let line = try source.next() {
      do { try play(line) } catch { throw BrokenLog("\(source.place): \(error)") }
    }
    if !isAnswered, let until { fire(to: until) }
  }
}

extension Explainer.Question {
  fileprivate init(_ arguments: Arguments) throws(SettingsError) {
    switch (arguments["event"], arguments.operands.count) {
    case (let event?, 0): self = .event(event)
    case (nil, 1):
      guard let name = CommandName(arguments.operands[0]) else {
        throw SettingsError("'\(arguments.operands[0])' is no command's id; one looks like im.gifts/0/17/1")
      }
      self = .command(name)
    default: throw SettingsError("give one thing to explain: a command's id, or --event EVENT-ID")
    }
  }
}
