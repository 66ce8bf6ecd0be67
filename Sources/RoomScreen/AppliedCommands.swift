/// How far each log has come on a screen, so that a command that comes again is told by its id.
///
/// A room's commands come from as many logs as topics tell of it. Within one, offsets, places and times only grow.
struct AppliedCommands: Sendable, Hashable {
  private struct Mark: Sendable, Hashable {
    /// `topic/partition`
    let log: String
    var offset: Int64
    var place: Int64
    var atMs: Int64
  }

  private var marks: [Mark] = []

  /// - Returns: whether it is new. What has no id of this form is.
  mutating func insert(_ id: String, atMs: Int64) -> Bool {
    guard let id = CommandID(id) else { return true }
    guard let index = marks.firstIndex(where: { id.isOf($0.log) }) else {
      marks.append(Mark(log: String(id.log), offset: id.offset, place: id.place, atMs: atMs))
      return true
    }
    let last = marks[index]
    // A topic that was made anew counts from 0 again, but later.
    if (id.offset, id.place) <= (last.offset, last.place), atMs <= last.atMs { return false }
    marks[index].offset = id.offset
    marks[index].place = id.place
    marks[index].atMs = atMs
    return true
  }
}
