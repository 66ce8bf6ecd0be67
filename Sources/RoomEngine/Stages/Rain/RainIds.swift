import RoomModel

/// The ids of rains that began less than `rememberMs` ago, and can't come again; of those that no longer run the latest
/// 1000 (STAGES.md, section 6).
struct RainIds: ~Copyable {
  // Private, it crashes the compiler (6.3.1).
  struct Entry: ~Copyable {
    let text: TextPack<1>
    let hash: UInt32
    /// The number of those that were remembered before.
    let age: Int64
    var runs: Bool
  }

  var entries = Slab<Entry>()
  private var index = SlotIndex()
  /// The time up to which each is remembered.
  var ends = IndexedHeap<LogTime>()
  private var age: Int64 = 0
  /// The number of ids whose rains run.
  private var runningCount = 0

  static var limit: Int { 1000 }

  var isEmpty: Bool { ends.isEmpty }

  /// The time when the next is forgotten; `.max`: there is none.
  var nextEnd: LogTime { ends.isEmpty ? .max : ends.least.key }

  func holds(_ id: Text, at now: LogTime, seed: UInt64) -> Bool {
    find(id, hash: RoomRain.hash(seed, rainId: id)).map { ends.key(of: $0) > now } ?? false
  }

  /// A rain begins. Its id must not be there.
  mutating func remember(_ id: Text, until end: LogTime, runs: Bool, seed: UInt64) {
    let hash = RoomRain.hash(seed, rainId: id)
    let slot = entries.insert(Entry(text: TextPack([id]), hash: hash, age: age, runs: runs))
    age += 1
    if runs { runningCount += 1 }
    index.insert(UInt32(slot), hash: hash)
    ends.set(slot, to: end)
  }

  func isThere(_ id: Text, seed: UInt64) -> Bool { find(id, hash: RoomRain.hash(seed, rainId: id)) != nil }

  /// A rain of that id runs, as it was written.
  mutating func runs(_ id: Text, seed: UInt64) {
    guard let slot = find(id, hash: RoomRain.hash(seed, rainId: id)), !entries[slot].runs else { return }
    entries[slot].runs = true
    runningCount += 1
  }

  /// A rain ends: of those that no longer run the oldest may be forgotten.
  mutating func ended(_ id: Text, at now: LogTime, seed: UInt64) {
    forgetEnded(by: now)
    if let slot = find(id, hash: RoomRain.hash(seed, rainId: id)), entries[slot].runs {
      entries[slot].runs = false
      runningCount -= 1
    }
    while ends.count - runningCount > Self.limit { forget(oldest) }
  }

  mutating func forgetEnded(by now: LogTime) {
    while nextEnd <= now { forget(ends.least.item) }
  }

  /// The oldest that no longer runs; there must be one.
  private var oldest: Int32 {
    var oldest: Int32 = -1
    for slot in ends.items where !entries[slot].runs {
      if oldest < 0 || entries[slot].age < entries[oldest].age { oldest = slot }
    }
    return oldest
  }

  private mutating func forget(_ slot: Int32) {
    ends.remove(slot)
    if entries[slot].runs { runningCount -= 1 }
    index.remove(UInt32(slot), hash: entries[slot].hash)
    entries.remove(slot)
  }

  private func find(_ id: Text, hash: UInt32) -> Int32? {
    var probe = index.probe(for: hash)
    while let slot = index.next(&probe) {
      if entries[Int32(slot)].text[0] == id { return Int32(slot) }
    }
    return nil
  }

  var byteCount: Int {
    var bytes = entries.byteCount + index.byteCount + ends.byteCount
    for i in 0..<ends.count { bytes += entries[ends.entry(at: i).item].text.byteCount }
    return bytes
  }
}
