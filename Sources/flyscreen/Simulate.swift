import Kafka
import Platform
import RoomModel
import Settings
import Simulation
import Wire

extension Subcommand {
  static let simulate = Subcommand(
    name: "simulate",
    summary: "sends events of simulated viewers, in real time",
    options: [
      CommandOption("rooms", "N", "rooms, 1…100000 [10]"),
      CommandOption("rate", "R", "events a second of all rooms together, on average over minutes, 1…1000000 [100]"),
      CommandOption("seed", "S", "random seed; equal seeds give equal runs [1]"),
      CommandOption("duration", "SPAN", "ends after this time: 90s, 10m [never]"),
      CommandOption("count", "N", "ends after this number of events [never]"),
      CommandOption("format", "F", "json, protobuf or mixed [json]"),
    ],
    settings: ["topics", "kafka"]
  ) { invocation in
    _ = try invocation.configuration.bootstrapServers()
    try Simulate(invocation).run(invocation.configuration)
    return .done
  }
}

struct Simulate {
  enum Formats: String, CaseIterable { case json, protobuf, mixed }

  let rooms: Int
  let rate: Int
  let seed: UInt64
  let durationMs: Int64
  let count: Int
  let formats: Formats

  init(_ invocation: Invocation) throws(SettingsError) {
    let arguments = invocation.arguments
    rooms = try arguments.integer("rooms", 1...100_000) ?? 10
    rate = try arguments.integer("rate", 1...1_000_000) ?? 100
    seed = try arguments.integer("seed", 0...UInt64.max) ?? 1
    durationMs = try arguments.runTime("duration") ?? .max
    count = try arguments.integer("count", 1...Int.max) ?? .max
    let format = arguments["format"] ?? "json"
    guard let formats = Formats(rawValue: format) else {
      throw SettingsError("--format: '\(format)' is not one; give json, protobuf or mixed")
    }
    self.formats = formats
  }

  func run(_ configuration: Configuration) throws(KafkaError) {
    var end = EndSignal()
    let sender = try EventSender(configuration: configuration, clientId: "flyscreen-simulate")
    let startMs = WallClock.nowMs()
    // Two runs with one seed are two audiences that do the same, not one whose second half is all duplicates.
    var audience = Audience(rooms: rooms, rate: Double(rate), seed: seed, run: String(startMs, radix: 36))
    var formatDraw = SeededGenerator(seed: seed)
    while sender.sentCount < count {
      let next = audience.next()
      if next.atMs >= durationMs { break }
      let early = startMs + next.atMs - WallClock.nowMs()
      if early > 0 || sender.sentCount % 1000 == 0 {
        try sender.serve()
        if end.wait(ms: early) { break }
      }
      let format: Format =
        switch formats {
        case .json: .json
        case .protobuf: .protobuf
        case .mixed: formatDraw.chance(0.5) ? .json : .protobuf
        }
      try sender.send(next.event, as: format)
    }
    try sender.finish()
    print(summary(of: sender, tookMs: WallClock.nowMs() - startMs))
  }

  private func summary(of sender: EventSender, tookMs: Int64) -> String {
    let kinds = EventKind.allCases.compactMap { kind in sender.sent[kind].map { "\($0) \(kind.rawValue)" } }
    let rate = Int64(sender.sentCount) * 1000 / max(1, tookMs)
    return
      "sent \(sender.sentCount) events in \(rooms) rooms in \(tookMs / 1000).\(tookMs % 1000 / 100) s, \(rate) a second"
      + (kinds.isEmpty ? "" : ": \(kinds.joined(separator: ", "))")
  }
}
