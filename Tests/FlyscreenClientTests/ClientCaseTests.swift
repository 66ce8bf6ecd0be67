import FlyscreenClient
import Foundation
import Synchronization
import Testing

/// Files of Tests/ClientCases, which say what every client does.
func cases<Case: Decodable>(_ name: String, of type: Case.Type = Case.self) -> [Case] {
  let file = URL(filePath: #filePath).appending(path: "../../ClientCases/\(name)").standardized
  return try! JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
}

struct ComingBackCaseTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    struct End: Decodable, Sendable {
      let openMs, retryMs, retryAfterMs: Int64?
      let orderly: Bool?
      let waitMs: Int64
    }

    let about: String
    let limitMs: Int64
    let ends: [End]
    var testDescription: String { about }
  }

  @Test(arguments: cases("coming-back.json", of: Case.self)) func aStreamComesBack(one: Case) {
    var comeback = Comeback(first: .milliseconds(500), limit: .milliseconds(one.limitMs))
    let waits = one.ends.map { end in
      comeback.wait(
        after: .init(
          openFor: end.openMs.map { .milliseconds($0) }, isOrderly: end.orderly ?? false,
          retry: end.retryMs.map { .milliseconds($0) }, retryAfter: .milliseconds(end.retryAfterMs ?? 0)),
        share: 1)
    }
    #expect(waits == one.ends.map { .milliseconds($0.waitMs) })
  }
}

struct RetryAfterCaseTests {
  struct Case: Decodable, Sendable {
    let header: String
    let waitMs: Int64
  }

  @Test(arguments: cases("retry-after.json", of: Case.self)) func aRefusalAsksToWait(one: Case) {
    let wait = StreamHead.wait(retryAfter: one.header, now: Date(timeIntervalSince1970: 1_445_412_480))
    #expect(wait ?? .zero == .milliseconds(one.waitMs))
  }
}

@Suite(.timeLimit(.minutes(15))) struct SendingCaseTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    struct Answer: Decodable, Sendable {
      let status: Int?
      let retryAfterS: Int64?
      let body: [String: Value]?
      let text: String?
    }

    enum Value: Codable, Sendable {
      case text(String), number(Int64)

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
          self = .number(number)
        } else {
          self = .text(try container.decode(String.self))
        }
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        }
      }
    }

    let about: String
    let answers: [Answer]
    let tries: Int
    let leastWaitsMs: [Int64]?
    let outcome: String
    let token: String?
    var testDescription: String { about }
  }

  @Test(arguments: cases("sending.json", of: Case.self)) func anEventIsSent(one: Case) async throws {
    let gateway = ScriptedGateway()
    let time = ManualTime()
    let tokens = Mutex(0)
    let client = gateway.client(time) {
      guard let token = one.token else { return nil }
      return tokens.withLock { count in
        if token == "renewed" { count += 1 }
        return "t\(count)"
      }
    }
    async let outcome = sent { () async throws(SendError) in try await client.like(wish: "w", in: "r 1") }
    var bodies: Set<Data> = []
    for (number, answer) in one.answers.enumerated() {
      let before = time.timekeeper.now()
      if number > 0, one.answers[number - 1].status != 401 { await time.passBackoff() }
      let connection = try await gateway.accept()
      #expect(connection.request.url.absoluteString == "https://gateway.example/live/rooms/r%201/events")
      bodies.insert(try #require(connection.request.body))
      if number > 0, let least = one.leastWaitsMs?[number - 1] {
        #expect(time.timekeeper.now() - before >= .milliseconds(least))
      }
      guard let status = answer.status else {
        connection.breakOff()
        continue
      }
      connection.answer(status, type: "application/json", retryAfter: answer.retryAfterS.map { .seconds($0) })
      if let body = answer.body { connection.send(String(decoding: try JSONEncoder().encode(body), as: UTF8.self)) }
      if let text = answer.text { connection.send(text) }
      connection.close()
    }
    #expect(await outcome == one.outcome)
    #expect(bodies.count == 1, "one body, with one id")
    #expect(one.answers.count == one.tries)
  }

  private func sent(_ send: () async throws(SendError) -> SendReceipt) async -> String {
    do throws(SendError) {
      _ = try await send()
      return "delivered"
    } catch {
      return error.cause.description
    }
  }
}

@Suite(.timeLimit(.minutes(15))) struct RefusalCaseTests {
  struct Case: Decodable, Sendable {
    let status: Int
    let type: String?
    let ends: Bool
  }

  @Test(arguments: cases("refusals.json", of: Case.self)) func aStreamIsRefused(one: Case) async throws {
    let (gateway, time) = (ScriptedGateway(), ManualTime())
    var updates = gateway.client(time).updates(of: ["r1"]).makeAsyncIterator()
    _ = try await updates.next()
    let connection = try await gateway.accept()
    connection.answer(one.status, type: one.type ?? "application/json")
    connection.close()
    do throws(GatewayError) {
      guard case .connection(.waiting, _) = try await updates.next() else { return #expect(Bool(false)) }
      #expect(!one.ends)
      await time.passBackoff()
      #expect(try await updates.next() == .connection(.connecting))
    } catch {
      #expect(one.ends)
    }
  }
}

@Suite(.timeLimit(.minutes(15))) struct WakingCaseTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    struct Wait: Decodable, Sendable {
      let status: Int?
      let retryAfterS: Int64?
    }

    let about: String
    let wait: Wait
    let event, stream: Int?
    let call: String?
    let wakes: Bool
    var testDescription: String { about }
  }

  @Test(arguments: cases("waking.json", of: Case.self)) func aWaitEndsBeforeItsTime(one: Case) async throws {
    let gateway = ScriptedGateway()
    let time = ManualTime()
    let client = gateway.client(time)
    let (told, tell) = AsyncStream<Void>.makeStream()
    let following = Task {
      for try await update in client.updates(of: ["r1", "r2"]) { if case .snapshot = update { tell.finish() } }
    }
    defer { following.cancel() }
    let both = try await gateway.accept()
    both.answer(421, type: "application/json")
    both.close()
    var streams: [String: ScriptedGateway.Connection] = [:]
    for _ in 0..<2 {
      let stream = try await gateway.accept()
      streams[try #require(stream.request.url.pathComponents.dropLast().last)] = stream
    }
    let (first, other) = (try #require(streams["r1"]), try #require(streams["r2"]))
    if let status = one.wait.status {
      first.answer(status, type: "application/json", retryAfter: one.wait.retryAfterS.map { .seconds($0) })
      first.close()
    } else {
      first.breakOff()
    }
    await time.waitForBackoff()
    var sending: Task<Void, Never>?
    // Waits that there are when all is over if it was not woken: its own, and that of whatever failed beside it.
    var waits = 1
    if let event = one.event {
      sending = Task { _ = try? await client.like(wish: "w", in: "r1") }
      let posted = try await gateway.accept()
      if event == 202 {
        posted.deliver()
      } else if event > 0 {
        posted.answer(event, type: "application/json")
        posted.close()
      } else {
        posted.breakOff()
      }
      if event == 0 || event >= 500 { waits += 1 } else if event != 429 { await sending?.value }
    } else if let stream = one.stream {
      other.answer(stream, type: stream == 200 ? "text/event-stream" : "application/json")
      if stream != 200 {
        other.close()
        waits += 1
      } else {
        other.send("snapshot", Snapshot.of("r2", nowMs: 1), id: "1")
        for await _ in told {}
      }
    } else if one.call == "wake" {
      client.wake()
    } else {
      client.retryNow()
    }
    defer { sending?.cancel() }
    if one.wakes {
      #expect(try await gateway.accept().request.url.path == "/live/rooms/r1/commands")
    } else {
      await time.waitForBackoffs(waits)
      #expect(time.backoffs == waits)
    }
  }
}

#if canImport(Observation)
  @MainActor @Suite(.timeLimit(.minutes(15))) struct OwnWishCaseTests {
    enum Outcome: String, Decodable, Sendable { case waits, skipped, flies }

    struct Case: Decodable, Sendable, CustomTestStringConvertible {
      let about: String
      let told: [Told]
      let answered: Int?
      let snapshots: Bool?
      let outcome: Outcome
      var testDescription: String { about }
    }

    /// A command without its room and time.
    struct Told: Decodable, Sendable {
      let id: ID
      let skipped: Command.Skipped?
      let wishFly: Command.WishFly?

      func command(atMs: Int64) -> Command {
        let body =
          skipped.map { Command.Body.skipped($0) } ?? wishFly.map { .wishFly($0) } ?? .roomEnd(Command.RoomEnded())
        return Command(roomId: "r1", id: id, atMs: atMs, body: body)
      }
    }

    @Test(arguments: cases("own-wishes.json", of: Case.self)) func anOwnWishEnds(one: Case) async throws {
      let (gateway, time) = (ScriptedGateway(), ManualTime())
      let rooms = LiveRooms(gateway.client(time), user: "7")
      rooms.follow(["r1"])
      let stream = try await gateway.accept()
      stream.answer()
      stream.send("snapshot", Snapshot.of(nowMs: 1000), id: "1")
      let wish = Task { try await rooms.wish("hi", in: "r1") }
      let posted = try await gateway.accept()
      for (place, told) in one.told.enumerated() {
        if place == one.answered ?? 0 { await deliver(posted, time) }
        let command = told.command(atMs: 1001 + Int64(place))
        if one.snapshots == true {
          stream.send("snapshot", Snapshot.of(nowMs: command.atMs, command), id: "\(place + 2)")
        } else {
          stream.send("command", command, id: "\(place + 2)")
        }
        // What comes next is seen, so this has been, too.
        let next = Command.fly("next to \(place)", atMs: command.atMs, text: "something else")
        stream.send("command", next, id: "\(place + 2).")
        while rooms.screen(of: "r1")?.banners.last?.wishId != "next to \(place)" { await Task.yield() }
      }
      if one.told.count == one.answered { posted.deliver() }
      if one.outcome == .waits {
        await time.waitForWait(of: .seconds(32))
        #expect(rooms.ownWishes["r1"]?.count == 1)
        wish.cancel()
      }
      #expect(try await wish.value == (one.outcome == .flies))
      #expect(rooms.ownWishes.isEmpty)
    }

    private func deliver(_ posted: ScriptedGateway.Connection, _ time: ManualTime) async {
      posted.deliver()
      await time.waitForWait(of: .seconds(32))
    }
  }
#endif

struct PaceCaseTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    struct Step: Decodable, Sendable {
      let localMs: Int64
      let snapshot: Told?
      let pace: Told?
      let commandAtMs: Int64?
      let shownMs: Int64?
    }

    struct Told: Decodable, Sendable {
      let nowMs, lagMs: Int64?
    }

    let about: String
    let ownLagMs: Int64?
    let steps: [Step]
    var testDescription: String { about }
  }

  @Test(arguments: cases("pace.json", of: Case.self)) func aRoomIsShownAsFarBehindAsIsTold(one: Case) {
    let time = ManualTime()
    var room = PacedRoom("r1", lag: one.ownLagMs.map { .milliseconds($0) }, time: time.timekeeper)
    var localMs: Int64 = 0
    for step in one.steps {
      time.advance(by: .milliseconds(step.localMs - localMs))
      localMs = step.localMs
      if let told = step.snapshot {
        room.reset(to: Snapshot(roomId: "r1", nowMs: told.nowMs!, lagMs: told.lagMs, commands: []))
      }
      if let told = step.pace { room.follow(lagMs: told.lagMs) }
      if let atMs = step.commandAtMs {
        room.receive(Command(roomId: "r1", id: "", atMs: atMs, body: .likeBurst(.init(count: 1, points: []))))
      }
      if let shownMs = step.shownMs { #expect(room.nowMs == shownMs, "at \(localMs)") }
    }
  }
}
