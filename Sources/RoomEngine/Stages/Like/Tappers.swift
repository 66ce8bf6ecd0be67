import RoomModel

/// Whose next tap in a room is a like if it comes soon enough (STAGES.md, section 5).
///
/// Each tap forgets those whose time is over, so they are no more than who tapped within the last `streakMs`.
struct Tappers: ~Copyable {
  struct Tapper: ~Copyable {
    let userId: TextPack<1>
    let hash: UInt32
  }

  private var tappers = Slab<Tapper>()
  private var index = SlotIndex()
  /// Until when each one's next tap is a like.
  private var ends = IndexedHeap<LogTime>()
  /// No end is later; `.min`: there is none.
  private(set) var lastEnd: LogTime = .min

  var isEmpty: Bool { ends.isEmpty }

  /// True: it is a like.
  mutating func tap(by userId: Text, at now: LogTime, _ rules: borrowing Rules) -> Bool {
    forgetEnded(by: now)
    let hash = Self.hash(rules.seed, userId)
    if let slot = find(userId, hash: hash) {
      set(slot, endsAt: now + rules.like.streakMs)
      return true
    }
    insert(userId, hash: hash, endsAt: now + rules.like.doubleTapMs)
    return false
  }

  /// Until when this user's next tap is a like; nil: it is none.
  func end(of userId: Text, seed: UInt64) -> LogTime? {
    find(userId, hash: Self.hash(seed, userId)).map { ends.key(of: $0) }
  }

  private static func hash(_ seed: UInt64, _ userId: Text) -> UInt32 {
    var hash = TextHash(seed: seed)
    hash.add(userId)
    return hash.value
  }

  private func find(_ userId: Text, hash: UInt32) -> Int32? {
    var probe = index.probe(for: hash)
    while let slot = index.next(&probe) {
      if tappers[Int32(slot)].userId[0] == userId { return Int32(slot) }
    }
    return nil
  }

  mutating func forgetEnded(by now: LogTime) {
    while !ends.isEmpty, ends.least.key <= now {
      let slot = ends.least.item
      ends.remove(slot)
      index.remove(UInt32(slot), hash: tappers[slot].hash)
      tappers.remove(slot)
    }
    if ends.isEmpty { lastEnd = .min }
  }

  private mutating func insert(_ userId: Text, hash: UInt32, endsAt: LogTime) {
    let slot = tappers.insert(Tapper(userId: TextPack([userId]), hash: hash))
    index.insert(UInt32(slot), hash: hash)
    set(slot, endsAt: endsAt)
  }

  private mutating func set(_ slot: Int32, endsAt: LogTime) {
    ends.set(slot, to: endsAt)
    lastEnd = max(lastEnd, endsAt)
  }

  var byteCount: Int {
    var bytes = tappers.byteCount + index.byteCount + ends.byteCount
    for i in 0..<ends.count { bytes += tappers[ends.entry(at: i).item].userId.byteCount }
    return bytes
  }
}

extension Tappers {
  /// Those that matter at `now`.
  func write(at now: LogTime, into state: inout StateWriter) {
    var live: Int64 = 0
    for i in 0..<ends.count where ends.entry(at: i).key > now { live += 1 }
    state.number(live)
    for i in 0..<ends.count {
      let entry = ends.entry(at: i)
      guard entry.key > now else { continue }
      state.text(tappers[entry.item].userId[0])
      state.time(entry.key)
    }
  }

  mutating func read(from state: inout StateReader, seed: UInt64) throws(StateError) {
    for _ in 0..<(try state.count()) {
      let userId = try state.text()
      guard TextPack<1>.holds([userId]) else { throw .damaged }
      insert(userId, hash: Self.hash(seed, userId), endsAt: try state.time())
    }
  }
}
