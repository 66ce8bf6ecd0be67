import JSON
import Kafka
import RoomModel
import RoomScreen
import Settings
import TerminalView
import Wire

extension Subcommand {
  static let tail = Subcommand(
    name: "tail",
    summary: "prints commands as they are published, one a line",
    options: [
      CommandOption("room", "R", "prints this room only"),
      CommandOption("json", nil, "prints commands as JSON (those in Protobuf, too), not as sentences"),
      CommandOption("from", "WHEN", "where to begin: now or beginning [now]"),
    ],
    settings: ["topics", "kafka"]
  ) { invocation in
    _ = try invocation.configuration.bootstrapServers()
    try Tail(invocation).run(invocation.configuration)
    return .done
  }
}

struct Tail {
  private let room: ID?
  private let asJSON: Bool
  private let from: StartOffset

  init(_ invocation: Invocation) throws(SettingsError) {
    room = invocation.arguments["room"].map { ID($0) }
    asJSON = invocation.arguments.has("json")
    switch invocation.arguments["from"] ?? "now" {
    case "now": from = .latest
    case "beginning": from = .earliest
    case let other: throw SettingsError("--from: '\(other)' will not do; give now or beginning")
    }
  }

  func run(_ configuration: Configuration) throws {
    var end = EndSignal()
    var reader = try CommandFollower(
      configuration: configuration, clientId: "flyscreen-tail", room: room, from: from)
    var output = StandardOutput()
    while !end.wait(ms: 0) {
      try reader.read(waitMs: 100) { reading in
        switch reading {
        case .command(let published, let value, let format):
          show(published, json: format == .json ? value : nil, on: &output)
        case .notUnderstood(let reason): Flyscreen.printError("tail: \(reason)")
        }
      }
      try output.flush()
    }
  }

  private func show(_ published: DecodedCommand, json: UnsafeRawBufferPointer?, on output: inout StandardOutput) {
    let command = published.command
    if let room, ID(command.roomId) != room { return }
    if !asJSON {
      output.append(Command(published).sentence)
    } else if let json {
      output.append(json)
    } else {
      var buffer = ByteBuffer()
      CommandEncoder(topic: published.topic.description, partition: published.partition, format: .json)
        .encode(command, into: &buffer)
      output.append(buffer.bytes)
    }
    output.append("\n")
  }
}
