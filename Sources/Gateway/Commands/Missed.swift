/// What a client that comes back has missed.
package enum Missed<Events> {
  case events(Events)
  /// It has come further than is known here; that may change soon.
  case ahead
  /// That can't be told: it is too much, too long ago, or of another topic.
  case unknown
}

extension Missed: Sendable where Events: Sendable {}
extension Missed: Equatable where Events: Equatable {}

extension CommandHistory {
  /// Commands of `rooms` after `position`.
  ///
  /// - Parameters:
  ///   - end: only entries before this number count.
  ///   - limit: how many may be missed.
  package func missed(
    since position: PartitionPosition, before end: Int, of rooms: [String], limit: Int
  ) -> Missed<[HistoryEntry]> {
    switch place(after: position) {
    case .ahead: return .ahead
    case .unknown: return .unknown
    case .number(let number) where number > end: return .ahead
    case .number(let number):
      guard let all = entries(from: number) else { return .unknown }
      var missed: [HistoryEntry] = []
      // Of all rooms there may be a hundred times as many, and a whole gateway's clients come back at once.
      for entry in all.prefix(end - number) where rooms.contains(entry.room) {
        if missed.count == limit || entry.needsSnapshot { return .unknown }
        missed.append(entry)
      }
      return .events(missed)
    }
  }
}
