import Gateway
import Glibc
import HTTP
import JSON
import Kafka
import Platform
import Probes
import RoomEngine
import RoomModel
import Settings
import Simulation
import Synchronization
import TerminalView
import Wire
import Worker

extension Subcommand {
  static let demo = Subcommand(
    name: "demo",
    summary: "runs simulated viewers, a worker and a gateway on a broker of its own; draws rooms here and as a page",
    note:
      "It begins with a story: for each scene a line says what to look at, and a call of explain that you can try."
      + "\nAfter a minute all rooms come to life.",
    options: [
      CommandOption("rooms", "N", "rooms, 1…100 [4]"),
      CommandOption("rate", "R", "events a second of all rooms together, on average, 1…1000 [30]"),
      CommandOption("seed", "S", "random seed; equal seeds give equal runs [1]"),
      CommandOption("duration", "SPAN", "ends after this time: 90s, 10m [at Ctrl-C]"),
    ],
    settings: Configuration.logGroups + ["gateway"]
  ) { invocation in
    var demo = try Demo(invocation)
    try demo.run()
    return .done
  }
}

/// Senders, a broker, a worker, a gateway and a terminal in one process. Only the broker and the viewers are simulated.
struct Demo {
  private let rooms: Int
  private let rate: Int
  private let seed: UInt64
  private let durationMs: Int64
  private var configuration: Configuration
  private let environment = [String: String].ofThisProcess()

  private static let partitions = 2

  init(_ invocation: Invocation) throws(SettingsError) {
    let arguments = invocation.arguments
    rooms = try arguments.integer("rooms", 1...100) ?? 4
    rate = try arguments.integer("rate", 1...1000) ?? 30
    seed = try arguments.integer("seed", 0...UInt64.max) ?? 1
    durationMs = try arguments.runTime("duration") ?? .max
    configuration = invocation.configuration
    configuration.topics.timestamps = .any
    if configuration.worker.httpPort == WorkerSettings().httpPort { configuration.worker.httpPort = 0 }
    // An ideograph takes two cells of a terminal. Unless somebody wants it otherwise, banners are as wide as they need
    // be on the narrowest panel; on the page they get some air by that.
    if configuration.logSettings.engine.wish.em == WishSettings().em {
      let stage = configuration.logSettings.engine.wish.stageWidth
      configuration.logSettings.engine.wish.em =
        (2 * stage + Int64(RoomsView.narrowest) - 1) / Int64(RoomsView.narrowest)
    }
    configuration.gateway.events = .on
    configuration.gateway.eventKinds = EventKind.allCases
    // One of its visitors makes all the noise that there is.
    configuration.gateway.limits.events = max(configuration.gateway.limits.events, 200)
    configuration.gateway.limits.eventBurst = max(configuration.gateway.limits.eventBurst, 500)
    configuration.gateway.limits.perRoom.raise(to: 200)
  }

  mutating func run() throws {
    var end = EndSignal()
    // That anybody can send anything is what it is for, and no news.
    let files = try GatewayFiles(configuration.gateway, Log(level: .error))
    let broker = try EmbeddedBroker()
    for topic in topicNames { try broker.createTopic(topic, partitions: Self.partitions) }
    // Settings for the user's own broker are of no use to this one.
    // The workers' group has another name, so that who explains by the usual one gets what ``DemoProgress`` commits.
    configuration.kafka = ["bootstrap.servers": broker.bootstrapServers, "group.id": "flyscreen-demo"]
    // The machine has a browser to draw it, too.
    configuration.worker.members = 1

    let heldLines = HeldLogLines()
    defer { heldLines.print() }
    let log = Log(level: .warning, sink: heldLines.append)
    let service = try WorkerService(configuration, tellsSettings: false, log: log)
    let gateway = try makeGateway(files, log)
    let worker = service.start { kill(getpid(), SIGTERM) }
    let serving = gateway.start { kill(getpid(), SIGTERM) }
    do {
      try play(until: &end, page: "\(files.tls == nil ? "http" : "https")://localhost:\(gateway.port)/")
    } catch {
      try? serving.stop(atOnce: true)
      try? worker.stop()
      throw error
    }
    try serving.stop(atOnce: true)
    try worker.stop()
  }

  /// Makes a gateway on its usual port, if the port is free and no other is asked for.
  private func makeGateway(_ files: GatewayFiles, _ log: Log) throws -> Gateway {
    func make(_ configuration: Configuration) throws -> Gateway {
      try Gateway(configuration, authorizer: files.authorizer, tls: files.tls, gifts: files.gifts, log: log)
    }
    do {
      return try make(configuration)
    } catch let error as PortError {
      guard configuration.gateway.httpPort == GatewaySettings().httpPort else {
        throw CommandFailure(.usage, "\(error)")
      }
      var other = configuration
      other.gateway.httpPort = 0
      return try make(other)
    }
  }

  private var topicNames: [String] {
    let topics = configuration.topics
    let produced = EventKind.allCases.flatMap { topics.produced($0) }
    return Set(topics.input + produced + topics.outputs).sorted()
  }

  /// Everything here happens on this one thread: send what is due, take what has come, draw.
  private func play(until end: inout EndSignal, page: String) throws {
    let startMs = WallClock.nowMs()
    var audience = Audience(rooms: rooms, rate: Double(rate), seed: seed)
    var story = DemoStory(servers: configuration.kafka["bootstrap.servers"]!)
    var progress = try DemoProgress(configuration)
    let names = audience.rooms.map(\.description)
    let sender = try EventSender(configuration: configuration, clientId: "flyscreen-demo-viewers")
    var reader = try CommandFollower(
      configuration: configuration, clientId: "flyscreen-demo-screen", room: nil, from: .earliest)
    var show = DemoShow(names: names, settings: configuration.logSettings.engine, page: page, environment: environment)
    defer { show.end() }
    var next = audience.next()
    while !end.wait(ms: 0), WallClock.nowMs() - startMs < durationMs {
      while next.atMs <= story.sinceEndMs {
        try sender.send(next.event, as: .json)
        next = audience.next()
      }
      try story.play { event throws(KafkaError) in try sender.send(event, as: .json) }
      try sender.serve()
      try reader.read(waitMs: 20) { reading in
        guard case .command(let published, _, _) = reading else { return }
        story.begin(with: published.command.roomId)
        progress.take(published)
        show.take(published)
      }
      try progress.commit()
      show.proceed(eventCount: sender.sentCount, telling: story.scene)
    }
  }
}

/// Log lines that come while the terminal is drawn upon: printed when that is over.
private final class HeldLogLines: Sendable {
  private let lines = Mutex<[[UInt8]]>([])

  func append(_ line: [UInt8]) { lines.withLock { $0.append(line) } }

  func print() { lines.withLock { $0.forEach(Log.toStandardError) } }
}
