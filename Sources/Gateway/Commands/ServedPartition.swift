package import RoomScreen

/// A command that was read, taken apart outside of the lock.
package struct ReceivedCommand: Sendable {
  let command: Command
  let entry: HistoryEntry
  /// The partition in whose state its room is kept: not that it came on, if the topic has grown.
  let home: Int32

  package init(command: Command, entry: HistoryEntry, home: Int32) {
    self.command = command
    self.entry = entry
    self.home = home
  }
}

/// One partition of the commands topic as this gateway knows it: its last commands, its rooms' screens, its time.
package struct ServedPartition: Sendable {
  struct Room: Sendable {
    var screen: Screen
    /// The time of its last command, by the monotonic clock.
    var lastMs: Int64
    /// Commands, each counting half after `halfLifeMs`.
    var activity = 0.0
    var past = PastKeeper()
  }

  package private(set) var history: CommandHistory
  private(set) var clock = PartitionClock()
  private var rooms: [ID: Room] = [:]
  private var sweptMs: Int64 = 0
  /// Commands of other partitions have come, so that what a room's screen refuses need not have been there before.
  private var hasStrays = false
  /// Rooms of which a command came that belongs before others that are on the screen already.
  package private(set) var disordered: Set<ID> = []
  private let lookbackMs: Int64
  private let staleAfterMs: Int64

  private static let halfLifeMs = 10_000.0

  package init(begin: Int64, lookbackMs: Int64, byteLimit: Int, staleAfterMs: Int64 = 0) {
    history = CommandHistory(begin: begin, lookbackMs: lookbackMs, byteLimit: byteLimit)
    self.lookbackMs = lookbackMs
    self.staleAfterMs = staleAfterMs
  }

  package mutating func apply(_ received: ReceivedCommand) {
    history.append(received.entry)
    draw(received)
  }

  /// A command that came on another partition.
  package mutating func applyStray(_ received: ReceivedCommand) {
    hasStrays = true
    history.appendStray(received.entry)
    draw(received)
  }

  private mutating func draw(_ received: ReceivedCommand) {
    let (command, readMs) = (received.command, received.entry.readMs)
    clock.observe(atMs: command.atMs, readMs: readMs)
    let blank = Screen(command.roomId, staleAfterMs: staleAfterMs)
    let isNew = rooms[command.roomId, default: Room(screen: blank, lastMs: readMs)].apply(command, readMs)
    if !isNew, hasStrays {
      disordered.insert(command.roomId)
      // The screen is drawn anew; what a late retract names leaves the lists now.
      if case .retracted = command.body { rooms[command.roomId]!.past.apply(command) }
    }
    if readMs - sweptMs > lookbackMs / 4 { sweep(nowMs: readMs) }
  }

  /// Draws anew, from what is here of them, the rooms whose commands came out of order, and has their streams get
  /// snapshots: a client that began with one may have taken for new what this screen has refused.
  ///
  /// - Parameter decode: an entry's command.
  package mutating func heal(readMs: Int64, _ decode: (HistoryEntry) -> Command?) {
    let entries = Dictionary(grouping: history.entries(of: disordered), by: \.room)
    for (name, entries) in entries {
      guard let room = rooms[name] else { continue }
      var screen = Screen(name, staleAfterMs: staleAfterMs)
      for command in entries.compactMap(decode).inOrder { screen.apply(command) }
      screen.advance(to: room.screen.nowMs)
      rooms[name]!.screen = screen
      history.appendSnapshot(of: name, readMs: readMs)
    }
    disordered = []
  }

  package mutating func advance(to offset: Int64) { history.advance(to: offset) }

  /// The partition is read anew.
  package mutating func reset(begin: Int64) {
    history.reset(begin: begin)
    rooms = [:]
    disordered = []
    clock = PartitionClock()
  }

  /// The room's screen now; empty if nothing is known of the room.
  private func screen(of room: ID, monotonicMs: Int64, wallMs: Int64) -> Screen {
    var screen = rooms[room]?.screen ?? Screen(room, staleAfterMs: staleAfterMs)
    screen.advance(to: clock.nowMs(monotonicMs: monotonicMs, wallMs: wallMs))
    return screen
  }

  /// The room's snapshot now, with its past and its position.
  func snapshot(of room: ID, monotonicMs: Int64, wallMs: Int64) -> Snapshot {
    let screen = screen(of: room, monotonicMs: monotonicMs, wallMs: wallMs)
    var snapshot = screen.snapshot
    (snapshot.past, snapshot.position) = (rooms[room]?.past.past, screen.position)
    return snapshot
  }

  /// Rooms with commands within the lookback, and how busy they are.
  func activity(nowMs: Int64) -> [(room: ID, activity: Double)] {
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

extension ServedPartition.Room {
  /// - Returns: whether it is new on the screen.
  fileprivate mutating func apply(_ command: Command, _ readMs: Int64) -> Bool {
    activity = activity * ServedPartition.decay(readMs - lastMs) + 1
    lastMs = readMs
    guard screen.apply(command) else { return false }
    past.apply(command)
    return true
  }
}

extension [Command] {
  /// The commands in the order in which their workers published them: by time, and within one input partition by offset
  /// and place.
  fileprivate var inOrder: [Command] {
    let keys = map { command in (command.atMs, CommandID(command.id)) }
    return indices.sorted { one, other in
      let (a, b) = (keys[one], keys[other])
      return (a.0, a.1?.offset ?? 0, a.1?.place ?? 0, one) < (b.0, b.1?.offset ?? 0, b.1?.place ?? 0, other)
    }.map { self[$0] }
  }
}
