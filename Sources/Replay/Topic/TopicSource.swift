import Kafka
internal import RoomModel
package import RoomScreen

/// A part of an input topic from the broker, as it lies there: each partition first with the state of its rooms, if it
/// begins in the middle, then its records and its journal, each line where it happened.
package final class TopicSource: LogSource {
  /// The order of the partitions.
  package enum Order: Sendable {
    /// One after the other, so one alone takes memory.
    case oneByOne
    /// The line of the least time first.
    case byTime
  }

  private let sources: [PartitionSource]
  private let order: Order
  /// The next line of each partition, by time; nil at its end; before the first line none.
  private var heads: [LogLine?] = []
  private var times: [LogTime?] = []
  private var current = 0

  package init(
    _ ranges: [PartitionRange], room: ID? = nil, order: Order = .oneByOne, _ logs: any LogStore
  ) throws {
    // Each has a journal beside it.
    let connection = try logs.connect(streams: order == .byTime ? 2 * ranges.count : 2)
    sources = ranges.map { PartitionSource($0, room: room, connection) }
    self.order = order
  }

  package func next() throws -> LogLine? {
    switch order {
    case .oneByOne:
      while current < sources.count {
        if let line = try sources[current].next() { return line }
        sources[current].close()
        current += 1
      }
      return nil
    case .byTime:
      if heads.isEmpty {
        heads = try sources.map { try $0.next() }
        times = heads.map { $0?.time }
      } else {
        heads[current] = try sources[current].next()
        times[current] = heads[current]?.time
      }
      var least: LogTime?
      for (i, time) in times.enumerated() {
        guard let time, time < least ?? .max else { continue }
        least = time
        current = i
      }
      return least == nil ? nil : heads[current]
    }
  }

  package func records(while isTaken: (StoredRecord) -> Bool) throws {
    guard order == .oneByOne, current < sources.count else { return }
    try sources[current].records(while: isTaken)
  }

  package var place: LinePlace { sources.isEmpty ? .nowhere : sources[min(current, sources.count - 1)].place }

  package var warnings: [String] { sources.flatMap(\.warnings) }

  package var progress: Double {
    let all = sources.reduce(0) { $0 + $1.range.offsets.count }
    return all == 0 ? 1 : Double(sources.reduce(0) { $0 + $1.done }) / Double(all)
  }
}

extension LogLine {
  /// The line's time; a line without one comes in its turn.
  fileprivate var time: LogTime {
    switch content {
    case .record(let record): record.timestampMs
    case .firedTo(let time, _): time
    case .settings, .state, .doubt: .min
    }
  }
}
