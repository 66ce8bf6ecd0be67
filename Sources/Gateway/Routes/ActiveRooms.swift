import HTTP
import Platform
import RoomScreen
import Synchronization

/// Rooms where something happens: those with commands within the lookback, the busiest first. They are looked up once
/// a second at most, for all clients.
final class ActiveRooms: Sendable {
  private let known = Mutex<(atMs: Int64, rooms: [ID])>((.min, []))

  private static let freshMs: Int64 = 1000
  private static let kept = 1000

  func rooms(_ store: CommandStore) -> [ID] {
    known.withLock { known in
      let nowMs = MonotonicClock.nowMs()
      if known.atMs == .min || nowMs - known.atMs >= Self.freshMs {
        let routing = store.routing
        let all = store.served.flatMap { store.read($0) { $0.activity(nowMs: nowMs) } }
          .filter { routing.serves($0.room) }
        let busiest = all.sorted { $0.activity != $1.activity ? $0.activity > $1.activity : $0.room < $1.room }
        known = (nowMs, busiest.prefix(Self.kept).map(\.room))
      }
      return known.rooms
    }
  }
}
