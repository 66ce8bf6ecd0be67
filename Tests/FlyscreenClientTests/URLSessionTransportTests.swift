import FlyscreenClient
import Foundation
import Testing

/// The system's own HTTP, against a real server.
@Suite(.timeLimit(.minutes(15))) struct URLSessionTransportTests {
  private let server = TinyServer()

  private var client: GatewayClient {
    var options = GatewayClient.Options()
    options.retryFirst = .milliseconds(1)
    return GatewayClient(server.address, options: options) { "secret" }
  }

  private func event(_ kind: String, _ data: some Encodable, id: Int) throws -> String {
    "event: \(kind)\nid: \(id)\ndata: \(String(decoding: try JSONEncoder().encode(data), as: UTF8.self))\n\n"
  }

  @Test func whatIsSentComesAtOnceAndAfterABreakGoesOn() async throws {
    var updates = client.updates(of: ["r1"]).makeAsyncIterator()
    #expect(try await updates.next() == .connection(.connecting))
    let first = await server.accept()
    #expect(first.request.hasPrefix("GET /rooms/r1/commands HTTP/1.1\r\n"))
    #expect(first.request.contains("Authorization: Bearer secret\r\n"))
    first.answer("200 OK", type: "text/event-stream; charset=utf-8")
    #expect(try await updates.next() == .connection(.open))
    first.send(try event("snapshot", Snapshot.of(nowMs: 1000), id: 7))
    #expect(try await updates.next() == .snapshot(.of(nowMs: 1000)), "while the stream is open")
    // Cut within a character.
    let bytes = Array(try event("command", Command.fly("生日快乐", atMs: 1100), id: 8).utf8)
    let cut = try #require(bytes.firstIndex { $0 > 0x7F }) + 1
    first.send(Array(bytes[..<cut]))
    first.send(Array(bytes[cut...]))
    #expect(try await updates.next() == .command(.fly("生日快乐", atMs: 1100)))
    first.send("event: command\nid: 9\ndata: {")
    first.close()
    guard case .connection(.waiting, _) = try await updates.next() else { return #expect(Bool(false)) }

    #expect(try await updates.next() == .connection(.connecting))
    let second = await server.accept()
    #expect(second.request.lowercased().contains("last-event-id: 8\r\n"))
    second.answer("200 OK", type: "text/event-stream")
    second.send(try event("command", Command.fly("w", atMs: 1200), id: 9))
    #expect(try await updates.next() == .connection(.open))
    #expect(try await updates.next() == .command(.fly("w", atMs: 1200)))
  }

  @Test func aRefusalIsToldWithItsWords() async throws {
    let client = client
    let reading = Task { for try await _ in client.screens(of: "r1") {} }
    let peer = await server.accept()
    peer.answer("401 Unauthorized", type: "text/plain")
    peer.send("the token has expired\n")
    peer.close()
    await #expect(throws: GatewayError.unauthorized("the token has expired")) { try await reading.value }
  }

  @Test func aRedirectIsNotFollowed() async throws {
    var updates = client.updates(of: ["r1"]).makeAsyncIterator()
    #expect(try await updates.next() == .connection(.connecting))
    let elsewhere = TinyServer()
    let peer = await server.accept()
    peer.send("HTTP/1.1 302 Found\r\nLocation: \(elsewhere.address)/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    peer.close()
    guard case .connection(.waiting(_, let why), _) = try await updates.next() else { return #expect(Bool(false)) }
    #expect(why.hasPrefix("302"))
    #expect(try await updates.next() == .connection(.connecting))
    let again = await server.accept()
    #expect(again.request.hasPrefix("GET /rooms/r1/commands HTTP/1.1\r\n"))
    again.close()
  }

  @Test func nobodyThereIsTriedAgain() async throws {
    let nobody = GatewayClient(URL(string: "http://127.0.0.1:1")!)
    var updates = nobody.updates(of: ["r1"]).makeAsyncIterator()
    #expect(try await updates.next() == .connection(.connecting))
    guard case .connection(.waiting(_, let why), _) = try await updates.next() else { return #expect(Bool(false)) }
    #expect(!why.isEmpty)
  }

  @Test func whoStopsReadingClosesTheConnection() async throws {
    let client = client
    let reading = Task { for try await _ in client.screens(of: "r1") {} }
    let peer = await server.accept()
    peer.answer("200 OK", type: "text/event-stream")
    reading.cancel()
    try await reading.value
    await peer.waitUntilGone()
    peer.close()
  }
}
