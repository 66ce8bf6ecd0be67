import RoomModel

/// The ids of rains that began within `rememberMs`, and can't come again (STAGES.md, section 6). Each is remembered
/// because of a `rainStart` of the log, so they are no more than there were of these within that time; one takes its
/// bytes and about 60.
struct RainIds: ~Copyable {
  struct RainId: ~Copyable {
    let text: TextPack<1>
    let hash: UInt32
  }

  private var ids = Slab<RainId>()
  private var index = SlotIndex()
  /// Up to when each is remembered.
  private var ends = IndexedHeap<LogTime>()

  var isEmpty: Bool { ends.isEmpty }

  /// When the next is forgotten; `.max`: there is none.
  var nextEnd: LogTime { ends.isEmpty ? .max : ends.least.key }

  func contains(_ id: Text, hash: UInt32, at now: LogTime) -> Bool {
    find(id, hash: hash).map { now < ends.key(of: $0) } ?? false
  }

  mutating func remember(_ id: Text, hash: UInt32, endsAt: LogTime) {
    if let slot = find(id, hash: hash) {
      ends.set(slot, to: endsAt)
    } else {
      let slot = ids.insert(RainId(text: TextPack([id]), hash: hash))
      index.insert(UInt32(slot), hash: hash)
      ends.set(slot, to: endsAt)
    }
  }

  mutating func forgetEnded(by now: LogTime) {
    while nextEnd <= now {
      let slot = ends.least.item
      ends.remove(slot)
      index.remove(UInt32(slot), hash: ids[slot].hash)
      ids.remove(slot)
    }
  }

  private func find(_ id: Text, hash: UInt32) -> Int32? {
    var probe = index.probe(for: hash)
    while let slot = index.next(&probe) {
      if ids[Int32(slot)].text[0] == id { return Int32(slot) }
    }
    return nil
  }

  var byteCount: Int {
    var bytes = ids.byteCount + index.byteCount + ends.byteCount
    for i in 0..<ends.count { bytes += ids[ends.entry(at: i).item].text.byteCount }
    return bytes
  }
}

extension RainIds {
  /// Those remembered at `now`.
  func write(at now: LogTime, into state: inout StateWriter) {
    var live: Int64 = 0
    for i in 0..<ends.count where ends.entry(at: i).key > now { live += 1 }
    state.number(live)
    for i in 0..<ends.count {
      let entry = ends.entry(at: i)
      guard entry.key > now else { continue }
      state.text(ids[entry.item].text[0])
      state.time(entry.key)
    }
  }

  mutating func read(from state: inout StateReader, seed: UInt64) throws(StateError) {
    for _ in 0..<(try state.count()) {
      let id = try state.text()
      guard TextPack<1>.holds([id]) else { throw .damaged }
      remember(id, hash: Rain.hash(seed, rainId: id), endsAt: try state.time())
    }
  }
}
