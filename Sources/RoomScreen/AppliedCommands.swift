/// The position of each log on a screen. A command that comes again is known by its id.
///
/// A room's commands come from as many logs as topics tell of it. Within one, offsets, places and times only grow.
struct AppliedCommands: Sendable, Hashable {
  private struct Mark: Sendable, Hashable {
    /// `topic/partition`
    let log: ID
    var offset: Int64
    var place: Int64
    var atMs: Int64
  }

  private var marks: [Mark] = []

  /// Whether a command has not come. One whose id has another form never has.
  func isNew(_ id: ID, atMs: Int64) -> Bool { place(of: id, atMs: atMs).isNew }

  /// - Returns: whether it is new.
  mutating func insert(_ id: ID, atMs: Int64) -> Bool {
    let (isNew, index, mark) = place(of: id, atMs: atMs)
    guard isNew, let mark else { return isNew }
    if let index { marks[index] = mark } else { marks.append(mark) }
    return true
  }

  /// The last command of each log, by id.
  var position: [Snapshot.Mark] {
    marks.map { Snapshot.Mark(id: ID("\($0.log.string)/\($0.offset)/\($0.place)"), atMs: $0.atMs) }.sorted {
      $0.id < $1.id
    }
  }

  /// - Returns: whether the command is new, where the mark of its log is, and what it would be. No mark if its id has
  ///   another form.
  private func place(of id: ID, atMs: Int64) -> (isNew: Bool, index: Int?, mark: Mark?) {
    guard let parts = CommandID(id), let place = parts.place else { return (true, nil, nil) }
    let log = id.string.utf8.prefix(parts.logCount)
    guard let index = marks.firstIndex(where: { log.elementsEqual($0.log.string.utf8) }) else {
      return (true, nil, Mark(log: ID(String(Substring(log))), offset: parts.offset, place: place, atMs: atMs))
    }
    let last = marks[index]
    // A topic that was made anew counts from 0 again, but later.
    if (parts.offset, place) <= (last.offset, last.place), atMs <= last.atMs { return (false, index, nil) }
    return (true, index, Mark(log: last.log, offset: parts.offset, place: place, atMs: atMs))
  }
}
