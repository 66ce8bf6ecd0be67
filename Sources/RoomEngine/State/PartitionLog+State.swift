package import RoomModel

extension PartitionLog {
  /// The rooms whose state has changed since the last call, each once. Those that are quiet give memory back.
  package mutating func takeChangedRooms(into handles: inout [RoomHandle]) {
    for i in 0..<changed.count {
      rooms[changed[i]].isChanged = false
      rooms[changed[i]].giveBackMemory()
      handles.append(RoomHandle(slot: changed[i]))
    }
    changed.removeAll(keepingCapacity: true)
    changed.shrink()
  }

  /// Good as long as the handle.
  package func roomId(_ room: RoomHandle) -> Text { rooms[room.slot].id }

  /// False: nothing is remembered.
  package func hasState(_ room: RoomHandle) -> Bool { !rooms[room.slot].isEmpty(at: clock) }

  /// The form in which rooms' states are written, the only one that is read.
  package static var stateVersion: UInt8 { Room.stateVersion }

  /// Appends the room's state as of now, which `install` reads.
  package func writeState(of room: RoomHandle, into bytes: inout [UInt8]) {
    bytes = write(room, bytes, base: clock).bytes
  }

  /// The same for one who writes it again and again, so that what has not changed is the same bytes.
  ///
  /// - Parameter cuts: Places in `bytes` where something long begins or ends.
  package func writeState(of room: RoomHandle, into bytes: inout [UInt8], cuts: inout [Int]) {
    // Times are told from the moment when it was first written so.
    if rooms[room.slot].stateBase == .min { rooms[room.slot].stateBase = clock }
    (bytes, cuts) = write(room, bytes, base: rooms[room.slot].stateBase)
  }

  private func write(_ room: RoomHandle, _ bytes: [UInt8], base: LogTime) -> (bytes: [UInt8], cuts: [Int]) {
    var state = StateWriter(bytes + [Room.stateVersion], base: base)
    state.number(base)
    state.number(lastOffset)
    state.number(rules.epoch)
    rooms[room.slot].write(at: clock, into: &state)
    return state.finish()
  }

  /// Called once a changed room has been dealt with: if nothing is remembered of it, it may be forgotten.
  package mutating func release(_ room: RoomHandle) {
    guard rooms.contains(room.slot), !rooms[room.slot].isChanged else { return }
    rooms[room.slot].isHeld = false
    settle(room.slot)
  }
}

extension PartitionLog {
  /// Goes on where another left off; to be called before anything else.
  ///
  /// - Parameter markSeed: The other's; nil: none of its marks comes.
  package mutating func resume(
    clock: LogTime, lastOffset: Int64, settings: EngineSettings, settingsEpoch: Int64, markSeed: UInt64? = nil
  ) {
    if let markSeed { seen = SeenEvents(seed: markSeed) }
    self.clock = clock
    self.lastOffset = lastOffset
    rules = rules.with(settings, epoch: settingsEpoch)
  }

  /// Puts in a room as it was written, in place of what was there; of one that can't be read nothing is there. Until
  /// the log is where it was then, its timers sleep, and events that it knows are not applied again.
  @discardableResult
  package mutating func install(room id: Text, state: UnsafeRawBufferPointer) throws(StateError) -> RoomHandle {
    guard !id.isEmpty, TextPack<1>.holds([id]), let version = state.first else { throw .damaged }
    guard version == Room.stateVersion else { throw .unknownVersion(version) }
    var reader = StateReader(UnsafeRawBufferPointer(rebasing: state.dropFirst()))
    // A log of which nothing is known yet has no room to write.
    reader.base = try reader.time()
    let knownTo = try reader.number()
    let epoch = try reader.number()
    let slot = makeRoom(id)
    do throws(StateError) {
      try rooms[slot].read(from: &reader, rules)
      guard reader.isAtEnd else { throw .damaged }
    } catch {
      // Half a room is none.
      rooms[slot].knownTo = .min
      settle(makeRoom(id))
      throw error
    }
    rooms[slot].settle()
    rooms[slot].knownTo = knownTo
    rooms[slot].knownEpoch = epoch
    rooms[slot].stateBase = reader.base
    settle(slot)
    return RoomHandle(slot: slot)
  }

  /// Goes on from there: the records before it are gone, and the rooms know all that came of them.
  package mutating func skip(to clock: LogTime, lastOffset: Int64) {
    advanceClock(to: clock)
    self.lastOffset = max(self.lastOffset, lastOffset)
    wake()
    forget()
  }

  /// The clock is at least this.
  package mutating func advanceClock(to time: LogTime) { clock = max(clock, time) }
}
