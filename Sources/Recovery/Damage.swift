/// Something that a restore could not read, and went on without.
package enum Damage: Equatable, CustomStringConvertible {
  /// A room's saved state, or a part of it, at that offset of the changelog: the room begins anew.
  case room(String, at: Int64)
  /// Marks of events, at that offset of the changelog: those and earlier ones are not known.
  case marks(at: Int64)
  /// The line at that offset of the journal is left out.
  case journalLine(at: Int64)
  /// The batch that ends at that offset of the input was unpacked once, and is not now: its records are missing.
  case batch(through: Int64)
  /// No savepoint that is left has the mapping that the commit names: the records from `offset` on are read without it.
  case mapping(offset: Int64)
  /// The metadata of the committed offset: all rooms begin anew.
  case commit(offset: Int64)

  package var description: String {
    switch self {
    case .room(let id, let at): "the saved state of room \(id) is damaged (changelog offset \(at)): it begins anew"
    case .marks(let at):
      "the marks of events at changelog offset \(at) are damaged: events that came before may count again"
    case .journalLine(let at): "the journal's line at offset \(at) is damaged, and left out"
    case .batch(let last):
      "the batch that ends at offset \(last) unpacks to more than kafka.fetch.unpacked.max.bytes, which allowed it once:"
        + " its records are left out"
    case .mapping(let offset):
      "the changelog has no savepoint any more with the mapping of the last commit: the input from offset \(offset) to the"
        + " commit is read without it, so rooms lack what its messages did; keep the changelog as long as the input"
        + " (retention.ms)"
    case .commit(let offset): "the commit at offset \(offset) is damaged: its rooms begin anew"
    }
  }
}
