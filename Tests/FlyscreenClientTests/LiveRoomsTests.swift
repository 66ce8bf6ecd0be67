import FlyscreenClient
import Foundation
import Observation
import Testing

@MainActor @Suite(.timeLimit(.minutes(15))) struct LiveRoomsTests {
  private let gateway = ScriptedGateway()
  private let time = ManualTime()

  private func connection() async throws -> ScriptedGateway.Connection {
    let connection = try await gateway.accept()
    connection.answer()
    return connection
  }

  /// Does what a view does: looks again when something that it looked at has changed.
  private func wait(until condition: () -> Bool) async {
    while !condition(), !Task.isCancelled {
      let (changed, bell) = AsyncStream<Void>.makeStream()
      withObservationTracking {
        _ = condition()
      } onChange: {
        bell.finish()
      }
      for await _ in changed {}
    }
  }

  @Test func aViewSeesWhatIsOnTheScreensOfItsRooms() async throws {
    let rooms = LiveRooms(gateway.client(time))
    rooms.follow(["a", "b"])
    let stream = try await connection()
    stream.send("snapshot", Snapshot.of("a", nowMs: 1000), id: "1")
    await wait { rooms.screen(of: "a") != nil }
    #expect(rooms.connections == ["a": .open, "b": .open] && rooms.screen(of: "b") == nil && rooms.nowMs(in: "b") == 0)
    stream.send("command", Command.fly("w", atMs: 1100, room: "a"), id: "2")
    await wait { rooms.screen(of: "a")?.banners.count == 1 }
    time.advance(by: .milliseconds(250))
    #expect(rooms.nowMs(in: "a") == 1350)
  }

  @Test func withALagACommandIsShownAtItsTime() async throws {
    var options = GatewayClient.Options()
    options.lag = .milliseconds(300)
    let rooms = LiveRooms(gateway.client(time, options: options))
    rooms.follow(["a"])
    let stream = try await connection()
    stream.send("snapshot", Snapshot.of("a", nowMs: 1000), id: "1")
    stream.send("command", Command.fly("v", atMs: 950, room: "a"), id: "2")
    stream.send("command", Command.fly("w", atMs: 1000, room: "a"), id: "3")
    await time.passBackoff()
    await wait { rooms.screen(of: "a")?.banners.map(\.wishId) == ["v"] }
    #expect(rooms.nowMs(in: "a") == 950)
    await time.passBackoff()
    await wait { rooms.screen(of: "a")?.banners.map(\.wishId) == ["v", "w"] }
  }

  @Test func aSwitchWaitsForNoNetwork() async throws {
    let rooms = LiveRooms(gateway.client(time))
    rooms.follow(["a", "b"])
    let first = try await connection()
    for room in ["a", "b"] as [ID] { first.send("snapshot", Snapshot.of(room, nowMs: 1000), id: "1") }
    await wait { rooms.screens.count == 2 }

    rooms.follow(["b", "c"])
    #expect(rooms.screen(of: "b") != nil, "the neighbour's screen was there already")
    #expect(rooms.screen(of: "a") == nil)
    let second = try await connection()
    #expect(second.request.url.query() == "rooms=b,c")
    // The old stream goes on until the new one has told the room.
    first.send("command", Command.fly("v", atMs: 1100, room: "b"), id: "2")
    await wait { rooms.screen(of: "b")?.banners.map(\.wishId) == ["v"] }
    second.send("snapshot", Snapshot.of("b", nowMs: 1200, .fly("v", atMs: 1100, room: "b")), id: "1")
    second.send("command", Command.fly("w", atMs: 1300, room: "b"), id: "2")
    await wait { rooms.screen(of: "b")?.banners.map(\.wishId) == ["v", "w"] }
    // The old one's last words of it are not drawn twice.
    first.send("command", Command.fly("x", atMs: 1400, room: "b"), id: "3")
    second.send("snapshot", Snapshot.of("c", nowMs: 1500), id: "3")
    await wait { rooms.screen(of: "c") != nil }
    await first.waitUntilGone()
    #expect(rooms.screen(of: "b")?.banners.map(\.wishId) == ["v", "w"])
  }

  @Test func whoSwipesOnBeforeAnythingCameIsNotKeptWaiting() async throws {
    let rooms = LiveRooms(gateway.client(time))
    rooms.follow(["a"])
    let first = try await connection()
    rooms.follow(["b"])
    await first.waitUntilGone()
    let second = try await connection()
    second.send("snapshot", Snapshot.of("b", nowMs: 1000), id: "1")
    await wait { rooms.screen(of: "b") != nil }
    rooms.follow([])
    #expect(rooms.screens.isEmpty)
    await second.waitUntilGone()
  }

  @Test func aRefusalIsShownAndMayBeTriedAgain() async throws {
    let rooms = LiveRooms(gateway.client(time))
    rooms.follow(["a"])
    let first = try await gateway.accept()
    first.answer(403, type: "text/plain")
    first.close()
    await wait { rooms.connections["a"] == .refused(.forbidden("")) }
    rooms.follow(["a"])
    #expect(rooms.connections.isEmpty)
    let second = try await connection()
    second.send("snapshot", Snapshot.of("a", nowMs: 1000), id: "1")
    await wait { rooms.screen(of: "a") != nil }
  }

  @Test func whoAsksForItNeedNotWait() async throws {
    let rooms = LiveRooms(gateway.client(time))
    rooms.follow(["a"])
    let first = try await connection()
    first.send("snapshot", Snapshot.of("a", nowMs: 1000), id: "7")
    first.breakOff()
    await time.waitForBackoff()
    rooms.retryNow()
    let second = try await gateway.accept()
    #expect(second.request.headers["Last-Event-ID"] == "7", "it goes on where it was")
    second.answer(401, type: "text/plain")
    second.close()
    await wait { rooms.connections["a"] == .refused(.unauthorized("")) }
    #expect(rooms.screen(of: "a") != nil)
    rooms.retryNow()
    let third = try await connection()
    third.send("snapshot", Snapshot.of("a", nowMs: 2000), id: "8")
    await wait { rooms.connections["a"] == .open }
  }

  @Test func aNeighbourThatIsRefusedTroublesNoOther() async throws {
    let rooms = LiveRooms(gateway.client(time))
    rooms.follow(["a"])
    let first = try await connection()
    first.send("snapshot", Snapshot.of("a", nowMs: 1000), id: "1")
    await wait { rooms.screen(of: "a") != nil }
    rooms.follow(["a", "b"])
    let second = try await gateway.accept()
    second.answer(403, type: "text/plain")
    second.close()
    await wait { rooms.connections["b"] == .refused(.forbidden("")) }
    #expect(rooms.connections["a"] == .open)
    first.send("command", Command.fly("v", atMs: 1100, room: "a"), id: "2")
    await wait { rooms.screen(of: "a")?.banners.count == 1 }
  }

  @Test func aGrabsResultIsToldOnce() async throws {
    let rooms = LiveRooms(gateway.client(time), user: "u")
    rooms.follow(["a"])
    let stream = try await connection()
    #expect(stream.request.url.query() == "user=u")
    let result = """
      event: result
      data: {"id":"t/0/1","roomId":"a","eventId":"e","rainId":"x","packet":3,"userId":"u","outcome":"won","coins":4}


      """
    stream.send(result + result)
    stream.send("snapshot", Snapshot.of("a", nowMs: 1000), id: "1")
    await wait { rooms.screen(of: "a") != nil }
    #expect(rooms.results.map(\.coins) == [4] && rooms.results.map(\.outcome) == ["won"])
  }

  @Test func whoIsGoneReadsNoMore() async throws {
    var rooms: LiveRooms? = LiveRooms(gateway.client(time))
    rooms?.follow(["a"])
    let stream = try await connection()
    rooms = nil
    await stream.waitUntilGone()
  }
}
