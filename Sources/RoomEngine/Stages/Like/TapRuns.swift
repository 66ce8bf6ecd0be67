import RoomModel

/// The runs of gathered taps that are remembered, by their users (STAGES.md, section 5): make likes of cumulative counts.
struct TapRuns: ~Copyable {
  /// One run. Private, it crashes the compiler (6.3.1).
  struct Run: ~Copyable {
    let id: TextPack<1>
    /// The greatest count seen.
    var count: Int64
    var endsAt: LogTime
  }

  struct User: ~Copyable {
    let id: TextPack<1>
    let hash: UInt32
    /// No more than `limit`, that of the last event last.
    var runs = Block<Run>()
  }

  /// The most runs that are remembered of a user.
  static var limit: Int { 4 }

  var users = Slab<User>()
  private var index = SlotIndex()
  /// The time up to which some run of each user is remembered.
  var ends = IndexedHeap<LogTime>()
  /// No end is later; `.min`: there is none.
  private(set) var lastEnd: LogTime = .min

  var isEmpty: Bool { ends.isEmpty }

  /// The greatest count of the run before. The run goes on from there.
  mutating func add(_ taps: Lent<Taps>, at now: LogTime, _ rules: borrowing Rules) -> Int64 {
    forgetEnded(by: now)
    let slot = slot(of: taps.userId, seed: rules.seed)
    forgetRuns(of: slot, endedBy: now)
    var count: Int64 = 0
    for place in 0..<users[slot].runs.count where users[slot].runs[place].id[0] == taps.runId {
      count = users[slot].runs[place].count
      users[slot].runs.remove(at: place)
      break
    }
    if users[slot].runs.count >= Self.limit { users[slot].runs.remove(at: 0) }
    append(taps.runId, count: max(count, taps.count), until: now + rules.like.runMs, to: slot)
    return count
  }

  /// Appends the run of a user's last event, also one that was read from a written state.
  mutating func append(_ runId: Text, count: Int64, until end: LogTime, to slot: Int32) {
    users[slot].runs.append(Run(id: TextPack([runId]), count: count, endsAt: end))
    setEnd(of: slot)
  }

  private mutating func setEnd(of slot: Int32) {
    var end = LogTime.min
    for place in 0..<users[slot].runs.count { end = max(end, users[slot].runs[place].endsAt) }
    ends.set(slot, to: end)
    lastEnd = max(lastEnd, end)
  }

  private mutating func forgetRuns(of slot: Int32, endedBy now: LogTime) {
    for place in (0..<users[slot].runs.count).reversed() where users[slot].runs[place].endsAt <= now {
      users[slot].runs.remove(at: place)
    }
  }

  mutating func forgetEnded(by now: LogTime) {
    while !ends.isEmpty, ends.least.key <= now {
      let slot = ends.least.item
      ends.remove(slot)
      index.remove(UInt32(slot), hash: users[slot].hash)
      users.remove(slot)
    }
    if ends.isEmpty { lastEnd = .min }
  }

  /// The place of a user, from now on: a run of the user's is appended next.
  mutating func slot(of userId: Text, seed: UInt64) -> Int32 {
    var hash = TextHash(seed: seed)
    hash.add(userId)
    var probe = index.probe(for: hash.value)
    while let slot = index.next(&probe) {
      if users[Int32(slot)].id[0] == userId { return Int32(slot) }
    }
    let slot = users.insert(User(id: TextPack([userId]), hash: hash.value))
    index.insert(UInt32(slot), hash: hash.value)
    return slot
  }

  var byteCount: Int {
    var bytes = users.byteCount + index.byteCount + ends.byteCount
    for slot in ends.items {
      bytes += users[slot].id.byteCount + users[slot].runs.byteCount
      for place in 0..<users[slot].runs.count { bytes += users[slot].runs[place].id.byteCount }
    }
    return bytes
  }
}
