import RoomModel

/// Items that were taken back and may come only later, or come again: wishes, items of the spot and pins by their ids; or
/// users, who are muted (STAGES.md, section 9).
struct Retracts: ~Copyable {
  enum Kind: UInt8 { case wish, user, spot, pin }

  // Private, it crashes the compiler (6.3.1).
  struct Entry: ~Copyable {
    let text: TextPack<1>
    let kind: Kind
    let hash: UInt32
  }

  var entries = Slab<Entry>()
  private var index = SlotIndex()
  /// The time up to which each is remembered; of those that end together the oldest first.
  var ends = IndexedHeap<Deadline>()
  private var age: Int64 = 0

  static var limit: Int { 1000 }

  var isEmpty: Bool { ends.isEmpty }

  /// The time when the next is forgotten; `.max`: there is none.
  var nextEnd: LogTime { ends.isEmpty ? .max : ends.least.key.at }

  /// Asked with every gift: hardly any room has some.
  @inline(__always) func holds(_ kind: Kind, _ id: Text, at now: LogTime, seed: UInt64) -> Bool {
    isEmpty ? false : isHeld(kind, id, at: now, seed: seed)
  }

  @inline(never) private func isHeld(_ kind: Kind, _ id: Text, at now: LogTime, seed: UInt64) -> Bool {
    find(kind, id, hash: Self.hash(kind, id, seed)).map { ends.key(of: $0).at > now } ?? false
  }

  /// Takes the place of what was remembered of the same before. Where there are too many, the one that would be over first
  /// goes.
  ///
  /// - Returns: whether one went so, which may be the new one.
  mutating func remember(_ kind: Kind, _ id: Text, at now: LogTime, for span: Milliseconds, seed: UInt64) -> Bool {
    forgetEnded(by: now)
    let hash = Self.hash(kind, id, seed)
    if let before = find(kind, id, hash: hash) { forget(before) }
    if span > 0 { insert(kind, id, until: now + span, hash: hash) }
    guard ends.count > Self.limit else { return false }
    forget(ends.least.item)
    return true
  }

  /// Inserts what was written; to be called for the oldest first.
  mutating func insert(_ kind: Kind, _ id: Text, until end: LogTime, seed: UInt64) {
    insert(kind, id, until: end, hash: Self.hash(kind, id, seed))
  }

  private mutating func insert(_ kind: Kind, _ id: Text, until end: LogTime, hash: UInt32) {
    let slot = entries.insert(Entry(text: TextPack([id]), kind: kind, hash: hash))
    index.insert(UInt32(slot), hash: hash)
    ends.set(slot, to: Deadline(at: end, age: age))
    age += 1
  }

  mutating func forgetEnded(by now: LogTime) {
    while nextEnd <= now { forget(ends.least.item) }
  }

  private mutating func forget(_ slot: Int32) {
    ends.remove(slot)
    index.remove(UInt32(slot), hash: entries[slot].hash)
    entries.remove(slot)
  }

  func isThere(_ kind: Kind, _ id: Text, seed: UInt64) -> Bool {
    find(kind, id, hash: Self.hash(kind, id, seed)) != nil
  }

  private func find(_ kind: Kind, _ id: Text, hash: UInt32) -> Int32? {
    var probe = index.probe(for: hash)
    while let slot = index.next(&probe) {
      if entries[Int32(slot)].kind == kind, entries[Int32(slot)].text[0] == id { return Int32(slot) }
    }
    return nil
  }

  private static func hash(_ kind: Kind, _ id: Text, _ seed: UInt64) -> UInt32 {
    var hash = TextHash(seed: seed)
    hash.add(Int32(kind.rawValue))
    hash.add(id)
    return hash.value
  }

  var byteCount: Int {
    var bytes = entries.byteCount + index.byteCount + ends.byteCount
    for i in 0..<ends.count { bytes += entries[ends.entry(at: i).item].text.byteCount }
    return bytes
  }
}
