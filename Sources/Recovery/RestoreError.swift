/// A reason why a partition's rooms can't be restored.
package enum RestoreError: Error, Equatable, CustomStringConvertible {
  /// The metadata of a committed offset or of a savepoint.
  case metadata(String)
  /// The same, not as it was written.
  case damagedMetadata
  case checkpoint(String)
  case journal
  /// It was a line of a journal once, and is not as it was written.
  case damagedLine
  /// A later version of the program wrote it.
  case newer(String)

  package var description: String {
    switch self {
    case .metadata(let text): "the commit can't be read: \(text.prefix(80))"
    case .damagedMetadata: "the commit is damaged"
    case .checkpoint(let why): "the saved state of a room can't be read: \(why)"
    case .journal: "it is no line of a journal"
    case .damagedLine: "it is a damaged line of a journal"
    case .newer(let what): "it is \(what)"
    }
  }
}
