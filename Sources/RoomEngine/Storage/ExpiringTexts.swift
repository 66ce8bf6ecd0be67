import RoomModel

/// Texts, each remembered until a time of its own. One takes its bytes and about 60.
struct ExpiringTexts: ~Copyable {
  // Private, it crashes the compiler (6.3.1).
  struct Entry: ~Copyable {
    let text: TextPack<1>
    let hash: UInt32
  }

  var entries = Slab<Entry>()
  private var index = SlotIndex()
  /// The time up to which each text is remembered.
  var ends = IndexedHeap<LogTime>()
  /// No end is later; `.min`: there is none.
  private(set) var lastEnd: LogTime = .min

  var isEmpty: Bool { ends.isEmpty }

  /// The time when the next is forgotten; `.max`: there is none.
  var nextEnd: LogTime { ends.isEmpty ? .max : ends.least.key }

  /// The time up to which a text is remembered; nil: it is not.
  func end(of text: Text, seed: UInt64) -> LogTime? {
    find(text, hash: Self.hash(text, seed)).map { ends.key(of: $0) }
  }

  /// Sets its end to this one, also if it had another.
  mutating func remember(_ text: Text, until end: LogTime, seed: UInt64) {
    let hash = Self.hash(text, seed)
    ends.set(find(text, hash: hash) ?? insert(text, hash: hash), to: end)
    lastEnd = max(lastEnd, end)
  }

  mutating func forgetEnded(by now: LogTime) {
    while nextEnd <= now {
      let slot = ends.least.item
      ends.remove(slot)
      index.remove(UInt32(slot), hash: entries[slot].hash)
      entries.remove(slot)
    }
    if ends.isEmpty { lastEnd = .min }
  }

  private mutating func insert(_ text: Text, hash: UInt32) -> Int32 {
    let slot = entries.insert(Entry(text: TextPack([text]), hash: hash))
    index.insert(UInt32(slot), hash: hash)
    return slot
  }

  private func find(_ text: Text, hash: UInt32) -> Int32? {
    var probe = index.probe(for: hash)
    while let slot = index.next(&probe) {
      if entries[Int32(slot)].text[0] == text { return Int32(slot) }
    }
    return nil
  }

  private static func hash(_ text: Text, _ seed: UInt64) -> UInt32 {
    var hash = TextHash(seed: seed)
    hash.add(text)
    return hash.value
  }

  var byteCount: Int {
    var bytes = entries.byteCount + index.byteCount + ends.byteCount
    for i in 0..<ends.count { bytes += entries[ends.entry(at: i).item].text.byteCount }
    return bytes
  }
}
