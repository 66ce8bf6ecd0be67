package import RoomScreen

/// One partition of the commands topic as this gateway knows it: its last commands, its rooms' screens, its time.
package struct PartitionState: Sendable {
  struct Room: Sendable {
    var screen: Screen
    /// By the monotonic clock.
    var lastMs: Int64
    /// Commands, each counting half after `halfLifeMs`.
    var activity = 0.0
  }

  /// A command that was read, taken apart outside of the lock.
  package struct Reading: Sendable {
    let command: Command
    let entry: HistoryEntry

    package init(command: Command, entry: HistoryEntry) {
      self.command = command
      self.entry = entry
    }
  }

  package private(set) var history: CommandHistory
  private(set) var clock = LogClock()
  private var rooms: [String: Room] = [:]
  private var sweptMs: Int64 = 0
  private let lookbackMs: Int64

  private static let halfLifeMs = 10_000.0

  package init(begin: Int64, lookbackMs: Int64, byteLimit: Int) {
    history = CommandHistory(begin: begin, lookbackMs: lookbackMs, byteLimit: byteLimit)
    self.lookbackMs = lookbackMs
  }

  package mutating func apply(_ reading: Reading) {
    let (command, readMs) = (reading.command, reading.entry.readMs)
    history.append(reading.entry)
    clock.observe(atMs: command.atMs, readMs: readMs)
    rooms[command.roomId, default: Room(screen: Screen(command.roomId), lastMs: readMs)].apply(command, readMs)
    if readMs - sweptMs > lookbackMs / 4 { sweep(nowMs: readMs) }
  }

  package mutating func advance(to offset: Int64) { history.advance(to: offset) }

  /// The partition is read anew.
  package mutating func reset(begin: Int64) {
    history.reset(begin: begin)
    rooms = [:]
    clock = LogClock()
  }

  /// The room's screen now. Of one that nothing is known of it is empty.
  func screen(of room: String, monotonicMs: Int64, wallMs: Int64) -> Screen {
    var screen = rooms[room]?.screen ?? Screen(room)
    screen.advance(to: clock.nowMs(monotonicMs: monotonicMs, wallMs: wallMs))
    return screen
  }

  /// Rooms with commands within the lookback, and how busy they are.
  func activity(nowMs: Int64) -> [(room: String, activity: Double)] {
    rooms.compactMap { name, room in
      nowMs - room.lastMs <= lookbackMs ? (name, room.activity * Self.decay(nowMs - room.lastMs)) : nil
    }
  }

  var roomCount: Int { rooms.count }

  /// A gateway that starts knows nothing of rooms that have been silent for longer; nor does this one for ever.
  private mutating func sweep(nowMs: Int64) {
    sweptMs = nowMs
    rooms = rooms.filter { nowMs - $0.value.lastMs <= 2 * lookbackMs }
  }

  /// 2^(-ms / half life), near enough and without a library.
  private static func decay(_ ms: Int64) -> Double {
    var factor = 1.0
    var rest = Double(max(0, ms)) / halfLifeMs
    while rest >= 1, factor > 1e-9 {
      factor /= 2
      rest -= 1
    }
    return factor * (1 - rest / 2)
  }
}

extension PartitionState.Room {
  fileprivate mutating func apply(_ command: Command, _ readMs: Int64) {
    screen.apply(command)
    activity = activity * PartitionState.decay(readMs - lastMs) + 1
    lastMs = readMs
  }
}
