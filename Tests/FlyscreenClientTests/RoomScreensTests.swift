import FlyscreenClient
import Testing

@Suite(.timeLimit(.minutes(15))) struct RoomScreensTests {
  private let gateway = ScriptedGateway()
  private let time = ManualTime()

  @Test func aScreenIsWhatItsCommandsDraw() async throws {
    var screens = gateway.client(time).screens(of: "r1").makeAsyncIterator()
    let connection = try await gateway.accept()
    connection.answer()
    connection.send("snapshot", Snapshot.of(nowMs: 1000, .fly("v", atMs: 500)), id: "1")
    #expect(try await screens.next()?.banners.map(\.wishId) == ["v"])
    connection.send("command", Command.fly("w", atMs: 1100), id: "2")
    #expect(try await screens.next()?.banners.map(\.wishId) == ["v", "w"])
    connection.send("snapshot", Snapshot.of(nowMs: 900), id: "3")
    let screen = try await screens.next()
    #expect(screen?.banners.isEmpty == true && screen?.roomId == "r1")
  }

  @Test func aScreenIsAsItIsWhenItIsTaken() async throws {
    var screens = gateway.client(time).screens(of: "r1").makeAsyncIterator()
    let connection = try await gateway.accept()
    connection.answer()
    connection.send("snapshot", Snapshot.of(nowMs: 1000, .fly("v", atMs: 500)), id: "1")
    #expect(try await screens.next()?.nowMs == 1000)
    time.advance(by: .milliseconds(5600))
    connection.send("command", Command.fly("w", atMs: 2000), id: "2")
    let screen = try await screens.next()
    #expect(screen?.nowMs == 6600 && screen?.banners.map(\.wishId) == ["w"], "one has landed by now")
  }

  @Test func `a view that no command ends is over after the gateway's span, also without a stream`() async throws {
    var screens = gateway.client(time).screens(of: "r1").makeAsyncIterator()
    let connection = try await gateway.accept()
    connection.answer()
    var snapshot = Snapshot.of(
      nowMs: 1000,
      Command(
        roomId: "r1", id: "g/0/1/0", atMs: 900,
        body: .giftShow(
          .init(comboId: "g/0/1", lane: 0, sender: .init(userId: "1"), giftId: "rose", total: 1, enterMs: 250))))
    snapshot.staleAfterMs = 2300
    connection.send("snapshot", snapshot, id: "1")
    #expect(try await screens.next()?.gifts.count == 1)
    connection.close()
    await time.passWait(of: .milliseconds(2200))
    let screen = try await screens.next()
    #expect(screen?.gifts.isEmpty == true && screen?.isStalled == true && screen?.nowMs == 3200)
  }

  @Test func theLatestCountsForEachRoom() async throws {
    let client = gateway.client(time)
    var updates = client.screens(of: ["a", "b"]).makeAsyncIterator()
    let connection = try await gateway.accept()
    connection.answer()
    connection.send("snapshot", Snapshot.of("a", nowMs: 1000), id: "1")
    connection.send("snapshot", Snapshot.of("b", nowMs: 1000), id: "2")
    for time in 0..<100 as Range<Int64> {
      connection.send("command", Command.fly("w", atMs: 1001 + time, room: "a"), id: "3")
    }
    connection.send("command", Command.fly("last", atMs: 2000, room: "b"), id: "4")
    var counts: [ID: Int] = [:]
    var looks = 0
    while counts != ["a": 100, "b": 1], let screen = try await updates.next() {
      counts[screen.roomId] = screen.banners.count
      looks += 1
    }
    #expect(looks <= 102)
  }

  @Test func aReaderThatIsTooSlowGetsASnapshotOfWhatItMissed() async throws {
    var options = GatewayClient.Options()
    options.updateLimit = 10
    let client = gateway.client(time, options: options)
    var updates = client.updates(of: ["r1"]).makeAsyncIterator()
    let connection = try await gateway.accept()
    connection.answer()
    connection.send("snapshot", Snapshot.of(nowMs: 1000), id: "1")
    for time in 0..<1000 as Range<Int64> { connection.send("command", Command.fly("w", atMs: 1001 + time), id: "2") }
    connection.close()
    // Nothing is read before all was said.
    await time.waitForBackoff()
    var screen = Screen("r1")
    var commands = 0
    reading: while let update = try await updates.next() {
      switch update {
      case .snapshot(let snapshot): screen.reset(to: snapshot)
      case .command(let command):
        screen.apply(command)
        commands += 1
      case .connection(.waiting, _): break reading
      case .connection, .pace, .result: break
      }
    }
    #expect(screen.banners.count == 1000, "nothing is lost for the picture")
    #expect(commands <= 10, "the queue is bounded")
  }

  @Test func withALagACommandIsShownAtItsTime() async throws {
    var options = GatewayClient.Options()
    options.lag = .milliseconds(300)
    var screens = gateway.client(time, options: options).screens(of: "r1").makeAsyncIterator()
    let connection = try await gateway.accept()
    connection.answer()
    connection.send("snapshot", Snapshot.of(nowMs: 1000, .fly("v", atMs: 500)), id: "1")
    #expect(try await screens.next()?.banners.count == 1)
    time.advance(by: .milliseconds(200))
    connection.send("command", Command.fly("w", atMs: 1100), id: "2")
    // It is 1200, and 900 is shown.
    await time.passBackoff()
    let screen = try await screens.next()
    #expect(screen?.banners.map(\.wishId) == ["v", "w"] && screen?.nowMs == 1100)
  }

  @Test func aReaderIsBehindByWhatItHasNotTaken() throws {
    let feed = Feed(updates: 10, time: time.timekeeper)
    func add(_ numbers: Range<Int64>) { for number in numbers { feed.add(.snapshot(.of(nowMs: number))) } }
    func take() throws -> Int64? {
      guard case .snapshot(let snapshot)? = try feed.takeUpdate() else { return nil }
      return snapshot.nowMs
    }
    add(0..<8)
    for number in Int64(0)..<4 { #expect(try take() == number) }
    add(8..<14)
    for number in Int64(4)..<14 { #expect(try take() == number, "ten wait, as many as may") }
    add(14..<25)
    #expect(try take() == 24, "one more, and it gets how things are now")
    #expect(try take() == nil)
  }

  @Test func whatWasSaidBeforeARefusalComesFirst() throws {
    let feed = Feed(updates: 10, time: time.timekeeper)
    feed.add(.snapshot(.of(nowMs: 1000)))
    feed.end(.unauthorized("expired"))
    #expect(try feed.takeUpdate() == .snapshot(.of(nowMs: 1000)))
    #expect(try feed.takeScreen()?.nowMs == 1000)
    #expect(throws: GatewayError.unauthorized("expired")) { try feed.takeUpdate() }
    #expect(throws: GatewayError.unauthorized("expired")) { try feed.takeScreen() }
  }
}
