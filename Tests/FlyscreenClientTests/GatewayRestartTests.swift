import FlyscreenClient
import Foundation
import Gateway
import JSON
import Kafka
import Probes
import Settings
import Synchronization
import Testing
import Wire

/// The library and the real gateway, on the embedded broker.
@Suite(.timeLimit(.minutes(15))) struct GatewayRestartTests {
  private static let rooms: [ID] = ["r1", "r2", "r3"]
  private let broker: EmbeddedBroker
  private var configuration = Configuration()

  init() throws {
    broker = try EmbeddedBroker()
    try broker.createTopic("render.commands", partitions: 3)
    configuration.kafka = ["bootstrap.servers": broker.bootstrapServers]
    configuration.gateway.httpPort = 0
    configuration.gateway.results = .off
  }

  /// Wishes that fly and are liked, in a room each.
  private static let commands: [Command] = {
    let startMs = Int64(Date().timeIntervalSince1970 * 1000)
    return (0..<900).map { number in
      let wish = ID("w\(number / 30)")
      let body: Command.Body =
        number % 30 < 3
        ? .wishFly(
          Command.WishFly(
            wishId: wish, track: number % 3, sender: Command.Sender(userId: "7", name: "阿花"), text: "生日快乐",
            width: 100, durationMs: 600_000))
        : .wishLikes(Command.WishLikes(wishId: wish, likes: Int64(number)))
      return Command(
        roomId: rooms[number % 3], id: "im.wishes/0/\(number)/0", atMs: startMs + Int64(number), body: body)
    }
  }()

  private func publish(_ commands: ArraySlice<Command>) async throws {
    try await onThread { [configuration] in
      Result {
        let producer = try Producer(
          properties: KafkaProperties(configuration.kafka), clientId: "tests", log: { _ in })
        let topic = try producer.topic("render.commands", timeoutMs: 60_000)
        var encoder = SnapshotEncoder()
        var value = ByteBuffer()
        for command in commands {
          value.removeAll()
          encoder.encode(command, into: &value)
          try command.roomId.withBytes { key in
            try topic.produce(
              Murmur2.partition(key: key, partitions: Int32(topic.partitionCount)), key: key, value: value.bytes)
          }
        }
        try producer.flush(timeoutMs: 60_000)
      }
    }.get()
  }

  private func startGateway(port: UInt16 = 0) async throws -> (Gateway.Run, port: UInt16) {
    var configuration = configuration
    configuration.gateway.httpPort = port
    configuration.gateway.drainMs = 0
    configuration.gateway.drainSpreadMs = 0
    return try await onThread { [configuration] in
      Result {
        let gateway = try Gateway(configuration, log: Log(sink: { _ in }))
        return (gateway.start(ended: {}), gateway.port)
      }
    }.get()
  }

  private func stop(_ gateway: Gateway.Run) async throws {
    try await onThread { Result { try gateway.stop() } }.get()
  }

  /// The updates that a client has heard; a waiting test goes on when one has come.
  private final class Heard: Sendable {
    private let updates = Mutex<[RoomUpdate]>([])
    private let news = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    func note(_ update: RoomUpdate) {
      updates.withLock { $0.append(update) }
      news.continuation.yield()
    }

    var all: [RoomUpdate] { updates.withLock { $0 } }

    func wait(until condition: @Sendable ([RoomUpdate]) -> Bool) async throws {
      var iterator = news.stream.makeAsyncIterator()
      while !condition(all) {
        // Nil: the test has taken too long.
        guard await iterator.next() != nil else { throw CancellationError() }
      }
    }
  }

  @Test func throughARestartOfTheGatewayEveryCommandComesOnce() async throws {
    let commands = Self.commands
    try await publish(commands[..<100])
    let (first, port) = try await startGateway()
    var options = GatewayClient.Options()
    options.retryFirst = .milliseconds(20)
    options.retryLimit = .milliseconds(200)
    options.updateLimit = 10_000
    let client = GatewayClient(URL(string: "http://127.0.0.1:\(port)")!, options: options)
    let heard = Heard()
    let reading = Task { for try await update in client.updates(of: Self.rooms) { heard.note(update) } }

    try await heard.wait { $0.filter { if case .snapshot = $0 { true } else { false } }.count == 3 }
    try await publish(commands[100..<400])
    try await heard.wait { $0.contains(.command(commands[399])) }
    try await stop(first)
    try await heard.wait { if case .connection(.waiting, _) = $0.last { true } else { false } }
    // Few enough that a gateway reads them back from the embedded broker, which can't tell an offset by its time.
    try await publish(commands[400..<430])
    let (second, _) = try await startGateway(port: port)
    try await heard.wait { $0.contains(.command(commands[429])) }
    try await publish(commands[430...])
    try await heard.wait { heard in commands.suffix(3).allSatisfy { heard.contains(.command($0)) } }
    reading.cancel()
    try await reading.value
    try await stop(second)

    for room in Self.rooms {
      let mine = commands.filter { $0.roomId == room }
      var whole = Screen(room)
      for command in mine { whole.apply(command) }
      var screen = Screen(room)
      var snapshots = 0
      var came: [Command] = []
      for update in heard.all {
        switch update {
        case .snapshot(let snapshot) where snapshot.roomId == room:
          screen.reset(to: snapshot)
          snapshots += 1
        case .command(let command) where command.roomId == room:
          screen.apply(command)
          came.append(command)
        default: break
        }
      }
      #expect(snapshots == 1, "missed commands came as commands")
      #expect(came == Array(mine.suffix(came.count)) && came.count >= 266, "in their order, none twice")
      #expect(screen.snapshot.commands == whole.snapshot.commands)
    }
  }
}
