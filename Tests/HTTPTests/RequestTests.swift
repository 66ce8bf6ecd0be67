import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

struct RequestTests {
  private func withEcho(
    _ limits: ServerLimits = ServerLimits(), connections: ConnectionLimit = ConnectionLimit(1000),
    _ body: (RunningServer) throws -> Void
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

  /// evhttp itself would refuse the first two, with a page of its own.
  @Test(arguments: [
    ("POST /a HTTP/1.1\r\nHost: h\r\nConnection: keep-alive", #"post ["a"]"#),
    ("GET http://[::::]:8080/a HTTP/1.1\r\nHost: h", #"get ["a"]"#),
    ("GET http://h/a HTTP/1.1\r\nHost: i", #"get ["a"]"#),
  ])
  func whatIsClearIsTaken(head: String, told: String) throws {
    try withEcho { (server: RunningServer) throws in
      let client = try PlainClient(port: server.port)
      for _ in 0..<2 {
        client.send(head + "\r\n\r\n")
        #expect(client.read(until: "- 0").contains(told))
      }
    }
  }

  @Test(arguments: ["/\u{ff}", "/a?b=\u{ff}", "/\u{c3}("])
  func `an address with bytes that are no UTF-8 is refused`(target: String) throws {
    try withEcho { (server: RunningServer) throws in
      let client = try PlainClient(port: server.port)
      client.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n".unicodeScalars.map { UInt8($0.value) })
      #expect(client.read(until: "encoded").hasPrefix("HTTP/1.1 400 "))
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

  /// And the connection ends, in the turn of the request.
  @Test(arguments: [
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n01234567890", 413, "too_large"),
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 999999999999999\r\n\r\n", 413, "too_large"),
    ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", 411, "length_required"),
    ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n", 411, "length_required"),
    ("GET / HTTP/1.1\r\nHost: h\r\ntransfer-encoding:identity\r\n\r\n", 411, "length_required"),
    ("POST / HTTP/1.1\r\nHost: h\r\nExpect: a miracle\r\nContent-Length: 3\r\n\r\n", 417, "expectation_failed"),
    ("BREW / HTTP/1.1\r\n", 501, "not_implemented"),
    ("GET //x/metrics HTTP/1.1\r\n", 400, "bad_request"),
    ("GET / x HTTP/1.1\r\n", 400, "bad_request"), ("GET  / HTTP/1.1\r\n", 400, "bad_request"),
    ("GET /\t HTTP/1.1\r\n", 400, "bad_request"), ("GET /a#b HTTP/1.1\r\n", 400, "bad_request"),
    ("GET / HTTP/1.1\r\nX: a\u{1}b\r\n", 400, "bad_request"), ("GET / HTTP/1.1\nHost: h\n\n", 400, "bad_request"),
    ("GET / HTTP/1.1\r\nX: a\r\n b\r\n", 400, "bad_request"), ("nonsense\r\n", 400, "bad_request"),
    ("GET / HTTP/2.0\r\n", 400, "bad_request"), ("GET / HTTP/1.1\r\n\r\n", 400, "bad_request"),
    ("GET http://h:99999/ HTTP/1.1\r\nHost: h\r\n\r\n", 400, "bad_request"),
    ("POST / HTTP/1.1\r\nHost: h\r\nExpect:\t100-continue\r\nContent-Length: 3\r\n\r\n", 417, "expectation_failed"),
    ("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 20_000), 400, "bad_request"),
  ])
  func whatWillNotDoIsRefusedInJSON(request: String, status: Int, error: String) throws {
    var limits = ServerLimits()
    limits.bodyBytes = 10
    try withEcho(limits) { (server: RunningServer) throws in
      let first = "POST /first HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab"
      for before in ["", first, first + first] {
        let answer = try server.ask(before + request)
        let parts = answer.split(separator: #/HTTP\/1\.1 (?=[2-5]\d\d )/#)
        #expect(parts.count == before.components(separatedBy: "first").count)
        let refusal = try #require(parts.last)
        #expect(refusal.hasPrefix("\(status) ") && refusal.contains(#"{"error":"\#(error)","message":""#), "\(answer)")
        #expect(refusal.contains("Connection: close\r\n"))
        #expect(parts.dropLast().allSatisfy { $0.contains("first") && $0.hasSuffix(" 2") })
      }
    }
  }

  @Test func aNULInAHeaderIsRefused() throws {
    try withEcho { (server: RunningServer) throws in
      let client = try PlainClient(port: server.port)
      client.send(Array("GET / HTTP/1.1\r\nHost: h\r\nX-Y: a\0b\r\n\r\n".utf8))
      #expect(client.readToEnd().hasPrefix("HTTP/1.1 400 "))
    }
  }

  @Test func aRefusalToHEADHasNoBody() throws {
    try withEcho { (server: RunningServer) throws in
      #expect(try server.ask("HEAD / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n").hasSuffix("\r\n\r\n"))
    }
  }

  /// However requests are cut, each comes once and whole.
  @Test func requestsThatComeInPiecesComeWhole() throws {
    try withEcho { (server: RunningServer) throws in
      var random = SplitMix64(seed: 3)
      for _ in 0..<20 {
        let counts = (0..<30).map { _ in Int(random.next() % 200) }
        let text = counts.enumerated().map { number, count in
          "POST /r\(number) HTTP/1.1\r\nHost: h\r\nContent-Length: \(count)\r\n\r\n"
            + String(repeating: "x", count: count)
        }.joined()
        let client = try PlainClient(port: server.port)
        var rest = (text + "GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")[...]
        while !rest.isEmpty {
          let piece = rest.prefix(1 + Int(random.next() % 300))
          client.send(String(piece))
          rest = rest.dropFirst(piece.count)
          if random.next() % 8 == 0 { usleep(500) }
        }
        let answers = client.readToEnd().matches(of: #/post \["r(\d+)"\] - (\d+)/#)
        #expect(answers.map { Int($0.1)! } == Array(counts.indices))
        #expect(answers.map { Int($0.2)! } == counts)
      }
    }
  }

  @Test func anAddressThatIsNotEncodedIsRefused() throws {
    try withEcho { (server: RunningServer) throws in
      #expect(try server.ask("GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
    }
  }

  /// A byte now and then would hold it for ever: evhttp's timeout begins anew with each.
  @Test(
    arguments: ["GET / HTTP/1.1\r\nX: ", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10000\r\n\r\n"], [0, 1])
  func whoAsksTooSlowlyIsCutOff(begin: String, after: Int) throws {
    var limits = ServerLimits()
    limits.requestMs = 1000
    limits.idleMs = 3_600_000
    try withEcho(limits) { (server: RunningServer) throws in
      let client = try PlainClient(port: server.port)
      for _ in 0..<after {
        client.send("GET /first HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.read(until: "- 0").contains("first"))
      }
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

  /// The time for the next request is that for its first byte.
  @Test func whoseNextRequestBeginsInTimeHasTimeForIt() throws {
    var limits = ServerLimits()
    limits.requestMs = 3_600_000
    limits.idleMs = 1000
    try withEcho(limits) { (server: RunningServer) throws in
      let client = try PlainClient(port: server.port)
      client.send("GET /first HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(client.read(until: "- 0").contains("first"))
      client.send("POST /second HTTP/1.1\r\nHost: h\r\nContent-Length: 50\r\n\r\n")
      var poller = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
      for _ in 0..<49 {
        #expect(poll(&poller, 1, 50) == 0)
        client.send("x")
      }
      client.send("x")
      #expect(client.read(until: "- 50").contains("second"))
    }
  }

  @Test func beyondTheLimitConnectionsWaitUntilOthersHaveGone() throws {
    try withEcho(connections: ConnectionLimit(3)) { (server: RunningServer) throws in
      // Each amid its next request, so that none is idle.
      var held = try (0..<3).map { _ in
        let client = try PlainClient(port: server.port)
        client.send("GET /held HTTP/1.1\r\nHost: h\r\n\r\nGET /more")
        #expect(client.read(until: "- 0").contains("held"))
        return client
      }
      let late = try PlainClient(port: server.port)
      late.send("GET /late HTTP/1.1\r\nHost: h\r\n\r\n")
      var poller = pollfd(fd: late.descriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&poller, 1, 300) == 0)
      held.removeLast()
      #expect(late.read(until: "- 0").contains("late"))
    }
  }

  @Test func whereThereIsNoRoomTheLongestIdleGivesWay() throws {
    // It takes as long as it takes.
    var limits = ServerLimits()
    limits.requestMs = 3_600_000
    try withEcho(limits, connections: ConnectionLimit(4)) { (server: RunningServer) throws in
      let held = try (0..<3).map { _ in try PlainClient(port: server.port) }
      // The first is amid a request, the second has been silent for longer than the third.
      for client in held {
        client.send("GET /held HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.read(until: "- 0").contains("held"))
        usleep(5000)
      }
      held[0].send("GET /more")
      let limit = Date().addingTimeInterval(120)
      var late: [PlainClient] = []
      var poller = pollfd(fd: held[1].descriptor, events: Int16(POLLIN), revents: 0)
      repeat {
        try #require(Date() < limit)
        late.append(try PlainClient(port: server.port))
        late.last!.send("GET /late HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(late.last!.read(until: "- 0").contains("late"))
      } while poll(&poller, 1, 0) == 0
      held[0].send(" HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(held[0].read(until: "- 0").contains("more"))
    }
  }

  @Test func anAddressHasOnlySoManyConnectionsUnlessItIsAProxys() throws {
    try withEcho(connections: ConnectionLimit(1000, perAddress: 2)) { (server: RunningServer) throws in
      var held = try (0..<2).map { _ in try PlainClient(port: server.port) }
      for client in held {
        client.send("GET /held HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.read(until: "- 0").contains("held"))
      }
      let request = "GET /late HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
      #expect(try server.ask(request).isEmpty, "it is closed")
      held.removeLast()
      let limit = Date().addingTimeInterval(120)
      while !(try server.ask(request)).contains("late") { try #require(Date() < limit) }
    }
    let open = ConnectionLimit(1000, perAddress: 2) { ["127.0.0.1", "::ffff:127.0.0.1"].contains($0) }
    try withEcho(connections: open) { (server: RunningServer) throws in
      let held = try (0..<9).map { _ in try PlainClient(port: server.port) }
      for client in held {
        client.send("GET /held HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.read(until: "- 0").contains("held"))
      }
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
    let other = try PlainClient(port: server.port)
    func askOther() {
      other.send("GET /now HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(other.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
    }
    // What came before it has been read once this is answered.
    askOther()
    server.loop.wake()
    #expect(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 202 "))
    askOther()
  }
}

extension Response {
  init(_ status: Status, closesAfter: Bool) {
    self.init(status)
    closes = closesAfter
  }
}
