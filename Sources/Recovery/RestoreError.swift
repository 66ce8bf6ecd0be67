package import RoomEngine

/// Why a partition's rooms can't be restored.
package enum RestoreError: Error, Equatable, CustomStringConvertible {
  /// What stands beside a committed offset, or in a savepoint.
  case metadata(String)
  case checkpoint(String)
  case journal
  case state(room: String, StateError)

  package var description: String {
    switch self {
    case .metadata(let text): "what was committed can't be read: \(text.prefix(80))"
    case .checkpoint(let why): "the saved state of a room can't be read: \(why)"
    case .journal: "it is no line of a journal"
    case .state(let room, let why): "the saved state of room \(room) can't be read: \(why)"
    }
  }
}
