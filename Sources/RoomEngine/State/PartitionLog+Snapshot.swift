package import RoomModel

/// All that a log remembers, for one who goes on elsewhere: beside `clock`, `lastOffset`, settings and their epoch, these.
extension PartitionLog {
  /// Every room of which more is remembered than event ids. In no order.
  package func forEachRoom(_ body: (RoomHandle) -> Void) {
    for slot in 0..<rooms.slotCount where rooms.contains(slot) && !rooms[slot].isEmpty(at: clock) {
      body(RoomHandle(slot: slot))
    }
  }

  /// Every event id by which a duplicate can still be told, and up to when.
  package func forEachSeenEvent(_ body: (_ room: Text, _ eventId: Text, _ until: LogTime) -> Void) {
    seen.forEach { entry in
      if entry.endsAt > clock { body(rooms[entry.room].id, entry.id, entry.endsAt) }
    }
  }

  /// An event came in the room before, and is known by its id until then.
  package mutating func remember(_ eventId: Text, in room: Text, until: LogTime) {
    guard !eventId.isEmpty else { return }
    let slot = slot(of: room)
    note(seen.remember(eventId, room: slot, endsAt: until), of: slot)
    settle(slot)
  }
}
