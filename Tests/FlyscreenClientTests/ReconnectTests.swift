import FlyscreenClient
import Foundation
import Synchronization
import Testing

/// A stream that breaks goes on where it was.
@Suite(.timeLimit(.minutes(15))) struct ReconnectTests {
  private let gateway = ScriptedGateway()
  private let time = ManualTime()

  @Test func aStreamAsksForItsRoomsAsAGatewayHasThem() async throws {
    func url(_ rooms: [ID], user: ID? = nil) async throws -> String {
      var updates = gateway.client().updates(of: rooms, user: user).makeAsyncIterator()
      async let first = updates.next()
      let connection = try await gateway.accept()
      _ = try? await first
      return connection.request.url.absoluteString
    }
    #expect(try await url(["r1"]) == "https://gateway.example/live/rooms/r1/commands")
    #expect(try await url(["a/b c&d,é"]) == "https://gateway.example/live/rooms/a%2Fb%20c%26d%2C%C3%A9/commands")
    #expect(try await url(["a", "b,c"]) == "https://gateway.example/live/commands?rooms=a,b%2Cc")
    #expect(try await url(["a"], user: "u 1") == "https://gateway.example/live/rooms/a/commands?user=u%201")
  }

  @Test func whatBreaksGoesOnWithTheLastEventThatWasWhole() async throws {
    var updates = gateway.client(time).updates(of: ["r1"]).makeAsyncIterator()
    #expect(try await updates.next() == .connection(.connecting))
    let first = try await gateway.accept()
    #expect(first.request.headers["Last-Event-ID"] == nil)
    #expect(first.request.headers["Accept"] == "text/event-stream")
    first.answer()
    #expect(try await updates.next() == .connection(.open))
    first.send("snapshot", Snapshot.of(nowMs: 1000), id: "7")
    first.send("command", Command.fly("v", atMs: 1100), id: "8")
    first.send("event: command\nid: 9\ndata: {\"roomId\"")
    first.breakOff()
    #expect(try await updates.next() == .snapshot(.of(nowMs: 1000)))
    #expect(try await updates.next() == .command(.fly("v", atMs: 1100)))
    #expect(try await updates.next() == .connection(.waiting(.milliseconds(500), because: "the wire is cut")))

    await time.passBackoff()
    #expect(try await updates.next() == .connection(.connecting))
    let second = try await gateway.accept()
    #expect(second.request.headers["Last-Event-ID"] == "8")
    second.answer()
    second.close()
    #expect(try await updates.next() == .connection(.open))
    guard case .connection(.waiting, _) = try await updates.next() else { return #expect(Bool(false)) }

    await time.passBackoff()
    #expect(try await updates.next() == .connection(.connecting))
    let third = try await gateway.accept()
    #expect(third.request.headers["Last-Event-ID"] == "8", "one that said nothing changes nothing")
    third.answer()
    third.send("command", Command.fly("w", atMs: 1200), id: "9")
    #expect(try await updates.next() == .connection(.open))
    #expect(try await updates.next() == .command(.fly("w", atMs: 1200)))
  }

  @Test func waitsGrowUntilAStreamHasStayed() async throws {
    var updates = gateway.client(time).updates(of: ["r1"]).makeAsyncIterator()
    var waits: [Duration] = []
    for attempt in 0..<5 {
      #expect(try await updates.next() == .connection(.connecting))
      let connection = try await gateway.accept()
      if attempt == 3 {
        connection.answer()
        #expect(try await updates.next() == .connection(.open))
        time.advance(by: .seconds(1))
      }
      connection.breakOff()
      guard case .connection(.waiting(let wait, _), _) = try await updates.next() else { break }
      waits.append(wait)
      await time.passBackoff()
    }
    #expect(waits == [0.5, 1, 2, 0.5, 1].map { .seconds($0) })
  }

  /// A quiet room: nothing came but the end.
  @Test func anOrderlyEndIsFollowedAfterWhatTheServerAskedFor() async throws {
    var updates = gateway.client(time).updates(of: ["r1"]).makeAsyncIterator()
    for _ in 0..<5 {
      #expect(try await updates.next() == .connection(.connecting))
      let connection = try await gateway.accept()
      connection.answer()
      connection.send("retry: 700\n\n")
      #expect(try await updates.next() == .connection(.open))
      time.advance(by: .seconds(5))
      connection.close()
      let ended = RoomUpdate.Connection.waiting(.milliseconds(700), because: "the gateway ended the stream")
      #expect(try await updates.next() == .connection(ended))
      await time.passBackoff()
    }
  }

  @Test func aTokenIsRenewedBeforeItEnds() async throws {
    func token(_ seconds: Int) -> String {
      let claims = #"{"exp":\#(Int(ManualTime.start.timeIntervalSince1970) + seconds)}"#
      return "e30.\(Data(claims.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")).x"
    }
    let tokens = Mutex([token(40), token(1000)])
    var options = GatewayClient.Options()
    // The token is renewed before this silence is too long.
    options.silenceLimit = .seconds(90)
    let client = gateway.client(time, options: options) { tokens.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
    var updates = client.updates(of: ["r1"]).makeAsyncIterator()
    _ = try await updates.next()
    let first = try await gateway.accept()
    first.answer()
    first.send("snapshot", Snapshot.of(nowMs: 1), id: "7")
    #expect(try await updates.next() == .connection(.open))
    #expect(try await updates.next() == .snapshot(.of(nowMs: 1)))
    await time.passRenewal()
    #expect(try await updates.next() == .connection(.connecting), "without a wait")
    let second = try await gateway.accept()
    #expect(second.request.headers["Last-Event-ID"] == "7")
    #expect(second.request.headers["Authorization"] != first.request.headers["Authorization"])
    await first.waitUntilGone()
  }

  @Test func aTokenThatIsRefusedIsFollowedByAnotherOnce() async throws {
    let count = Mutex(0)
    let client = gateway.client(time) {
      count.withLock { count in
        count += 1
        return "t\(count)"
      }
    }
    var updates = client.updates(of: ["r1"]).makeAsyncIterator()
    _ = try await updates.next()
    for token in ["Bearer t1", "Bearer t2"] {
      let connection = try await gateway.accept()
      #expect(connection.request.headers["Authorization"] == token)
      connection.answer(401, type: "application/json")
      connection.close()
    }
    await #expect(throws: GatewayError.unauthorized("")) { while try await updates.next() != nil {} }
  }

  @Test func theGatewayHeardOfElsewhereEndsAWaitUnlessItAskedForIt() async throws {
    let client = gateway.client(time)
    var updates = client.updates(of: ["r1"]).makeAsyncIterator()
    _ = try await updates.next()
    try await gateway.accept().breakOff()
    _ = try await updates.next()
    await time.waitForBackoff()
    async let liked = client.like(wish: "w", in: "r1")
    let posted = try await gateway.accept()
    posted.deliver()
    _ = try await liked
    #expect(try await updates.next() == .connection(.connecting))
    let busy = try await gateway.accept()
    busy.answer(429, type: "application/json", retryAfter: .seconds(9))
    busy.close()
    guard case .connection(.waiting, _) = try await updates.next() else { return #expect(Bool(false)) }
    await time.waitForBackoff()
    async let again = client.like(wish: "w", in: "r1")
    let second = try await gateway.accept()
    #expect(second.request.body != nil, "it waits as it was asked to")
    second.deliver()
    _ = try await again
    client.retryNow()
    #expect(try await updates.next() == .connection(.connecting))
  }

  @Test func aServerThatAsksForTimeGetsIt() async throws {
    var updates = gateway.client(time).updates(of: ["r1"]).makeAsyncIterator()
    _ = try await updates.next()
    var connection = try await gateway.accept()
    connection.answer()
    connection.send("retry: 4000\n\n")
    connection.close()
    #expect(try await updates.next() == .connection(.open))
    #expect(
      try await updates.next() == .connection(.waiting(.milliseconds(4500), because: "the gateway ended the stream")))
    await time.passBackoff()
    _ = try await updates.next()
    connection = try await gateway.accept()
    connection.answer(503, retryAfter: .seconds(7))
    connection.send("too many streams\n")
    connection.close()
    #expect(try await updates.next() == .connection(.waiting(.seconds(8), because: "503 too many streams")))
    await time.passBackoff()
    _ = try await updates.next()
    try await gateway.accept().breakOff()
    #expect(try await updates.next() == .connection(.waiting(.seconds(6), because: "the wire is cut")))
  }

  /// A gateway that ends gives each client a wait of its own, for this once.
  @Test func whatAStreamAskedForIsForgottenOnceTheNextIsOpen() async throws {
    var updates = gateway.client(time).updates(of: ["r1"]).makeAsyncIterator()
    _ = try await updates.next()
    var connection = try await gateway.accept()
    connection.answer()
    connection.send("retry: 1000\n\n")
    connection.send("snapshot", Snapshot.of(nowMs: 1), id: "1")
    connection.send("retry: 417\n\n")
    connection.close()
    #expect(try await updates.next() == .connection(.open))
    #expect(try await updates.next() == .snapshot(.of(nowMs: 1)))
    #expect(
      try await updates.next() == .connection(.waiting(.milliseconds(917), because: "the gateway ended the stream")))
    await time.passBackoff()
    _ = try await updates.next()
    try await gateway.accept().breakOff("nobody is there")
    #expect(try await updates.next() == .connection(.waiting(.milliseconds(1417), because: "nobody is there")))
    await time.passBackoff()
    _ = try await updates.next()
    connection = try await gateway.accept()
    connection.answer()
    connection.send("snapshot", Snapshot.of(nowMs: 2), id: "2")
    #expect(try await updates.next() == .connection(.open))
    #expect(try await updates.next() == .snapshot(.of(nowMs: 2)))
    time.advance(by: .seconds(1))
    connection.breakOff()
    #expect(try await updates.next() == .connection(.waiting(.milliseconds(500), because: "the wire is cut")))
  }

  @Test func aStreamThatIsSilentForTooLongIsGivenUp() async throws {
    var options = GatewayClient.Options()
    options.silenceLimit = .seconds(20)
    var updates = gateway.client(time, options: options).updates(of: ["r1"]).makeAsyncIterator()
    _ = try await updates.next()
    let connection = try await gateway.accept()
    connection.answer()
    connection.send("snapshot", Snapshot.of(nowMs: 1), id: "1")
    _ = try await updates.next()
    _ = try await updates.next()
    await time.waitForSilence()
    // A keep-alive is no event, but it is a sign of life.
    time.advance(by: .seconds(15))
    connection.send(":\n\n")
    connection.send("command", Command.fly("w", atMs: 5), id: "2")
    #expect(try await updates.next() == .command(.fly("w", atMs: 5)))
    // The watch looks when the first twenty seconds are over, and then for the rest of those since.
    await time.passSilence()
    await time.passSilence()
    #expect(
      try await updates.next() == .connection(.waiting(.milliseconds(500), because: "nothing came for 20.0 seconds")))
    await connection.waitUntilGone()
    await time.passBackoff()
    _ = try await updates.next()
    #expect(try await gateway.accept().request.headers["Last-Event-ID"] == "2")
  }

  @Test func aTokenIsAskedForAtEachConnection() async throws {
    let count = Mutex(0)
    let client = gateway.client(time) {
      try count.withLock { count in
        count += 1
        if count == 2 { throw StreamBroken("logged out") }
        return "t\(count)"
      }
    }
    var updates = client.updates(of: ["r1"]).makeAsyncIterator()
    _ = try await updates.next()
    var connection = try await gateway.accept()
    #expect(connection.request.headers["Authorization"] == "Bearer t1")
    connection.breakOff()
    _ = try await updates.next()
    await time.passBackoff()
    _ = try await updates.next()
    #expect(
      try await updates.next()
        == .connection(.waiting(.seconds(1), because: "no token could be had: logged out")))
    await time.passBackoff()
    connection = try await gateway.accept()
    #expect(connection.request.headers["Authorization"] == "Bearer t3")
  }

  @Test(arguments: [
    (401, GatewayError.unauthorized("say who you are")), (403, .forbidden("say who you are")),
    (404, .notFound("say who you are")), (400, .refused(status: 400, "say who you are")),
  ]) func whatTryingAgainDoesNotMendIsThrown(status: Int, error: GatewayError) async throws {
    var updates = gateway.client(time).updates(of: ["r1"]).makeAsyncIterator()
    _ = try await updates.next()
    let connection = try await gateway.accept()
    connection.answer(status, type: "text/plain")
    connection.send("say who you are\n")
    connection.close()
    await #expect(throws: error) { try await updates.next() }
  }

  /// A provider that hangs, and heeds no cancellation, is as good as one that fails.
  @Test func aTokenThatDoesNotComeInTimeIsAskedForAgain() async throws {
    let hanging = HangingProvider()
    defer { hanging.end() }
    var updates = gateway.client(time, token: hanging.token).updates(of: ["r1"]).makeAsyncIterator()
    _ = try await updates.next()
    await time.passWait(of: .seconds(90))
    guard case .connection(.waiting, _) = try await updates.next() else { return #expect(Bool(false)) }
    await time.passBackoff()
    let connection = try await gateway.accept()
    #expect(connection.request.headers["Authorization"] == "Bearer t2")
  }

  @Test func roomsThatNoGatewayHasTogetherGetAStreamEach() async throws {
    var updates = gateway.client(time).updates(of: ["a", "b"]).makeAsyncIterator()
    _ = try await updates.next()
    let both = try await gateway.accept()
    both.answer(421, type: "text/plain")
    both.close()
    var told: Set<ID> = []
    for connection in [try await gateway.accept(), try await gateway.accept()] {
      let room = ID(connection.request.url.pathComponents[3])
      connection.answer()
      connection.send("snapshot", Snapshot.of(room, nowMs: 1), id: "1")
    }
    while told.count < 2, let update = try await updates.next() {
      if case .snapshot(let snapshot) = update { told.insert(snapshot.roomId) }
    }
    #expect(told == ["a", "b"])
  }

  /// One of two rooms, each with a stream of its own, is refused.
  @Test func aRoomThatIsRefusedSaysSoAndTheOthersGoOn() async throws {
    var updates = gateway.client(time).updates(of: ["a", "b"]).makeAsyncIterator()
    _ = try await updates.next()
    let both = try await gateway.accept()
    both.answer(421, type: "text/plain")
    both.close()
    var alone: [ID: ScriptedGateway.Connection] = [:]
    while alone.count < 2 {
      let connection = try await gateway.accept()
      alone[ID(connection.request.url.pathComponents[3])] = connection
    }
    alone["a"]?.answer(403, type: "text/plain")
    alone["a"]?.close()
    while let update = try await updates.next(), update != .connection(.refused(.forbidden("")), rooms: ["a"]) {}
    alone["b"]?.answer()
    alone["b"]?.send("snapshot", Snapshot.of("b", nowMs: 1), id: "1")
    while let update = try await updates.next(), update != .snapshot(.of("b", nowMs: 1)) {}

    alone["b"]?.close()
    await time.passBackoff()
    let again = try await gateway.accept()
    again.answer(401, type: "text/plain")
    again.close()
    await #expect(throws: GatewayError.unauthorized("")) { while try await updates.next() != nil {} }
  }

  @Test func aLoopThatEndsEndsItsStream() async throws {
    let client = gateway.client(time)
    let task = Task {
      for try await update in client.updates(of: ["r1"]) { if update == .connection(.open) { break } }
    }
    let connection = try await gateway.accept()
    connection.answer()
    try await task.value
    await connection.waitUntilGone()

    let cancelled = Task { for try await _ in client.updates(of: ["r1"]) {} }
    let second = try await gateway.accept()
    second.answer()
    cancelled.cancel()
    try await cancelled.value
    await second.waitUntilGone()
  }

  @Test func aResultIsToldOnceThoughTheGatewayTellsItAgain() async throws {
    func result(_ number: Int) -> RainResult {
      RainResult(
        id: "im.gifts/0/\(number)", roomId: "r1", eventId: "", rainId: "a", packet: number, userId: "7", outcome: "won",
        coins: 1)
    }
    var updates = gateway.client(time).updates(of: ["r1"], user: "7").makeAsyncIterator()
    for (round, told) in [[1, 2], [1, 2, 3]].enumerated() {
      #expect(try await updates.next() == .connection(.connecting))
      let connection = try await gateway.accept()
      connection.answer()
      for number in told { connection.send("result", result(number)) }
      #expect(try await updates.next() == .connection(.open))
      for number in round == 0 ? [1, 2] : [3] { #expect(try await updates.next() == .result(result(number))) }
      connection.breakOff()
      guard case .connection(.waiting, _) = try await updates.next() else { return #expect(Bool(false)) }
      await time.passBackoff()
    }
  }

  @Test func whatIsNotKnownIsPassedOver() async throws {
    var updates = gateway.client(time).updates(of: ["r1"]).makeAsyncIterator()
    _ = try await updates.next()
    let connection = try await gateway.accept()
    connection.answer()
    connection.send("event: fireworks\ndata: {}\n\nevent: command\ndata: {\"roomId\":7}\n\ndata: hello\n\n")
    connection.send("result", ["oops": 1])
    connection.send("snapshot", Snapshot.of(nowMs: 5), id: "1")
    #expect(try await updates.next() == .connection(.open))
    #expect(try await updates.next() == .snapshot(.of(nowMs: 5)))
  }
}
