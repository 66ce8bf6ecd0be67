import FlyscreenClient
import Foundation
import Synchronization

/// A gateway that says what a test says, on connections that a test accepts.
final class ScriptedGateway: StreamTransport {
  struct Connection: Sendable {
    let request: StreamRequest
    let stream: AsyncThrowingStream<StreamPart, any Error>.Continuation
    let gone: AsyncStream<Void>

    func answer(_ status: Int = 200, type: String = "text/event-stream", retryAfter: Duration? = nil) {
      stream.yield(.head(StreamHead(status: status, contentType: type, retryAfter: retryAfter)))
    }

    func send(_ text: String) { stream.yield(.bytes(Array(text.utf8))) }

    func send(_ event: String, _ data: some Encodable, id: String = "") {
      let json = String(decoding: try! JSONEncoder().encode(data), as: UTF8.self)
      send("event: \(event)\nid: \(id)\ndata: \(json)\n\n")
    }

    func close() { stream.finish() }

    /// Answers an event: Kafka has it.
    func deliver() {
      answer(202, type: "application/json")
      send(#"{"topic":"im.wishes","partition":2,"offset":40}"#)
      close()
    }

    func breakOff(_ why: String = "the wire is cut") { stream.finish(throwing: StreamBroken(why)) }

    /// Returns when the client has given it up.
    func waitUntilGone() async {
      for await _ in gone {}
    }
  }

  private let accepted: AsyncStream<Connection>.Continuation
  private let connections: AsyncStream<Connection>

  init() { (connections, accepted) = AsyncStream.makeStream() }

  func open(_ request: StreamRequest) -> AsyncThrowingStream<StreamPart, any Error> {
    AsyncThrowingStream { stream in
      let (gone, end) = AsyncStream<Void>.makeStream()
      stream.onTermination = { _ in end.finish() }
      accepted.yield(Connection(request: request, stream: stream, gone: gone))
    }
  }

  /// The next connection, once a client makes it; `CancellationError` where the test is over before.
  func accept() async throws -> Connection {
    for await connection in connections { return connection }
    throw CancellationError()
  }

  func client(
    _ time: ManualTime = ManualTime(), options: GatewayClient.Options = .init(), emptyLimit: Duration = .zero,
    token: @escaping GatewayClient.TokenProvider = { nil }
  ) -> GatewayClient {
    var options = options
    options.emptyLimit = emptyLimit
    return GatewayClient(
      URL(string: "https://gateway.example/live/")!, options: options, transport: self, time: time.timekeeper,
      token: token)
  }
}

/// Gives its first token when it ends, whoever still waits for it; the second is `t2`.
final class HangingProvider: Sendable {
  private let count = Mutex(0)
  private let (ends, bell) = AsyncStream<Void>.makeStream()

  func end() { bell.finish() }

  @Sendable func token() async -> String? {
    let number = count.withLock { count in
      count += 1
      return count
    }
    // Who waits for a task is not woken by a cancellation.
    if number == 1 { await Task { [ends] in for await _ in ends {} }.value }
    return "t\(number)"
  }
}

extension Command {
  static func fly(_ wish: ID, atMs: Int64, room: ID = "r1", text: String = "hi") -> Command {
    Command(
      roomId: room, id: "w/0/\(atMs)/0", atMs: atMs,
      body: .wishFly(
        WishFly(
          wishId: wish, track: 0, sender: Sender(userId: "1", name: "Ann"), text: text, width: 100, durationMs: 6000)))
  }
}

extension RoomUpdate {
  /// The stream of the room that most tests have.
  static func connection(_ connection: Connection) -> RoomUpdate { .connection(connection, rooms: ["r1"]) }
}

extension Snapshot {
  static func of(_ room: ID = "r1", nowMs: Int64, _ commands: Command...) -> Snapshot {
    Snapshot(roomId: room, nowMs: nowMs, commands: commands)
  }
}
