import FlyscreenClient
import Foundation
import Testing

/// Rooms whose next commands are asked for again and again.
@Suite(.timeLimit(.minutes(15))) struct NextCommandsTests {
  private let gateway = ScriptedGateway()
  private let time = ManualTime()

  private func url(_ connection: ScriptedGateway.Connection) -> String {
    String(connection.request.url.absoluteString.dropFirst("https://gateway.example/live".count))
  }

  private func answer(_ connection: ScriptedGateway.Connection, _ status: Int = 200, _ text: String = "") {
    connection.answer(status, type: "application/json")
    if !text.isEmpty { connection.send(text) }
    connection.close()
  }

  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  @Test func aStreamThatBringsNothingIsReplaced() async throws {
    var updates = gateway.client(time, emptyLimit: .seconds(5)).updates(of: ["r1"]).makeAsyncIterator()
    #expect(try await updates.next() == .connection(.connecting))
    let stream = try await gateway.accept()
    stream.answer()
    #expect(try await updates.next() == .connection(.open))
    await time.passWait(of: .seconds(5))
    await stream.waitUntilGone()
    #expect(try await updates.next() == .connection(.connecting))
    let first = try await gateway.accept()
    #expect(url(first) == "/rooms/r1/next")
    let snapshot = Snapshot.of(nowMs: 1000)
    answer(first, 200, #"{"id":"x-1","snapshot":\#(try json(snapshot))}"#)
    #expect(try await updates.next() == .connection(.open))
    #expect(try await updates.next() == .snapshot(snapshot))

    let second = try await gateway.accept()
    #expect(url(second) == "/rooms/r1/next?after=x-1")
    let command = Command.fly("w", atMs: 1100)
    answer(
      second, 200, #"{"id":"x-2","lagMs":460,"commands":[{"roomId":"r1","id":"a","new":{}},\#(try json(command))]}"#)
    #expect(try await updates.next() == .pace(lag: .milliseconds(460), rooms: ["r1"]))
    #expect(try await updates.next() == .command(command), "a command of a kind that isn't known is passed over")

    answer(try await gateway.accept(), 204)
    await time.passWait(of: .seconds(1))
    let again = try await gateway.accept()
    #expect(url(again) == "/rooms/r1/next?after=x-2", "where there is nothing the same is asked again")
    answer(again, 410, #"{"error":"too_old","message":"x"}"#)
    let anew = try await gateway.accept()
    #expect(url(anew) == "/rooms/r1/next", "an id that is too old is forgotten")
    answer(anew, 503, #"{"error":"not_ready","message":"x"}"#)
    guard case .connection(.waiting, _) = try await updates.next() else { return #expect(Bool(false)) }
    await time.passWait(of: .milliseconds(500))
    #expect(url(try await gateway.accept()) == "/rooms/r1/next", "a stream is tried no more")
  }

  @Test func anOlderGatewayHasStreamsAlone() async throws {
    var updates = gateway.client(time, emptyLimit: .seconds(5)).updates(of: ["r1"]).makeAsyncIterator()
    #expect(try await updates.next() == .connection(.connecting))
    try await gateway.accept().answer()
    #expect(try await updates.next() == .connection(.open))
    await time.passWait(of: .seconds(5))
    #expect(try await updates.next() == .connection(.connecting))
    answer(try await gateway.accept(), 404, #"{"error":"not_found","message":"x"}"#)
    guard case .connection(.waiting, _) = try await updates.next() else { return #expect(Bool(false)) }
    await time.passWait(of: .milliseconds(500))
    #expect(url(try await gateway.accept()) == "/rooms/r1/commands")
    withExtendedLifetime(updates) {}
  }

  @Test func whoWantsNoStreamAsksForNone() async throws {
    var options = GatewayClient.Options()
    options.polls = true
    let client = gateway.client(time, options: options)
    let following = Task { for try await _ in client.updates(of: ["r1", "r2"]) {} }
    defer { following.cancel() }
    let asked = [url(try await gateway.accept()), url(try await gateway.accept())]
    #expect(asked.sorted() == ["/rooms/r1/next", "/rooms/r2/next"])
  }
}
