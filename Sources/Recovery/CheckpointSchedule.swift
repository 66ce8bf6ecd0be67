/// A rolling checkpoint: decides which rooms of a partition each transaction writes to the changelog.
///
/// Every fiftieth of the interval a transaction carries the rooms that have waited longest, as many as it takes for
/// every changed room to be written within the interval, so there is no moment at which all rooms are due. The
/// transactions between need not touch the changelog: each partition that one touches costs the broker a request and a
/// marker. A room that has not changed is written again now and then, so that the part of the changelog that a restore
/// must read stays short, and retention takes nothing of it; those that were written at one moment, as after a restore,
/// not all at another. On an idle log that alone makes a transaction.
///
/// So is each part of a room whose state is long (``StateCut``), which is written with its room, in its turn.
///
/// Rooms are named by the slot that the engine gave them; transactions are numbered. Times are milliseconds of any
/// clock that only moves forward.
package struct CheckpointSchedule {
  private struct Entry {
    /// The transaction before the oldest change that is not in the changelog; -1: there is none.
    var changedAfter = Entry.nothing
    /// The number of the last checkpoint, which tells it from one that was overtaken.
    var written = Entry.nothing
    /// It is to be written with the next transaction.
    var isTaken = false
    static let nothing: Int64 = -1
  }

  private struct Waiting {
    var slot: Int32
    var changedAfter: Int64
    /// A time not later than its change.
    var sinceMs: Int64
  }

  private struct Written {
    var slot: Int32
    var number: Int64
    /// The first changelog offset that it can have.
    var from: Int64
    var atMs: Int64
  }

  private struct WrittenPart {
    var slot: Int32
    var part: Int64
    var number: Int64
    var from: Int64
    var atMs: Int64
  }

  private struct Tombstone {
    var transaction: Int64
    var from: Int64
  }

  private let intervalMs: Int64
  private var entries: [Entry] = []
  /// Changed rooms, the one that has waited longest first; stale entries are skipped lazily.
  private var waiting = Queue<Waiting>()
  private var waitingCount = 0
  /// Every room's last checkpoint, oldest first; those overtaken are passed over.
  private var checkpoints = Queue<Written>()
  private var checkpointCount = 0
  /// The same of the parts of rooms' states.
  private var writtenParts = Queue<WrittenPart>()
  /// The parts that a room's last checkpoint names, each with the number of its writing.
  private var parts: [Int32: [Int64: Int64]] = [:]
  private var partCount = 0
  /// The last checkpoints of rooms that are no more. A restore that begins before one of them must find it, or it would
  /// build the room anew from a part of its records.
  private var tombstones = Queue<Tombstone>()
  private var nextNumber: Int64 = 0
  /// The times at which rooms were first taken, and last.
  private var firstMs: Int64 = .min
  private var lastMs: Int64 = .min
  /// Thousandths of a room that may be written now.
  private var credit: Int64 = 0
  /// The last commit names a change that is not in the changelog, and there is none: the next one says so. Until then a
  /// restore would need records of the input that retention takes from an idle log.
  var owesCommit = false

  /// The most intervals that an unchanged room's checkpoint, and each part of it, may lie back.
  private static let unchangedIntervals: Int64 = 12
  /// The number of intervals from which on they are written again, as many at a time as it takes for all to be done by
  /// then.
  private static let renewedFromIntervals: Int64 = 9
  /// Steps in which an interval is taken.
  private static let steps: Int64 = 50

  package init(intervalMs: Int64) {
    self.intervalMs = max(1, intervalMs)
  }

  /// A room changed, after `transaction` at the earliest.
  package mutating func changed(_ slot: Int32, after transaction: Int64) {
    grow(to: slot)
    guard entries[Int(slot)].changedAfter < 0 else { return }
    entries[Int(slot)].changedAfter = transaction
    waiting.append(Waiting(slot: slot, changedAfter: transaction, sinceMs: lastMs))
    waitingCount += 1
  }

  /// Whether a room has waited for the whole interval, or what a restore needs grows old: with no other work it is
  /// written all the same. Otherwise retention would take what an idle log's rooms remember.
  package mutating func isOverdue(nowMs: Int64) -> Bool {
    begin(nowMs: nowMs)
    guard nowMs - lastMs >= intervalMs / Self.steps else { return false }
    if oldestChange() != nil, let room = waiting.first, hasWaited(room, nowMs: nowMs) { return true }
    // An idle log needs few transactions for it: each takes an interval's share.
    guard nowMs - lastMs >= intervalMs else { return false }
    if owesCommit { return true }
    dropOvertaken()
    let oldestMs = min(checkpoints.first?.atMs ?? nowMs, writtenParts.first?.atMs ?? nowMs)
    return isToRenew(nowMs - oldestMs, 1)
  }

  private mutating func begin(nowMs: Int64) {
    if lastMs == .min { (firstMs, lastMs) = (nowMs, nowMs) }
  }

  private func hasWaited(_ room: Waiting, nowMs: Int64) -> Bool {
    max(firstMs, room.sinceMs) <= nowMs - intervalMs
  }

  /// The rooms to be written with the next transaction, in `due`.
  package mutating func takeDue(nowMs: Int64, into due: inout [Int32]) {
    begin(nowMs: nowMs)
    owesCommit = false
    guard nowMs - lastMs >= intervalMs / Self.steps else { return }
    let elapsed = min(intervalMs, max(0, nowMs - lastMs))
    credit = min(credit + Int64(waitingCount) * 1000 * elapsed / intervalMs, Int64(waitingCount) * 1000)
    while oldestChange() != nil, let room = waiting.first,
      credit >= 1000 || hasWaited(room, nowMs: nowMs)
    {
      take(room.slot, into: &due)
      credit = max(0, credit - 1000)
    }
    lastMs = nowMs
    dropOvertaken()
    renewRooms(nowMs: nowMs, elapsed: elapsed, into: &due)
    renewParts(nowMs: nowMs, elapsed: elapsed, into: &due)
  }

  private mutating func renewRooms(nowMs: Int64, elapsed: Int64, into due: inout [Int32]) {
    var share = share(of: checkpointCount, elapsed: elapsed)
    while let oldest = checkpoints.first, isToRenew(nowMs - oldest.atMs, share) {
      take(oldest.slot, into: &due)
      share -= 1
      dropOvertaken()
    }
  }

  private mutating func renewParts(nowMs: Int64, elapsed: Int64, into due: inout [Int32]) {
    var share = share(of: partCount, elapsed: elapsed)
    while let oldest = writtenParts.first, isToRenew(nowMs - oldest.atMs, share) {
      forget(oldest.part, of: oldest.slot)
      take(oldest.slot, into: &due)
      share -= 1
      dropOvertaken()
    }
  }

  private func isToRenew(_ age: Int64, _ share: Int) -> Bool {
    age > intervalMs * Self.unchangedIntervals || share > 0 && age > intervalMs * Self.renewedFromIntervals
  }

  /// The share of `count` to take now so that each is renewed in its time.
  private func share(of count: Int, elapsed: Int64) -> Int {
    let span = intervalMs * (Self.unchangedIntervals - Self.renewedFromIntervals)
    return Int((Int64(count) * elapsed + span - 1) / span)
  }

  /// A part of a room's state was written, as `wrote(_:changelogFrom:nowMs:)` has it of rooms.
  package mutating func wrote(part: Int64, of slot: Int32, changelogFrom: Int64, nowMs: Int64) {
    forget(part, of: slot)
    parts[slot, default: [:]][part] = nextNumber
    partCount += 1
    writtenParts.append(
      WrittenPart(slot: slot, part: part, number: nextNumber, from: changelogFrom, atMs: nowMs))
    nextNumber += 1
  }

  /// Whether the room's last checkpoint named the part, and it need not be written again.
  package func keeps(part: Int64, of slot: Int32) -> Bool { parts[slot]?[part] != nil }

  /// All parts of a room but these are needed no more.
  package mutating func keepParts(_ kept: some Sequence<Int64>, of slot: Int32) {
    guard let old = parts.removeValue(forKey: slot) else { return }
    var rest: [Int64: Int64] = [:]
    for part in kept { rest[part] = old[part] }
    partCount -= old.count - rest.count
    if !rest.isEmpty { parts[slot] = rest }
  }

  private mutating func forget(_ part: Int64, of slot: Int32) {
    if parts[slot]?.removeValue(forKey: part) != nil { partCount -= 1 }
  }

  /// A room's state was written; it can lie nowhere before `changelogFrom`, which never goes back from call to call.
  package mutating func wrote(_ slot: Int32, changelogFrom: Int64, nowMs: Int64) {
    grow(to: slot)
    stopWaiting(slot)
    entries[Int(slot)].isTaken = false
    if entries[Int(slot)].written < 0 { checkpointCount += 1 }
    entries[Int(slot)].written = nextNumber
    checkpoints.append(Written(slot: slot, number: nextNumber, from: changelogFrom, atMs: nowMs))
    nextNumber += 1
  }

  /// A room's last checkpoint was written with `transaction`: it is no more. No slot: it never was, here.
  package mutating func wroteLast(_ slot: Int32?, changelogFrom: Int64, transaction: Int64) {
    if let slot {
      grow(to: slot)
      stopWaiting(slot)
      if entries[Int(slot)].written >= 0 { checkpointCount -= 1 }
      entries[Int(slot)] = Entry()
      keepParts([], of: slot)
    }
    tombstones.append(Tombstone(transaction: transaction, from: changelogFrom))
  }

  /// The transaction after which the oldest change came that is not in the changelog; nil: everything is.
  package mutating func oldestChange() -> Int64? {
    while let first = waiting.first {
      if entries[Int(first.slot)].changedAfter == first.changedAfter { return first.changedAfter }
      waiting.removeFirst()
    }
    return nil
  }

  /// The earliest offset of a checkpoint that a restore needs; nil: it needs none.
  ///
  /// - Parameter transaction: The restore begins after it.
  package mutating func changelogFrom(restoringAfter transaction: Int64) -> Int64? {
    dropOvertaken()
    while let first = tombstones.first, first.transaction <= transaction { tombstones.removeFirst() }
    return [checkpoints.first?.from, writtenParts.first?.from, tombstones.first?.from].compactMap { $0 }.min()
  }

  private mutating func take(_ slot: Int32, into due: inout [Int32]) {
    stopWaiting(slot)
    if entries[Int(slot)].written >= 0 { checkpointCount -= 1 }
    entries[Int(slot)].written = Entry.nothing
    guard !entries[Int(slot)].isTaken else { return }
    entries[Int(slot)].isTaken = true
    due.append(slot)
  }

  private mutating func stopWaiting(_ slot: Int32) {
    guard entries[Int(slot)].changedAfter >= 0 else { return }
    entries[Int(slot)].changedAfter = Entry.nothing
    waitingCount -= 1
  }

  private mutating func dropOvertaken() {
    while let first = checkpoints.first {
      if entries[Int(first.slot)].written == first.number { break }
      checkpoints.removeFirst()
    }
    while let first = writtenParts.first {
      if parts[first.slot]?[first.part] == first.number { break }
      writtenParts.removeFirst()
    }
  }

  private mutating func grow(to slot: Int32) {
    while entries.count <= Int(slot) { entries.append(Entry()) }
  }
}
