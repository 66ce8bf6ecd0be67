/// Finds slots by a hash: open addressing, eight bytes an entry, never walked.
///
/// It knows no keys. Its caller goes through the slots that have the hash and compares:
///
///     var probe = index.probe(for: hash)
///     while let slot = index.next(&probe) { if things[slot].isTheOne { … } }
struct SlotIndex: ~Copyable {
  struct Entry {
    var hash: UInt32
    var slot: UInt32
  }

  struct Probe {
    let hash: UInt32
    fileprivate var place: Int
  }

  private static var vacant: UInt32 { .max }

  private var entries = Block<Entry>()
  private var used: Int32 = 0

  private(set) var count: Int {
    @inline(__always) get { Int(used) }
    @inline(__always) set { used = Int32(newValue) }
  }

  var byteCount: Int { entries.byteCount }

  @inline(__always) func probe(for hash: UInt32) -> Probe {
    Probe(hash: hash, place: Int(hash))
  }

  @inline(__always) func next(_ probe: inout Probe) -> UInt32? {
    let mask = entries.count - 1
    guard mask >= 0 else { return nil }
    let entries = entries.elements
    while true {
      let entry = entries[probe.place & mask]
      guard entry.slot != Self.vacant else { return nil }
      // Places begin with a hash of 32 bits.
      probe.place &+= 1
      if entry.hash == probe.hash { return entry.slot }
    }
  }

  /// Inserts a slot, which must not be in already.
  mutating func insert(_ slot: UInt32, hash: UInt32) {
    precondition(slot != Self.vacant, "a slot below 2^32 - 1")
    if isFull { resize(to: max(8, entries.count * 2)) }
    put(Entry(hash: hash, slot: slot))
    count += 1
  }

  /// The same where `probe` has just come to its end in vain: there the slot belongs. The index must not be full.
  @inline(__always) mutating func insert(_ slot: UInt32, after probe: Probe) {
    entries.elements[probe.place & (entries.count - 1)] = Entry(hash: probe.hash, slot: slot)
    count += 1
  }

  /// The next to be put in would make it grow.
  var isFull: Bool { (count + 1) * 4 > entries.count * 3 }

  /// True if so few of its entries are wanted that it had better be smaller.
  func isSparse(with wanted: Int) -> Bool { entries.count > 8 && wanted * 8 < entries.count }

  /// Drops all slots that are not kept, of which there are `wanted`, and makes room for as many more.
  mutating func rebuild(for wanted: Int, keeping isKept: (UInt32) -> Bool) {
    var capacity = 8
    while capacity < 2 * wanted { capacity *= 2 }
    var old = Block(repeating: Entry(hash: 0, slot: Self.vacant), count: capacity)
    swap(&old, &entries)
    count = 0
    for i in 0..<old.count where old[i].slot != Self.vacant && isKept(old[i].slot) {
      put(old[i])
      count += 1
    }
  }

  mutating func replace(_ slot: UInt32, hash: UInt32, by newSlot: UInt32) {
    entries[place(of: slot, hash: hash)].slot = newSlot
  }

  mutating func remove(_ slot: UInt32, hash: UInt32) {
    var hole = place(of: slot, hash: hash)
    let mask = self.entries.count - 1
    let entries = self.entries.elements
    // Those behind that may stand in the hole move up, so that no probe ends too early.
    var next = hole
    while true {
      next = (next + 1) & mask
      let entry = entries[next]
      guard entry.slot != Self.vacant else { break }
      let home = Int(entry.hash) & mask
      if (next - home) & mask >= (next - hole) & mask {
        entries[hole] = entry
        hole = next
      }
    }
    entries[hole].slot = Self.vacant
    count -= 1
    if count == 0, mask >= 8 {
      self.entries.removeAll()
    } else if count * 8 <= mask, mask >= 8 {
      resize(to: self.entries.count / 2)
    }
  }

  private func place(of slot: UInt32, hash: UInt32) -> Int {
    let mask = entries.count - 1
    precondition(mask >= 0, "a slot that is in the index")
    let entries = entries.elements
    var place = Int(hash) & mask
    while entries[place].slot != slot {
      precondition(entries[place].slot != Self.vacant, "a slot that is in the index")
      place = (place + 1) & mask
    }
    return place
  }

  /// There must be a place that is vacant.
  @inline(__always) private mutating func put(_ entry: Entry) {
    let mask = self.entries.count - 1
    let entries = self.entries.elements
    var place = Int(entry.hash) & mask
    while entries[place].slot != Self.vacant { place = (place &+ 1) & mask }
    entries[place] = entry
  }

  @inline(never) private mutating func resize(to capacity: Int) {
    var old = Block(repeating: Entry(hash: 0, slot: Self.vacant), count: capacity)
    swap(&old, &entries)
    for i in 0..<old.count where old[i].slot != Self.vacant { put(old[i]) }
  }
}
