package import RoomScreen

/// The events that a client missed before it came back.
package enum Missed<Events> {
  case events(Events)
  /// The client has come further than is known here; that may change soon.
  case ahead
  /// Nobody can tell: too many are missing, or it is too long ago, or another topic.
  case unknown
}

extension Missed: Sendable where Events: Sendable {}
extension Missed: Equatable where Events: Equatable {}

extension CommandHistory {
  /// Commands of `rooms` after `position`. Takes as long as there are commands of theirs, whatever else came.
  ///
  /// - Parameters:
  ///   - end: only entries before this number count.
  ///   - limit: how many may be missed.
  package func missed(
    since position: PartitionPosition, before end: Int, of rooms: [ID], limit: Int
  ) -> Missed<[HistoryEntry]> {
    switch place(after: position) {
    case .ahead: return .ahead
    case .unknown: return .unknown
    case .number(let first) where first > end: return .ahead
    case .number(let first):
      var numbers: [Int] = []
      for room in rooms {
        var next = lastNumber(of: room)
        while let at = next, at >= first {
          if at < end {
            if numbers.count == limit || entry(at).needsSnapshot { return .unknown }
            numbers.append(at)
          }
          next = previous(at)
        }
      }
      return .events(numbers.sorted().map { entry($0) })
    }
  }
}
