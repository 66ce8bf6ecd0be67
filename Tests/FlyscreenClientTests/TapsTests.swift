import FlyscreenClient
import Foundation
import Testing

struct TapsTests {
  private struct Posted: Decodable {
    struct Run: Decodable {
      struct Point: Decodable, Equatable { let x, y: Int }
      let userId, runId: ID
      let count: Int64
      let points: [Point]
    }
    let taps: Run
  }

  private let gateway = ScriptedGateway()
  private let time = ManualTime()

  private func taps() -> Taps {
    var options = GatewayClient.Options()
    options.sender = .init(userId: "7")
    return gateway.client(time, options: options).taps(in: "r1")
  }

  private func take() async throws -> Posted.Run {
    let connection = try await gateway.accept()
    defer { connection.deliver() }
    return try JSONDecoder().decode(Posted.self, from: try #require(connection.request.body)).taps
  }

  @Test func `a like is told by its run, a tap that is none is not`() async throws {
    let taps = taps()
    time.advance(by: .seconds(1))
    #expect([taps.tap(x: 1, y: 2), taps.tap(x: 3, y: 4)] == [false, true])
    #expect(try await take().points == [.init(x: 3, y: 4)])
  }

  @Test func `likes are told gathered, at most once a second, as how many there have been so far`() async throws {
    let taps = taps()
    taps.like(x: 1, y: 2)
    let first = try await take()
    #expect(first.count == 1 && first.userId == "7" && first.points == [.init(x: 1, y: 2)])
    time.advance(by: .milliseconds(400))
    for number in 0..<40 { taps.like(x: number, y: 0) }
    await time.passWait(of: .milliseconds(600))
    let second = try await take()
    #expect(second.count == 41 && second.runId == first.runId && second.points.count == 16)
    time.advance(by: .seconds(30))
    taps.like(x: 1, y: 2)
    let third = try await take()
    #expect(third.count == 1 && third.runId != first.runId)
  }
}
