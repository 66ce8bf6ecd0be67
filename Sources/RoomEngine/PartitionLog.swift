package import RoomModel

/// One input partition as its task sees it: a clock, rooms, and the timers that are due before the next record
/// (STAGES.md, section 1). A pure function of what it is told.
package struct PartitionLog: ~Copyable {
  /// The fate of a record.
  package enum Applied { case applied, duplicate, notUnderstood }

  /// Names a room for as long as it is there: until it is released, or until it is forgotten by itself.
  package struct RoomHandle: Hashable, Sendable {
    package let slot: Int32

    package init(slot: Int32) { self.slot = slot }
  }

  /// The greatest timestamp seen, or the deadline of the last timer that an idle log fired; `.min` before.
  package internal(set) var clock: LogTime = .min
  /// The last record whose turn had come; -1 before the first.
  package internal(set) var lastOffset: Int64 = -1

  var rules: Rules
  var rooms = RoomTable()
  /// The time when the next timer of each room is due.
  private var timers = DeadlineWheel()
  /// The time when each room forgets something that no timer tells.
  private var forgetting = IndexedHeap<LogTime>()
  /// Installed rooms that know records which are still to come, by the last of these.
  private var sleeping = IndexedHeap<Int64>()
  var seen: SeenEvents
  /// Rooms whose state has changed since somebody took them.
  var changed = Block<Int32>()
  private let keepsChanges: Bool

  /// - Parameters:
  ///   - hashSeed: anything that outsiders don't know. Nothing that comes out depends on it.
  ///   - keepsChanges: whether `takeChangedRooms` will be asked; rooms then wait for their `release`.
  ///   - log: `topic/partition`: what ids of combos begin with.
  package init(settings: EngineSettings, hashSeed: UInt64, keepsChanges: Bool, log: String) {
    rules = Rules(settings: settings, seed: hashSeed, log: Array(log.utf8) + [UInt8(ascii: "/")])
    seen = SeenEvents(seed: hashSeed)
    self.keepsChanges = keepsChanges
  }

  package var settings: EngineSettings { rules.settings }

  /// Counts the calls of `change(to:)` that changed something.
  package var settingsEpoch: Int64 { rules.epoch }

  /// The time when the next timer is due; `.max`: none is set.
  package var nextDeadline: LogTime { timers.leastDeadline }

  package var roomCount: Int { rooms.count }

  /// Events that are remembered so that duplicates are told, in all rooms.
  package var eventIdCount: Int { seen.count }

  /// The seed of their marks, for one who goes on with them.
  package var markSeed: UInt64 { seen.seed }

  /// Rooms with something on the screen, or something that waits for it: those that have a timer.
  package var liveRoomCount: Int { timers.count }

  /// Counts of queued items; ask for them now and then, since it looks at every room.
  package var queued: QueuedItems {
    var queued = QueuedItems()
    for slot in 0..<rooms.slotCount where rooms.contains(slot) {
      queued.add(
        gifts: rooms[slot].gift.queue.count, wishes: rooms[slot].wish.queue.count, spots: rooms[slot].spot.count)
    }
    return queued
  }

  /// The memory that rooms and event ids take; to be asked for now and then, since it looks at every room.
  package var byteCount: Int {
    rooms.byteCount + seen.byteCount + timers.byteCount + forgetting.byteCount + sleeping.byteCount
      + changed.byteCount + rules.ownSettings.byteCount
  }

  // MARK: Records and timers

  /// Fires what is due, then applies the record.
  ///
  /// - Parameter event: nil if it couldn't be understood.
  package mutating func apply(
    offset: Int64, timestampMs: LogTime, event: RoomEvent?, into batch: inout CommandBatch
  ) -> Applied {
    if let event { return apply(offset: offset, timestampMs: timestampMs, event: event, into: &batch) }
    pass(offset: offset, timestampMs: timestampMs, into: &batch)
    return .notUnderstood
  }

  /// The same with an event: one that is made optional first is copied once more.
  package mutating func apply(
    offset: Int64, timestampMs: LogTime, event: RoomEvent, into batch: inout CommandBatch
  ) -> Applied {
    advance(to: offset, timestampMs: timestampMs, into: &batch)
    let slot = slot(of: event.roomId)
    let room = rooms.place(of: slot)
    let isDuplicate = register(event)
    var effect = Room.Effect.none
    if !isDuplicate, room.pointee.knownTo < offset {
      effect = CommandOutlet.lend(&batch, lastOffset: lastOffset) { out in
        room.pointee.apply(event, offset: offset, at: clock, rules, out: &out)
      }
      if effect != .none { noteChange(of: slot, room) }
    }
    if effect != .counted { settle(slot, room) }
    wake()
    return isDuplicate ? .duplicate : .applied
  }

  /// Fires what is due, as `apply` does, but the room of the event gets nothing of it: its state was written later
  /// and has it. The clock, the other rooms and duplicates are as they were then.
  package mutating func note(
    offset: Int64, timestampMs: LogTime, event: RoomEvent?, into batch: inout CommandBatch
  ) {
    advance(to: offset, timestampMs: timestampMs, into: &batch)
    if let event { _ = register(event) }
    wake()
  }

  /// On an idle log: fires every timer with a deadline up to `time`, and moves the clock to the last of them and no
  /// further. Returns that deadline, nil if there was none.
  package mutating func fireTimers(through time: LogTime, into batch: inout CommandBatch) -> LogTime? {
    guard nextDeadline <= time else { return nil }
    let last = fireDue(through: time, into: &batch)
    clock = max(clock, last)
    forget()
    return last
  }

  /// Passes a record of which nothing comes, if no timer is due before it. False: one is.
  package mutating func passQuietly(offset: Int64, timestampMs: LogTime) -> Bool {
    let now = time(ofRecordAt: timestampMs)
    guard nextDeadline > now else { return false }
    step(to: now, offset: offset)
    wake()
    return true
  }

  /// Fires what is due before a record of which nothing comes, and passes it.
  package mutating func pass(offset: Int64, timestampMs: LogTime, into batch: inout CommandBatch) {
    advance(to: offset, timestampMs: timestampMs, into: &batch)
    wake()
  }

  /// Fires what is due before a record, and comes to it. Rooms that know of it sleep on until it is through: one with
  /// nothing left would be forgotten, and what the room knows with it.
  @inline(__always) private mutating func advance(
    to offset: Int64, timestampMs: LogTime, into batch: inout CommandBatch
  ) {
    let now = time(ofRecordAt: timestampMs)
    if nextDeadline <= now { _ = fireDue(through: now, into: &batch) }
    step(to: now, offset: offset)
  }

  @inline(__always) private mutating func step(to now: LogTime, offset: Int64) {
    clock = now
    forget()
    lastOffset = offset
  }

  /// The log time at which a record with this timestamp happens.
  package func time(ofRecordAt timestampMs: LogTime) -> LogTime {
    max(clock, min(max(timestampMs, -Self.latest), Self.latest))
  }

  /// Times beyond, 73 million years from now, are taken as this: so sums of times can't overflow.
  private static var latest: LogTime { 1 << 61 }

  /// Some timer must be due. A room's timers fire one after the other; between rooms there is no order.
  private mutating func fireDue(through time: LogTime, into batch: inout CommandBatch) -> LogTime {
    CommandOutlet.lend(&batch, lastOffset: lastOffset) { out in
      var last = LogTime.min
      while let (slot, deadline) = timers.first(through: time) {
        let room = rooms.place(of: slot)
        if !out.isHeard(of: room.pointee.id), room.pointee.passQuietTick(rules) {
          // The room changes nothing but its next timer.
          last = max(last, deadline)
          noteChange(of: slot, room)
          timers.set(slot, to: room.pointee.nextTimer.deadline, now: deadline)
        } else {
          last = max(last, room.pointee.fire(through: time, rules, out: &out))
          noteChange(of: slot, room)
          settle(slot, room)
        }
      }
      return last
    }
  }

  // MARK: Rooms

  @inline(__always) mutating func slot(of roomId: Text) -> Int32 {
    let hash = hash(of: roomId)
    return rooms.find(roomId, hash: hash) ?? insertRoom(roomId, hash: hash)
  }

  @inline(never) private mutating func insertRoom(_ roomId: Text, hash: UInt32) -> Int32 {
    rooms.insert(Room(id: roomId, hash: hash))
  }

  func find(_ roomId: Text) -> Int32? { rooms.find(roomId, hash: hash(of: roomId)) }

  /// Inlined: a call that borrows the log within one that changes it copies the log first.
  @inline(__always) private func hash(of roomId: Text) -> UInt32 {
    var hash = TextHash(seed: rules.seed)
    hash.add(roomId)
    return hash.value
  }

  /// Makes an empty room.
  mutating func makeRoom(_ roomId: Text) -> Int32 {
    let slot = slot(of: roomId)
    timers.remove(slot)
    forgetting.remove(slot)
    sleeping.remove(slot)
    rooms[slot].removeAll()
    return slot
  }

  /// Remembers that the event came, and returns whether it is a duplicate.
  @inline(__always) private mutating func register(_ event: RoomEvent) -> Bool {
    if event.eventId.isEmpty { return false }
    switch event.body {
    // A repeated grab is answered again; the others tell sums, which may come again.
    case .rainGrab, .taps, .score: return false
    default: break
    }
    let mark = EventMark(
      room: event.roomId, id: event.eventId, kind: event.body.kind, userId: event.body.user ?? .empty,
      seeded: seen.seeded)
    return seen.register(mark, at: clock, window: rules.settings.dedupe.windowMs, offset: lastOffset)
  }

  mutating func noteChange(of slot: Int32) { noteChange(of: slot, rooms.place(of: slot)) }

  /// - Parameter room: The one in that slot.
  @inline(__always) private mutating func noteChange(of slot: Int32, _ room: UnsafeMutablePointer<Room>) {
    guard keepsChanges, !room.pointee.isChanged else { return }
    room.pointee.isChanged = true
    room.pointee.isHeld = true
    changed.append(slot)
  }

  /// Something happened to the room: sets when its next timer is due, and forgets it if nothing is left.
  mutating func settle(_ slot: Int32) { settle(slot, rooms.place(of: slot)) }

  /// Inlines the common case: a room that has a timer, and nothing to forget without one.
  ///
  /// - Parameter room: The one in that slot.
  @inline(__always) private mutating func settle(_ slot: Int32, _ room: UnsafeMutablePointer<Room>) {
    let deadline = room.pointee.nextTimer.deadline
    let hasTimersOnly = deadline < .max && room.pointee.forgetsNextAt == .max
    if hasTimersOnly, room.pointee.knownTo <= lastOffset, !forgetting.contains(slot) {
      timers.set(slot, to: deadline, now: clock)
    } else {
      settleWhatever(slot)
    }
  }

  @inline(never) private mutating func settleWhatever(_ slot: Int32) {
    guard rooms[slot].knownTo <= lastOffset else {
      sleeping.set(slot, to: rooms[slot].knownTo)
      return
    }
    let deadline = rooms[slot].nextTimer.deadline
    if deadline < .max { timers.set(slot, to: deadline, now: clock) } else { timers.remove(slot) }
    if rooms[slot].forgetsNextAt <= clock { forgetEnded(in: slot) }
    let forgetsAt = rooms[slot].forgetsNextAt
    if forgetsAt > clock, forgetsAt < .max { forgetting.set(slot, to: forgetsAt) } else { forgetting.remove(slot) }
    if deadline == .max {
      // Else that waits until somebody takes the changed rooms: many gifts come in between.
      if !keepsChanges { rooms[slot].giveBackMemory() }
      forgetIfEmpty(slot)
    }
  }

  /// Forgets entries that are remembered for no time at all: no later call would do it.
  private mutating func forgetEnded(in slot: Int32) {
    guard !rooms[slot].isEmpty(at: clock) else { return }
    rooms[slot].forget(endedBy: clock)
    if rooms[slot].isEmpty(at: clock) { noteChange(of: slot) }
  }

  private mutating func forgetIfEmpty(_ slot: Int32) {
    guard !rooms[slot].isHeld, rooms[slot].isEmpty(at: clock) else { return }
    timers.remove(slot)
    forgetting.remove(slot)
    sleeping.remove(slot)
    rooms.remove(slot)
    timers.shrink(below: rooms.slotCount)
    forgetting.shrink(below: rooms.slotCount)
    sleeping.shrink(below: rooms.slotCount)
  }

  /// Forgets everything whose time is over. No timer does that, since no command comes of it.
  @inline(__always) mutating func forget() {
    if !forgetting.isEmpty, forgetting.least.key <= clock { forgetInRooms() }
    if seen.isOver(by: clock) { seen.forget(endedBy: clock) }
  }

  @inline(never) private mutating func forgetInRooms() {
    while !forgetting.isEmpty, forgetting.least.key <= clock {
      let slot = forgetting.least.item
      rooms[slot].forget(endedBy: clock)
      if rooms[slot].isEmpty(at: clock) { noteChange(of: slot) }
      settle(slot)
    }
  }

  @inline(__always) mutating func wake() {
    if !sleeping.isEmpty { wakeRooms() }
  }

  @inline(never) private mutating func wakeRooms() {
    while !sleeping.isEmpty, sleeping.least.key <= lastOffset {
      let slot = sleeping.least.item
      sleeping.remove(slot)
      settle(slot)
    }
  }
}
