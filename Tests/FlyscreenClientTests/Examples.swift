import FlyscreenClient
import Foundation

#if canImport(SwiftUI)
  import SwiftUI
#endif

/// The documentation's examples, compiled. `ExampleTests` sees that they are the same.
enum Examples {
  struct Session {
    func token() async throws -> String? { nil }
    func signIn() async {}
  }

  static func screens(_ session: Session) async throws {
    let client = GatewayClient(URL(string: "https://gateway.example")!) { try await session.token() }
    for try await screen in client.screens(of: "r1") {
      for view in screen.gifts { print("lane \(view.lane): \(view.sender.name) \(view.giftName) ×\(view.count)") }
      for banner in screen.banners { print("track \(banner.track): \(banner.text) ♥\(banner.likes)") }
    }
  }

  static func frame(_ screen: Screen, _ clock: LogClock, draw: (String, _ x: Int64, _ row: Int) -> Void) {
    let nowMs = clock.nowMs
    var frame = screen
    frame.advance(to: nowMs)
    for banner in frame.banners {
      draw(banner.text, banner.left(atMs: nowMs, width: banner.width, stageWidth: 375), banner.track)
    }
    for drop in frame.rains.flatMap(\.drops) {
      let fallen = drop.fallen(atMs: nowMs)
      let x = Int64(drop.x) + Int64(drop.toX - drop.x) * fallen / 1000
      draw("packet \(drop.packet)", x * 375 / 1000, Int(fallen))
    }
  }

  static func clock(_ banner: Banner, _ clock: LogClock) -> Int64 {
    banner.left(atMs: clock.nowMs, width: banner.width, stageWidth: 375)
  }

  static func sending(_ gateway: URL, _ session: Session) async {
    var options = GatewayClient.Options()
    options.sender = Command.Sender(userId: "7", name: "阿花")
    let client = GatewayClient(gateway, options: options) { try await session.token() }
    do throws(SendError) {
      try await client.send(wish: "all the best", to: "r1")
      try await client.send(gift: OutgoingGift(giftId: "rose", value: 10, count: 66), to: "r1")
      let result = try await client.grab(packet: 3, of: "rain-1", in: "r1")
      print("\(result.outcome): \(result.coins) coins")
    } catch {
      print("not taken: \(error)")
    }
  }

  static func updates(_ client: GatewayClient, _ session: Session) async throws {
    var screens: [ID: Screen] = [:]
    do {
      for try await update in client.updates(of: ["r1", "r2"], user: "7") {
        switch update {
        case .snapshot(let snapshot): screens[snapshot.roomId, default: Screen(snapshot.roomId)].reset(to: snapshot)
        case .command(let command): screens[command.roomId]?.apply(command)
        case .result(let result): print("packet \(result.packet): \(result.outcome), \(result.coins) coins")
        case .connection(.waiting(_, let reason), let rooms): print("\(rooms): \(reason)")
        case .connection, .pace: break
        }
      }
    } catch GatewayError.unauthorized {
      await session.signIn()
    }
  }
}

#if canImport(SwiftUI)
  @MainActor private let client = GatewayClient(URL(string: "https://gateway.example")!)

  private struct StageView: View {
    init(_ screen: Screen?, nowMs: Int64) {}

    var body: some View { EmptyView() }
  }

  private struct RoomsView: View {
    let room, roomAbove, roomBelow: ID

    @State private var rooms = LiveRooms(client)

    var body: some View {
      TimelineView(.animation) { _ in StageView(rooms.screen(of: room), nowMs: rooms.nowMs(in: room)) }
        .task(id: room) { rooms.follow([room, roomAbove, roomBelow]) }
    }
  }
#endif
