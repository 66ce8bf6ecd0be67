package import RoomModel

/// All that a log remembers, for one who goes on elsewhere: beside `clock`, `lastOffset`, settings and their epoch,
/// these.
extension PartitionLog {
  /// Every room of which something is remembered. In no order.
  package func forEachRoom(_ body: (RoomHandle) -> Void) {
    for slot in 0..<rooms.slotCount where rooms.contains(slot) && !rooms[slot].isEmpty(at: clock) {
      body(RoomHandle(slot: slot))
    }
  }

  /// The mark of every event by which a duplicate can still be told, and up to when. In no order.
  package func forEachMark(_ body: (_ mark: EventMark, _ until: LogTime) -> Void) { seen.forEach(at: clock, body) }

  /// An event with that mark, of ``markSeed``, came before, and is known until then.
  package mutating func remember(_ mark: EventMark, until: LogTime) {
    if clock > .min { seen.remember(mark, until: until, at: clock) }
  }
}

/// Marks for the next owner, who then need not read the records that they came with.
extension PartitionLog {
  /// The first record whose mark is kept to be written; nil: none is.
  package var markLogFrom: Int64? { seen.log.from }
  package var markLogCount: Int { seen.log.count }

  /// Keeps the marks of what comes from there on, and no others.
  package mutating func beginMarkLog(at offset: Int64) { seen.log.begin(at: offset) }
  package mutating func endMarkLog() { seen.log = MarkLog() }

  /// A block of them ends there.
  package mutating func cutMarkLog(at offset: Int64) { seen.log.cut(at: offset) }

  /// Each block of them, with the part of the log that it covers.
  package func forEachMarkBlock(_ body: (Range<Int64>, UnsafeBufferPointer<RegisteredMark>) -> Void) {
    seen.log.forEachBlock(body)
  }
}
