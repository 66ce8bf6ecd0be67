import FlyscreenClient
import Foundation
import Testing

/// A viewer's actions, and their fates.
@Suite(.timeLimit(.minutes(15))) struct SendingTests {
  private let gateway = ScriptedGateway()
  private let time = ManualTime()

  private struct Posted: Decodable {
    struct Grab: Decodable {
      let rainId, userId: ID
      let packet: Int
    }

    struct Wish: Decodable {
      let wishId: ID
      let text: String
    }
    let eventId: ID
    let rainGrab: Grab?
    let wish: Wish?
  }

  private var client: GatewayClient {
    var options = GatewayClient.Options()
    options.sender = .init(userId: "7")
    return gateway.client(time, options: options)
  }

  private func take(_ connection: ScriptedGateway.Connection) throws -> Posted {
    try JSONDecoder().decode(Posted.self, from: try #require(connection.request.body))
  }

  @Test func aGrabsAnswerIsAwaited() async throws {
    let client = client
    var updates = client.updates(of: ["r1"], user: "7").makeAsyncIterator()
    _ = try await updates.next()
    let stream = try await gateway.accept()
    stream.answer()
    async let answer = client.grab(packet: 3, of: "a", in: "r1")
    let connection = try await gateway.accept()
    let posted = try take(connection)
    #expect(posted.rainGrab?.rainId == "a" && posted.rainGrab?.packet == 3 && posted.rainGrab?.userId == "7")
    connection.deliver()
    let result = RainResult(
      id: "im.gifts/0/9", roomId: "r1", eventId: posted.eventId, rainId: "a", packet: 3, userId: "7", outcome: "won",
      coins: 5)
    stream.send("result", result)
    #expect(try await answer == result)
  }

  @Test func aGrabWhoseAnswerDoesNotComeIsAskedFor() async throws {
    let client = client
    async let answer = client.grab(packet: 3, of: "a", in: "r1")
    try await gateway.accept().deliver()
    await time.passWait(of: .seconds(3))
    let asked = try await gateway.accept()
    #expect(asked.request.url.absoluteString == "https://gateway.example/live/rooms/r1/results?user=7")
    asked.answer(200, type: "application/json")
    asked.send(
      #"{"results":[{"id":"im.gifts/0/9","roomId":"r1","eventId":"x","rainId":"a","packet":3,"userId":"7","#
        + #""outcome":"won","coins":5}]}"#)
    asked.close()
    #expect(try await answer.coins == 5)
  }

  @Test func whatNobodyToldIsAnError() async throws {
    let client = client
    async let answer = client.grab(packet: 3, of: "a", in: "r1")
    try await gateway.accept().deliver()
    await time.passWait(of: .seconds(3))
    let asked = try await gateway.accept()
    asked.answer(404, type: "application/json")
    asked.close()
    await time.passBackoff()
    do {
      _ = try await answer
      Issue.record("there was no answer")
    } catch let error as SendError {
      #expect(error.cause == .noResult)
      #expect(error.mayHaveArrived)
    }
  }

  @Test func aTapThatNobodyAnswersIsOverAfterASecondAndMayHaveArrived() async throws {
    let client = client
    let tap = Task { () async -> SendError? in
      do throws(SendError) {
        try await client.tap(x: 1, y: 2, in: "r1")
        return nil
      } catch {
        return error
      }
    }
    _ = try await gateway.accept()
    let before = time.timekeeper.now()
    await time.passWait(of: .seconds(1))
    let error = try #require(await tap.value)
    #expect(error.cause == .unreachable && error.mayHaveArrived)
    #expect(time.timekeeper.now() - before == .seconds(1))
  }

  /// Events that fail side by side are one failure of the gateway, and wait as one would.
  @Test func manyThatFailAtOnceWaitAsLongAsOne() async throws {
    let (client, many) = (client, 40)
    let sending = (0..<many).map { _ in Task { try await client.like(wish: "w", in: "r1") } }
    defer { for one in sending { one.cancel() } }
    for wait in [Duration.milliseconds(400), .milliseconds(800), .milliseconds(1600)] {
      var connections: [ScriptedGateway.Connection] = []
      for _ in 0..<many { connections.append(try await gateway.accept()) }
      for connection in connections { connection.breakOff() }
      await time.waitForBackoffs(many)
      try #require(time.backoffsLeft == Array(repeating: wait, count: many))
      time.advance(by: wait)
    }
    for _ in 0..<many { try await gateway.accept().deliver() }
    for one in sending { _ = try await one.value }
  }

  /// One that failed before tells nothing new, but a wait that the gateway asks it for holds for all.
  @Test func aWaitThatIsAskedForHoldsForAll() async throws {
    let client = client
    let sending = (0..<2).map { _ in Task { try await client.like(wish: "w", in: "r1") } }
    defer { for one in sending { one.cancel() } }
    let (first, second) = (try await gateway.accept(), try await gateway.accept())
    first.breakOff()
    await time.waitForBackoffs(1)
    second.answer(429, type: "application/json", retryAfter: .seconds(3))
    second.close()
    await time.waitForBackoffs(2)
    try #require(time.backoffsLeft == [.milliseconds(400), .seconds(3)])
    time.advance(by: .milliseconds(400))
    await time.waitForBackoffs(2)
    try #require(time.backoffsLeft == [.milliseconds(2600), .milliseconds(2600)])
    time.advance(by: .milliseconds(2600))
    for _ in 0..<2 { try await gateway.accept().deliver() }
    for one in sending { _ = try await one.value }
  }

  /// A gateway that has taken an event is well again: the next that fails waits as the first did.
  @Test func oneThatArrivesEndsTheFailures() async throws {
    let client = client
    for waits in [[400, 800, 1600], [400, 800]] {
      let sending = Task { try await client.like(wish: "w", in: "r1") }
      defer { sending.cancel() }
      for wait in waits {
        try await gateway.accept().breakOff()
        await time.waitForBackoffs(1)
        try #require(time.backoffsLeft == [.milliseconds(wait)])
        time.advance(by: .milliseconds(wait))
      }
      try await gateway.accept().deliver()
      _ = try await sending.value
    }
  }

  /// A provider that hangs, and heeds no cancellation, keeps nobody.
  @Test(arguments: [true, false]) func anEventWaitsForATokenAsLongAsItMay(isCancelled: Bool) async throws {
    let hanging = HangingProvider()
    defer { hanging.end() }
    let client = gateway.client(time, token: hanging.token)
    let tap = Task { try await client.tap(x: 1, y: 2, in: "r1") }
    if isCancelled { tap.cancel() } else { await time.passWait(of: .seconds(1)) }
    do {
      _ = try await tap.value
      Issue.record("there was no token")
    } catch let error as SendError {
      #expect(error.cause == (isCancelled ? .cancelled : .tooLate) && !error.mayHaveArrived)
    }
  }

  @Test func whatIsRefusedHasNotArrived() async throws {
    let client = client
    async let tap = client.tap(x: 1, y: 2, in: "r1")
    let connection = try await gateway.accept()
    connection.answer(403, type: "application/json")
    connection.send(#"{"error":"kind_not_allowed","message":"no"}"#)
    connection.close()
    do {
      _ = try await tap
      Issue.record("it was refused")
    } catch let error as SendError {
      #expect(error.cause == .kindNotAllowed && !error.mayHaveArrived)
    }
  }

  #if canImport(Observation)
    /// Rooms that follow one, and the stream that told its snapshot.
    @MainActor private func following(_ snapshot: Snapshot) async throws -> (LiveRooms, ScriptedGateway.Connection) {
      let rooms = LiveRooms(client, user: "7")
      rooms.follow(["r1"])
      let stream = try await gateway.accept()
      stream.answer()
      stream.send("snapshot", snapshot, id: "1")
      return (rooms, stream)
    }

    @MainActor @Test func anOwnWishIsThereAtOnceUntilItFlies() async throws {
      let (rooms, stream) = try await following(Snapshot.of(nowMs: 1))
      let wish = Task { try await rooms.wish("hi", in: "r1") }
      let connection = try await gateway.accept()
      let posted = try take(connection)
      #expect(rooms.ownWishes["r1"]?.map(\.text) == ["hi"])
      connection.deliver()
      let id = try #require(posted.wish?.wishId)
      stream.send("command", Command.fly(id, atMs: 5), id: "2")
      #expect(try await wish.value)
      #expect(rooms.ownWishes.isEmpty)
    }

    /// An equal wish of another's flies just before, or begins while this one waits: this one is a like of it.
    @MainActor @Test(arguments: [true, false]) func anOwnWishThatJoinedAnEqualOneHasFlown(isBefore: Bool) async throws {
      let (rooms, stream) = try await following(Snapshot.of(nowMs: 1))
      if isBefore { stream.send("command", Command.fly("another", atMs: 5), id: "2") }
      let other = Task { try await rooms.wish("something else", in: "r1") }
      try await gateway.accept().deliver()
      let wish = Task { try await rooms.wish("hi", in: "r1") }
      try await gateway.accept().deliver()
      if !isBefore { stream.send("command", Command.fly("another", atMs: 5), id: "2") }
      #expect(try await wish.value)
      #expect(rooms.ownWishes["r1"]?.map(\.text) == ["something else"])
      other.cancel()
      _ = try? await other.value
    }

    /// A banner that has flown for so long, and one whose text only looks the same.
    @MainActor @Test(arguments: [(1, "\u{e9}"), (2, "e\u{301}")])
    func anOwnWishIsNoLikeOfAnotherThatOnlySeemsEqual(startMs: Int64, text: String) async throws {
      let (rooms, _) = try await following(Snapshot.of(nowMs: 3001, .fly("another", atMs: startMs, text: text)))
      while rooms.screens.isEmpty { await Task.yield() }
      let wish = Task { try await rooms.wish("\u{e9}", in: "r1") }
      try await gateway.accept().deliver()
      await time.passWait(of: .seconds(32))
      #expect(try await wish.value == false, "nothing was heard of it")
    }

    /// The cut may be inside of what is drawn as one character.
    @MainActor @Test func anOwnWishIsALikeOfOneThatIsCut() async throws {
      let (rooms, _) = try await following(Snapshot.of(nowMs: 3001, .fly("another", atMs: 2, text: "e…")))
      let wish = Task { try await rooms.wish("e\u{301}t\u{e9}", in: "r1") }
      try await gateway.accept().deliver()
      #expect(try await wish.value)
    }

    @MainActor @Test func anOwnWishHasFlownAlsoIfItsRoomEndsBeforeThatIsDrawn() async throws {
      var options = GatewayClient.Options()
      options.lag = .milliseconds(300)
      let client = gateway.client(time, options: options)
      let rooms = LiveRooms(client, user: "7")
      rooms.follow(["r1", "r2"])
      let stream = try await gateway.accept()
      stream.answer()
      stream.send("snapshot", Snapshot.of(nowMs: 1000), id: "1")
      let wish = Task { try await rooms.wish("hi", in: "r1") }
      let connection = try await gateway.accept()
      let id = try #require(try take(connection).wish?.wishId)
      connection.deliver()
      stream.send("command", Command.fly(id, atMs: 1001), id: "2")
      let end = Command(roomId: "r1", id: "im.wishes/2/41/0", atMs: 1001, body: .roomEnd(Command.RoomEnded()))
      stream.send("command", end, id: "3")
      stream.send("snapshot", Snapshot.of("r2", nowMs: 1000), id: "4")
      while rooms.screen(of: "r2") == nil { await Task.yield() }
      await time.waitForBackoff()
      time.advance(by: .milliseconds(400))
      #expect(try await wish.value)
    }

    @MainActor @Test func anOwnWishIsTakenBackIfItWasRefused() async throws {
      let (rooms, _) = try await following(Snapshot.of(nowMs: 1))
      let refused = Task { () async -> String in
        do throws(SendError) {
          _ = try await rooms.wish("ho", in: "r1")
          return "taken"
        } catch {
          return error.cause.description
        }
      }
      let connection = try await gateway.accept()
      connection.answer(403, type: "application/json")
      connection.send(#"{"error":"kind_not_allowed","message":"no"}"#)
      connection.close()
      #expect(await refused.value == "kind_not_allowed")
      #expect(rooms.ownWishes.isEmpty)
    }
  #endif
}
