package import RoomScreen

/// The cursors of one loop in the partitions that its gateway serves. News come out as a value, for the loop to hand to
/// its streams.
package struct PartitionCursors {
  package let store: CommandStore
  /// Results of grabs have been handed out up to this time; 0: none. Later positions of streams have it.
  package var resultsMs: Int64 = 0
  /// Cursors by partition; nil: not served.
  private var cursors: [Cursor?]

  private struct Cursor {
    /// The number of the next entry to be taken, in the partition's history.
    var number: Int
    /// The position of the last command that streams have been given.
    var position: PartitionPosition
  }

  private let clocks: GatewayClocks

  package init(_ store: CommandStore, _ clocks: GatewayClocks = .machine) {
    self.store = store
    self.clocks = clocks
    cursors = (0..<store.routing.homes).map { partition in
      guard store.serves(partition) else { return nil }
      return store.read(partition) { Cursor(number: $0.history.end, position: $0.history.position) }
    }
  }

  package func isBehind(_ partition: Int32) -> Bool { cursors[Int(partition)]!.number != store.end(of: partition) }

  /// Takes what has come since the last time, with the snapshots of those of `rooms` that are in this partition.
  package mutating func takeNews(of partition: Int32, snapshotsOf rooms: [ID] = []) -> PartitionNews {
    let routing = rooms.isEmpty ? nil : store.routing
    let here = rooms.filter { routing?.home(of: $0) == partition }
    let (monotonicMs, wallMs) = here.isEmpty ? (0, 0) : (clocks.monotonicMs(), clocks.wallMs())
    let number = cursors[Int(partition)]!.number
    let news = store.read(partition) {
      $0.news(from: number, snapshotsOf: here, monotonicMs: monotonicMs, wallMs: wallMs)
    }
    cursors[Int(partition)]!.number = news.end
    return news
  }

  /// Streams have been given what there is up to `position`.
  package mutating func advance(_ partition: Int32, to position: PartitionPosition) {
    cursors[Int(partition)]!.position = position
  }

  package func position(of partition: Int32) -> PartitionPosition { cursors[Int(partition)]!.position }

  package func position(of list: RoomList) -> StreamPosition {
    StreamPosition(list: list.hash, positions: list.partitions.map { position(of: $0) }, resultsMs: resultsMs)
  }

  /// Commands that a client gets when it comes back; if it missed more, a snapshot is shorter.
  private static let mostMissed = 2000
  /// Bytes of these commands: each such client has its own copy, whether it reads them or not.
  private static let mostMissedBytes = 131_072

  /// Finds what came in the rooms of `list` after `position`, as far as it has been taken: with it a stream has been
  /// given all that others of its list have been given.
  package func missed(since position: StreamPosition, in list: RoomList) -> Missed<[StreamCommand]> {
    guard position.list == list.hash, position.positions.count == list.partitions.count else { return .unknown }
    // All partitions are asked before a command is looked at: a client that waits for one of them costs no more.
    if let doubt = doubt(about: position, list) { return doubt }
    var reached = position
    var commands: [StreamCommand] = []
    var bytes = 0
    for (index, partition) in list.partitions.enumerated() {
      let cursor = cursors[Int(partition)]!
      let missed = store.read(partition) {
        $0.history.missed(
          since: position.positions[index], before: cursor.number, of: list.rooms,
          limit: Self.mostMissed - commands.count)
      }
      switch missed {
      case .unknown: return .unknown
      case .ahead: return .ahead
      case .events(let entries):
        for entry in entries {
          bytes += entry.json.count
          if bytes > Self.mostMissedBytes { return .unknown }
          reached.positions[index] = entry.position
          commands.append(StreamCommand(entry: entry, position: reached))
        }
        reached.positions[index] = cursor.position
      }
    }
    return .events(commands)
  }

  /// `.unknown` or `.ahead` if what was missed can't be told; `.unknown` counts first.
  private func doubt(about position: StreamPosition, _ list: RoomList) -> Missed<[StreamCommand]>? {
    var isAhead = false
    for (index, partition) in list.partitions.enumerated() {
      let cursor = cursors[Int(partition)]!
      switch store.read(partition, { $0.history.place(after: position.positions[index]) }) {
      case .unknown: return .unknown
      case .ahead: isAhead = true
      case .number(let number): if number > cursor.number { isAhead = true }
      }
    }
    return isAhead ? .ahead : nil
  }
}

/// A command, and how far its stream has come with it.
package struct StreamCommand: Sendable {
  package let entry: HistoryEntry
  package let position: StreamPosition
}
