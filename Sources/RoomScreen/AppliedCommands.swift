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

  /// - Returns: whether it is new. A command whose id has another form always is.
  mutating func insert(_ id: ID, atMs: Int64) -> Bool {
    guard let parts = CommandID(id), let place = parts.place else { return true }
    let log = id.string.utf8.prefix(parts.logCount)
    guard let index = marks.firstIndex(where: { log.elementsEqual($0.log.string.utf8) }) else {
      marks.append(Mark(log: ID(String(Substring(log))), offset: parts.offset, place: place, atMs: atMs))
      return true
    }
    let last = marks[index]
    // A topic that was made anew counts from 0 again, but later.
    if (parts.offset, place) <= (last.offset, last.place), atMs <= last.atMs { return false }
    marks[index].offset = parts.offset
    marks[index].place = place
    marks[index].atMs = atMs
    return true
  }
}
