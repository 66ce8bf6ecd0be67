package import RoomEngine
package import RoomModel
package import RoomScreen
package import Settings
import Wire

/// All that a partition's log remembered before one of its records: where a replay begins that doesn't begin at the
/// beginning.
package struct LogState {
  /// The first record after it.
  package var offset: Int64
  package var clock: LogTime
  /// The last record before it, -1 if there was none.
  package var lastOffset: Int64
  package var settings: LogSettings
  package var settingsEpoch: Int64
  /// The rooms, in the order of their ids.
  package var rooms: [Room] = []
  /// The events by which duplicates are told, in the order in which they are over, and the seed of their marks.
  package var seenEvents: [SeenEvent] = []
  package var markSeed: UInt64 = 0
  /// The reason why it may differ from the rooms as they were, in a line; nil: it is exact.
  package var warning: String?

  package struct Room: Equatable {
    package var id: ID
    /// The state as the engine writes it.
    package var state: [UInt8]
  }

  package struct SeenEvent: Equatable {
    package var mark: EventMark
    package var until: LogTime
  }

  package init(
    offset: Int64, clock: LogTime = .min, lastOffset: Int64 = -1, settings: LogSettings, settingsEpoch: Int64 = 0,
    warning: String? = nil
  ) {
    self.offset = offset
    self.clock = clock
    self.lastOffset = lastOffset
    self.settings = settings
    self.settingsEpoch = settingsEpoch
    self.warning = warning
  }

  /// Takes the state of `engine` before the record `offset`; of one room alone if it is given.
  package init(of engine: borrowing PartitionLog, before offset: Int64, settings: LogSettings, room: ID? = nil) {
    self.init(
      offset: offset, clock: engine.clock, lastOffset: engine.lastOffset, settings: settings,
      settingsEpoch: engine.settingsEpoch)
    engine.forEachRoom { handle in
      let id = ID(engine.roomId(handle))
      guard room == nil || room == id else { return }
      var state: [UInt8] = []
      engine.writeState(of: handle, into: &state)
      rooms.append(Room(id: id, state: state))
    }
    rooms.sort { $0.id < $1.id }
    // Also those of other rooms that came by: a mark doesn't tell its room.
    engine.forEachMark { seenEvents.append(SeenEvent(mark: $0, until: $1)) }
    seenEvents.sort { ($0.until, $0.mark) < ($1.until, $1.mark) }
    markSeed = engine.markSeed
  }

  /// An engine that goes on from there; it must be new.
  package func resume(_ engine: inout PartitionLog) throws(BrokenLog) {
    engine.resume(
      clock: clock, lastOffset: lastOffset, settings: settings.engine, settingsEpoch: settingsEpoch,
      markSeed: markSeed)
    for room in rooms {
      do {
        try room.id.withText { id in
          try room.state.withUnsafeBytes { _ = try engine.install(room: id, state: $0) }
        }
      } catch {
        throw BrokenLog(state: error, of: room.id)
      }
    }
    for event in seenEvents { engine.remember(event.mark, until: event.until) }
  }
}

extension BrokenLog {
  /// The engine's complaint about a room's state.
  init(state error: any Error, of room: ID) {
    let reason =
      switch error as? StateError {
      case .unknownVersion(let version):
        "is of version \(version), which this program doesn't know: replay it with the one that wrote it"
      case .damaged: "is damaged"
      case nil: "can't be read: \(error)"
      }
    self.init("the state of room \(room) \(reason)")
  }
}

extension String {
  /// Its bytes, for as long as `body` runs.
  func withText<Result>(_ body: (Text) throws -> Result) rethrows -> Result {
    var copy = self
    return try copy.withUTF8 { bytes in
      try body(bytes.isEmpty ? .empty : Text(start: UnsafeRawPointer(bytes.baseAddress!), count: bytes.count))
    }
  }
}
