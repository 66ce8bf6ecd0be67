import FlyscreenClient
import Foundation
import TestSupport
import Testing

/// Rooms of different bytes are two to a client, however alike they look.
@MainActor @Suite(.timeLimit(.minutes(15))) struct LookAlikeTests {
  /// Each byte of it, percent-encoded if it is no letter or digit.
  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      if byte < 128, character.isLetter || character.isNumber { return String(character) }
      return String(format: "%%%02X", byte)
    }.joined()
  }

  @Test func eachRoomHasItsOwnScreenAndAddress() async throws {
    let pairs = LookAlikes.pairs(seed: 5, count: 40)
    #expect(pairs.contains { $0.0 == $0.1 })
    for (one, other) in pairs {
      let gateway = ScriptedGateway()
      var updates = gateway.client(ManualTime()).updates(of: [ID(one), ID(other)]).makeAsyncIterator()
      _ = try await updates.next()
      let stream = try await gateway.accept()
      #expect(stream.request.url.absoluteString.hasSuffix("?rooms=\(Self.encoded(one)),\(Self.encoded(other))"))
      stream.answer()
      var screens: [ID: Screen] = [:]
      for (room, wish) in [(one, "w"), (other, "v")] {
        stream.send("snapshot", Snapshot.of(ID(room), nowMs: 1, .fly(ID(wish), atMs: 1, room: ID(room))), id: "1")
      }
      while screens.count < 2, let update = try await updates.next() {
        if case .snapshot(let snapshot) = update {
          screens[snapshot.roomId, default: Screen(snapshot.roomId)].reset(to: snapshot)
        }
      }
      #expect(screens[ID(one)]?.banners.map(\.wishId) == ["w"])
      #expect(screens[ID(other)]?.banners.map(\.wishId) == ["v"])
    }
  }

  #if canImport(Observation)
    @Test func liveRoomsKeepsThemApart() async throws {
      let (one, other): (ID, ID) = ("\u{E9}", "e\u{301}")
      let gateway = ScriptedGateway()
      let rooms = LiveRooms(gateway.client(ManualTime()))
      rooms.follow([one])
      _ = try await gateway.accept()
      rooms.follow([other])
      let stream = try await gateway.accept()
      #expect(stream.request.url.absoluteString.hasSuffix("/rooms/e%CC%81/commands"), "another room is followed")
    }
  #endif
}
