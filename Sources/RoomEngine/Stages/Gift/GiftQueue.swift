import RoomModel

/// The queued combos of a room, by slot: whose turn is next, who would be skipped, who has waited long enough.
struct GiftQueue: ~Copyable {
  /// The first gets the next lane: in `value` the greatest worth, and of equals, as in `fifo`, the longest queued.
  struct Turn: Comparable {
    /// 0 in `fifo`.
    var worth: UInt128
    var age: Int64

    @inline(__always)
    static func < (a: Turn, b: Turn) -> Bool { a.worth != b.worth ? a.worth > b.worth : a.age < b.age }
  }

  /// The first is skipped when there are too many: the least worth, and of equals the last queued.
  struct Weakness: Comparable {
    var worth: UInt128
    var age: Int64

    @inline(__always)
    static func < (a: Weakness, b: Weakness) -> Bool { a.worth != b.worth ? a.worth < b.worth : a.age > b.age }
  }

  private var turns = IndexedHeap<Turn>()
  private var weaknesses = IndexedHeap<Weakness>()
  private var waits = IndexedHeap<Deadline>()
  /// `byUser`: how many wait for each lane.
  private var waitingFor = Block<Int32>()

  var isEmpty: Bool { turns.isEmpty }
  var count: Int { turns.count }
  var byteCount: Int { turns.byteCount + weaknesses.byteCount + waits.byteCount + waitingFor.byteCount }

  /// Whose wait runs out first; there must be one.
  var nextWait: (slot: Int32, endsAt: LogTime) { (waits.least.item, waits.least.key.at) }

  /// There must be one.
  var weakest: Int32 { weaknesses.least.item }
  var leastWorth: UInt128 { weaknesses.least.key.worth }

  mutating func add(
    _ slot: Int32, in combos: borrowing Slab<Combo>, waitEndsAt: LogTime, _ rules: borrowing Rules
  ) {
    waits.set(slot, to: Deadline(at: waitEndsAt, age: combos[slot].age))
    rank(slot, in: combos, rules)
    if rules.gift.placement == .byUser { count(slot, in: combos, rules, by: 1) }
  }

  mutating func remove(_ slot: Int32, in combos: borrowing Slab<Combo>, _ rules: borrowing Rules) {
    waits.remove(slot)
    turns.remove(slot)
    weaknesses.remove(slot)
    if rules.gift.placement == .byUser { count(slot, in: combos, rules, by: -1) }
  }

  /// Its worth has changed, or what decides about its turn.
  mutating func rank(_ slot: Int32, in combos: borrowing Slab<Combo>, _ rules: borrowing Rules) {
    let worth = combos[slot].worth
    let age = combos[slot].age
    turns.set(slot, to: Turn(worth: rules.gift.order == .value ? worth : 0, age: age))
    weaknesses.set(slot, to: Weakness(worth: worth, age: age))
  }

  /// Whether some combo could take this lane.
  func awaits(lane: Int32, _ rules: borrowing Rules) -> Bool {
    guard !isEmpty, lane < rules.gift.lanes else { return false }
    return rules.gift.placement == .bottomFirst || lane < waitingFor.count && waitingFor[Int(lane)] > 0
  }

  /// Takes out the combo that gets a lane next, of those that are free (a bit each).
  mutating func takeNext(
    for free: UInt64, in combos: borrowing Slab<Combo>, _ rules: borrowing Rules
  ) -> (slot: Int32, lane: Int32)? {
    guard free != 0, !isEmpty, let next = next(for: free, in: combos, rules) else { return nil }
    remove(next.slot, in: combos, rules)
    return next
  }

  /// In `byUser` the whole queue is looked at for those of the free lanes, but only if there are any: so once for each
  /// view that comes, which the ticks limit, and not for each gift.
  private func next(
    for free: UInt64, in combos: borrowing Slab<Combo>, _ rules: borrowing Rules
  ) -> (slot: Int32, lane: Int32)? {
    switch rules.gift.placement {
    case .bottomFirst:
      return (turns.least.item, Int32(63 - free.leadingZeroBitCount))
    case .byUser:
      var awaited: UInt64 = 0
      for lane in 0..<waitingFor.count where waitingFor[lane] > 0 { awaited |= 1 << UInt64(lane) }
      guard free & awaited != 0 else { return nil }
      var first: (turn: IndexedHeap<Turn>.Entry, lane: Int32)?
      for i in 0..<turns.count {
        let turn = turns.entry(at: i)
        let lane = combos[turn.item].ownLane(of: rules.gift.lanes)
        guard free & 1 << UInt64(lane) != 0 else { continue }
        if let best = first, best.turn.key < turn.key { continue }
        first = (turn, lane)
      }
      return first.map { ($0.turn.item, $0.lane) }
    }
  }

  /// Ranks everyone anew where the order, the placement or the number of lanes has changed.
  mutating func settingsChanged(in combos: borrowing Slab<Combo>, _ rules: borrowing Rules) {
    waitingFor.removeAll()
    for i in 0..<waits.count {
      let slot = waits.entry(at: i).item
      rank(slot, in: combos, rules)
      if rules.gift.placement == .byUser { count(slot, in: combos, rules, by: 1) }
    }
  }

  /// In no order that means anything.
  var slots: [Int32] { waits.items }

  var slotsInTurn: [Int32] { turns.items.sorted { turns.key(of: $0) < turns.key(of: $1) } }

  /// When the wait of a queued combo runs out.
  func waitEnd(of slot: Int32) -> LogTime { waits.key(of: slot).at }

  private mutating func count(
    _ slot: Int32, in combos: borrowing Slab<Combo>, _ rules: borrowing Rules, by change: Int32
  ) {
    let lane = Int(combos[slot].ownLane(of: rules.gift.lanes))
    while lane >= waitingFor.count { waitingFor.append(0) }
    waitingFor[lane] += change
    if isEmpty { waitingFor.removeAll() }
  }
}
