import RoomModel
package import RoomScreen

/// The rooms of a stream, and where they are.
package struct RoomList: Hashable, Sendable {
  /// Each once, sorted: who asks for the same rooms shares a channel.
  package let rooms: [ID]
  /// The partitions in whose states they are kept, ascending, each once.
  package let partitions: [Int32]
  /// Tells lists apart, and the topics they are of. 40 bits, since it is in every event.
  package let hash: UInt64

  /// - Parameter routing: must have a home for each.
  init(_ rooms: some Sequence<ID>, topic: String, _ routing: RoomRouting) {
    self.rooms = Set(rooms).sorted()
    partitions = Set(self.rooms.map { routing.home(of: $0)! }).sorted()
    let name = ([topic, String(routing.homes)] + self.rooms.map(\.string)).joined(separator: "\0")
    hash = max(1, fnv1a(name.utf8) & 0xff_ffff_ffff)
  }

  package static func == (a: RoomList, b: RoomList) -> Bool { a.rooms == b.rooms }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
