import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

struct RequestTests {
  private func withEcho(
    _ limits: ServerLimits = ServerLimits(), connections: Int = 1000, _ body: (RunningServer) throws -> Void
  ) throws {
    let server = try RunningServer(limits, connections: connections) { request in
      let told =
        "\(request.method) \(request.target.segments) \(request.header("x-y") ?? "-") \(request.body().count)"
      var response = Response(.ok, contentType: "text/plain", Array(told.utf8))
      response.closes = request.header("Connection") == "close"
      request.respond(response)
    }
    defer { server.stop() }
    try body(server)
  }

  @Test func aRequestComesWhole() throws {
    try withEcho { (server: RunningServer) throws in
      let answer = try server.ask(
        "POST /a/b?c=d HTTP/1.1\r\nHost: h\r\nX-Y: z\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc")
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(answer.hasSuffix("\r\n\r\npost [\"a\", \"b\"] z 3"))
    }
  }

  @Test func aConnectionIsKeptForTheNext() throws {
    try withEcho { (server: RunningServer) throws in
      let client = try PlainClient(port: server.port)
      for path in ["one", "two"] {
        client.send("GET /\(path) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.read(until: "- 0").contains("get [\"\(path)\"]"))
      }
    }
  }

  @Test func twoLengthsAreRefusedAndTheConnectionEnds() throws {
    try withEcho { (server: RunningServer) throws in
      let answer = try server.ask(
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 400 "))
      #expect(answer.components(separatedBy: "HTTP/1.1").count == 2)
    }
  }

  @Test func aBodyBeyondTheLimitIsRefusedInJSON() throws {
    var limits = ServerLimits()
    limits.bodyBytes = 10
    try withEcho(limits) { (server: RunningServer) throws in
      let answer = try server.ask("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n01234567890")
      #expect(answer.hasPrefix("HTTP/1.1 413 "))
      #expect(answer.contains(#"{"error":"too_large""#))
    }
  }

  @Test func anAddressThatIsNotEncodedIsRefused() throws {
    try withEcho { (server: RunningServer) throws in
      #expect(try server.ask("GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
    }
  }

  /// A byte now and then would hold it for ever: evhttp's timeout begins anew with each.
  @Test(arguments: ["GET / HTTP/1.1\r\nX: ", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n"])
  func whoAsksTooSlowlyIsCutOff(begin: String) throws {
    var limits = ServerLimits()
    limits.requestMs = 1000
    try withEcho(limits) { (server: RunningServer) throws in
      let client = try PlainClient(port: server.port)
      client.send(begin)
      var poller = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
      var bytes = 0
      repeat {
        client.send("x")
        bytes += 1
      } while poll(&poller, 1, 50) == 0 && bytes < 2000
      #expect(bytes < 2000)
    }
  }

  @Test func beyondTheLimitConnectionsWaitUntilOthersHaveGone() throws {
    try withEcho(connections: 3) { (server: RunningServer) throws in
      var held = try (0..<3).map { _ in try PlainClient(port: server.port) }
      for client in held {
        client.send("GET /held HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.read(until: "- 0").contains("held"))
      }
      let late = try PlainClient(port: server.port)
      late.send("GET /late HTTP/1.1\r\nHost: h\r\n\r\n")
      var poller = pollfd(fd: late.descriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&poller, 1, 300) == 0)
      held.removeLast()
      #expect(late.read(until: "- 0").contains("late"))
    }
  }

  /// An answer may come later than the handler returns, and to nobody.
  @Test func anAnswerMayWaitAndItsClientMayBeGone() throws {
    final class Waiting: @unchecked Sendable { var requests: [Request] = [] }
    let waiting = Waiting()
    let came = Atomic(0)
    let server = try RunningServer(setUp: { server in
      server.loop.onWake = {
        for request in waiting.requests { request.respond(Response(.accepted, closesAfter: true)) }
        waiting.requests = []
      }
    }) {
      waiting.requests.append($0)
      came.add(1, ordering: .releasing)
    }
    defer { server.stop() }
    let stays = try PlainClient(port: server.port)
    do {
      let goes = try PlainClient(port: server.port)
      goes.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      stays.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      // Both are there before the one goes.
      while came.load(ordering: .acquiring) < 2 { usleep(1000) }
    }
    server.loop.wake()
    #expect(stays.readToEnd().hasPrefix("HTTP/1.1 202 "))
  }

  /// evhttp ends the process where something comes in a state that it doesn't expect.
  @Test(arguments: ["x", "GET /second HTTP/1.1\r\nHost: h\r\n\r\n", String(repeating: "x", count: 300_000)])
  func whatComesWhileAnAnswerIsAwaitedWaits(more: String) throws {
    final class Waiting: @unchecked Sendable { var requests: [Request] = [] }
    let waiting = Waiting()
    let came = Atomic(0)
    let server = try RunningServer(setUp: { server in
      server.loop.onWake = {
        for request in waiting.requests { request.respond(Response(.accepted)) }
        waiting.requests = []
      }
    }) { request in
      if request.target.segments == ["now"] { return request.respond(Response(.ok)) }
      waiting.requests.append(request)
      came.add(1, ordering: .releasing)
    }
    defer { server.stop() }
    let client = try PlainClient(port: server.port)
    client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    while came.load(ordering: .acquiring) == 0 { usleep(1000) }
    client.send(more)
    usleep(100_000)
    server.loop.wake()
    #expect(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 202 "))
    let other = try PlainClient(port: server.port)
    other.send("GET /now HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(other.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
  }
}

extension Response {
  init(_ status: Status, closesAfter: Bool) {
    self.init(status)
    closes = closesAfter
  }
}
