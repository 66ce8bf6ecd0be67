import HTTP
import JSON
import RoomScreen
import Wire

/// Commands and snapshots as events of a stream.
struct StreamEncoder: ~Copyable {
  private var encoder = SnapshotEncoder()
  private var buffer = ByteBuffer()

  mutating func json(_ snapshot: Snapshot) -> [UInt8] {
    buffer.removeAll()
    encoder.encode(snapshot, into: &buffer)
    return Array(buffer.bytes)
  }

  /// Only a client that has the last of them has them all, so only the last one has a position.
  mutating func events(_ snapshots: [Snapshot], _ position: StreamPosition) -> [EventFrame] {
    var events: [EventFrame] = []
    for (number, var snapshot) in snapshots.enumerated() {
      // What comes next in the stream joins by itself.
      snapshot.position = nil
      let id = number == snapshots.count - 1 ? position.text : StreamPosition.incomplete
      events.append(json(snapshot).withUnsafeBytes { EventFrame("snapshot", id: id, data: $0) })
    }
    return events
  }

  static func events(_ commands: [StreamCommand]) -> [EventFrame] {
    commands.map { .command($0.entry, $0.position) }
  }
}

extension EventFrame {
  /// Says how far behind the log viewers are to show the rooms of a stream. Without an id: it changes no position.
  static func pace(lagMs: Int64) -> EventFrame {
    Array(#"{"lagMs":\#(lagMs)}"#.utf8).withUnsafeBytes { EventFrame("pace", data: $0) }
  }

  /// - Parameter position: the stream's position after this command.
  static func command(_ entry: HistoryEntry, _ position: StreamPosition) -> EventFrame {
    entry.json.withUnsafeBytes { EventFrame("command", id: position.text, data: $0) }
  }
}
