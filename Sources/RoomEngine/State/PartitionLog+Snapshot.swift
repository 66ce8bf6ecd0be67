package import RoomModel

/// All that a log remembers, for one who goes on elsewhere: beside `clock`, `lastOffset`, settings and their epoch,
/// these.
extension PartitionLog {
  /// Every room of which more is remembered than event ids. In no order.
  package func forEachRoom(_ body: (RoomHandle) -> Void) {
    for slot in 0..<rooms.slotCount where rooms.contains(slot) && !rooms[slot].isEmpty(at: clock) {
      body(RoomHandle(slot: slot))
    }
  }

  /// Every event by which a duplicate can still be told, and up to when.
  package func forEachSeenEvent(_ body: (_ event: SeenEvent, _ until: LogTime) -> Void) {
    seen.forEach { entry in
      guard entry.endsAt > clock else { return }
      let key = entry.key
      body(
        SeenEvent(room: rooms[entry.room].id, eventId: key.id, kind: key.kind, userId: key.userId), entry.endsAt)
    }
  }

  /// An event came in its room before, and is known until then.
  package mutating func remember(_ event: SeenEvent, until: LogTime) {
    guard !event.eventId.isEmpty else { return }
    let slot = slot(of: event.room)
    let key = SeenChunk.Key(id: event.eventId, kind: event.kind, userId: event.userId)
    note(seen.remember(key, room: slot, endsAt: until), of: slot)
    settle(slot)
  }
}

/// The parts that make two events duplicates: an event's room, id, kind and user. Views of somebody's texts.
package struct SeenEvent {
  package let room: Text
  package let eventId: Text
  package let kind: EventKind
  package let userId: Text

  package init(room: Text, eventId: Text, kind: EventKind, userId: Text) {
    self.room = room
    self.eventId = eventId
    self.kind = kind
    self.userId = userId
  }
}
