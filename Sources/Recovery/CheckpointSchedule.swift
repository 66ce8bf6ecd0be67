/// Which rooms of a partition to write to the changelog with which transaction: a rolling checkpoint.
///
/// Every fiftieth of the interval a transaction carries the rooms that have waited longest, as many as it takes for every
/// changed room to be written within the interval, so there is no moment at which all rooms are due. The transactions
/// between need not touch the changelog: each partition that one touches costs the broker a request and a marker. A room
/// that has not changed is written again now and then, so that the part of the changelog that a restore must read stays
/// short.
///
/// Rooms are named by the slot that the engine gave them; transactions are numbered. Times are milliseconds of any clock
/// that only moves forward.
package struct CheckpointSchedule {
  private struct Entry {
    /// After this transaction came the oldest change that is not in the changelog; -1: there is none.
    var changedAfter = Entry.nothing
    /// The number of the last checkpoint, so that one that was overtaken can be told.
    var written = Entry.nothing
    static let nothing: Int64 = -1
  }

  private struct Waiting {
    var slot: Int32
    var changedAfter: Int64
    /// Not later than its change.
    var sinceMs: Int64
  }

  private struct Written {
    var slot: Int32
    var number: Int64
    /// The first changelog offset that it can have.
    var from: Int64
    var atMs: Int64
  }

  private struct Tombstone {
    var transaction: Int64
    var from: Int64
  }

  private let intervalMs: Int64
  private var entries: [Entry] = []
  /// Changed rooms, the one that has waited longest first; who is no longer waiting is passed over.
  private var waiting = Queue<Waiting>()
  private var waitingCount = 0
  /// Every room's last checkpoint, oldest first; those overtaken are passed over.
  private var checkpoints = Queue<Written>()
  /// The last checkpoints of rooms that are no more. A restore that begins before one of them must find it, or it would
  /// build the room anew from a part of its records.
  private var tombstones = Queue<Tombstone>()
  private var nextNumber: Int64 = 0
  /// When rooms were first taken, and last.
  private var firstMs: Int64 = .min
  private var lastMs: Int64 = .min
  /// Thousandths of a room that may be written now.
  private var credit: Int64 = 0

  /// How many intervals an unchanged room's checkpoint may lie back.
  private static let unchangedIntervals: Int64 = 12
  /// In how many an interval is taken.
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

  /// Whether a room has waited for the whole interval: with no other work it is written all the same.
  package mutating func isOverdue(nowMs: Int64) -> Bool {
    begin(nowMs: nowMs)
    guard nowMs - lastMs >= intervalMs / Self.steps, oldestChange() != nil, let room = waiting.first else {
      return false
    }
    return hasWaited(room, nowMs: nowMs)
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
    while let oldest = checkpoints.first, nowMs - oldest.atMs > intervalMs * Self.unchangedIntervals {
      take(oldest.slot, into: &due)
      dropOvertaken()
    }
  }

  /// A room's state was written; it can lie nowhere before `changelogFrom`, which never goes back from call to call.
  package mutating func wrote(_ slot: Int32, changelogFrom: Int64, nowMs: Int64) {
    grow(to: slot)
    stopWaiting(slot)
    entries[Int(slot)].written = nextNumber
    checkpoints.append(Written(slot: slot, number: nextNumber, from: changelogFrom, atMs: nowMs))
    nextNumber += 1
  }

  /// A room's last checkpoint was written with `transaction`: it is no more. No slot: it never was, here.
  package mutating func wroteLast(_ slot: Int32?, changelogFrom: Int64, transaction: Int64) {
    if let slot {
      grow(to: slot)
      stopWaiting(slot)
      entries[Int(slot)] = Entry()
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

  /// Where the oldest checkpoint can lie that a restore needs; nil: it needs none.
  ///
  /// - Parameter transaction: The restore begins after it.
  package mutating func changelogFrom(restoringAfter transaction: Int64) -> Int64? {
    dropOvertaken()
    while let first = tombstones.first, first.transaction <= transaction { tombstones.removeFirst() }
    guard let checkpoint = checkpoints.first?.from else { return tombstones.first?.from }
    guard let tombstone = tombstones.first?.from else { return checkpoint }
    return min(checkpoint, tombstone)
  }

  private mutating func take(_ slot: Int32, into due: inout [Int32]) {
    stopWaiting(slot)
    entries[Int(slot)].written = Entry.nothing
    due.append(slot)
  }

  private mutating func stopWaiting(_ slot: Int32) {
    guard entries[Int(slot)].changedAfter >= 0 else { return }
    entries[Int(slot)].changedAfter = Entry.nothing
    waitingCount -= 1
  }

  private mutating func dropOvertaken() {
    while let first = checkpoints.first {
      if entries[Int(first.slot)].written == first.number { return }
      checkpoints.removeFirst()
    }
  }

  private mutating func grow(to slot: Int32) {
    while entries.count <= Int(slot) { entries.append(Entry()) }
  }
}
