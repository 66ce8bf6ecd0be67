package import RoomEngine
import RoomModel

extension PartitionLog {
  /// Writes the rooms that have changed since the last call, each by its name.
  package mutating func writeChanged(into states: inout [String: [UInt8]]) {
    var rooms: [RoomHandle] = []
    takeChangedRooms(into: &rooms)
    for room in rooms {
      var state: [UInt8] = []
      writeState(of: room, into: &state)
      states[roomId(room).description] = state
    }
  }

  /// Puts in rooms as they were written.
  package mutating func install(_ states: [String: [UInt8]]) throws {
    for (room, state) in states.sorted(by: { $0.key < $1.key }) {
      _ = try state.withUnsafeBytes { try install(room: Text(room), state: $0) }
    }
  }
}
