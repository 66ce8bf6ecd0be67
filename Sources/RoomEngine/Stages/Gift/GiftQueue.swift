import RoomModel

/// The queued combos of a room, by slot: whose turn is next, who would be skipped, who has waited long enough.
struct GiftQueue: ~Copyable {
  /// The first gets the next lane: in `tier` the highest tier, in `value` the greatest worth, and of equals, as in
  /// `fifo`, the longest queued.
  struct Turn: Comparable {
    /// The tier in `tier`, the worth in `value`, 0 in `fifo`.
    var rank: UInt128
    var age: Int64

    @inline(__always)
    static func < (a: Turn, b: Turn) -> Bool { a.rank != b.rank ? a.rank > b.rank : a.age < b.age }
  }

  /// The first is skipped when there are too many: the lowest tier, of equals the least worth, and of these the last
  /// queued.
  struct Weakness: Comparable {
    var tier: Int64
    var worth: UInt128
    var age: Int64

    @inline(__always)
    static func < (a: Weakness, b: Weakness) -> Bool {
      if a.tier != b.tier { return a.tier < b.tier }
      return a.worth != b.worth ? a.worth < b.worth : a.age > b.age
    }
  }

  private var turns = IndexedHeap<Turn>()
  private var weaknesses = IndexedHeap<Weakness>()
  /// Ends of the waits that do end.
  private var waits = IndexedHeap<Deadline>()
  /// `byUser`: how many wait for each lane.
  private var waitingFor = Block<Int32>()

  @inline(__always) var isEmpty: Bool { turns.isEmpty }
  @inline(__always) var count: Int { turns.count }
  var byteCount: Int { turns.byteCount + weaknesses.byteCount + waits.byteCount + waitingFor.byteCount }

  /// The combo whose wait runs out first; nil: no wait does.
  var nextWait: (slot: Int32, endsAt: LogTime)? { waits.isEmpty ? nil : (waits.least.item, waits.least.key.at) }

  /// There must be one.
  var weakest: Int32 { weaknesses.least.item }

  /// Whether a combo like this would be the weakest if it queued now, as the last.
  @inline(__always) func wouldBeWeakest(tier: Int64, worth: UInt128) -> Bool {
    isEmpty || Weakness(tier: tier, worth: worth, age: .max) < weaknesses.least.key
  }

  /// - Parameter waitEndsAt: `.max`: it waits on.
  mutating func add(
    _ slot: Int32, in combos: borrowing Slab<Combo>, waitEndsAt: LogTime, _ rules: borrowing Rules
  ) {
    if waitEndsAt < .max { waits.set(slot, to: Deadline(at: waitEndsAt, age: combos[slot].age)) }
    rank(slot, in: combos, rules)
    if rules.gift.placement == .byUser { count(slot, in: combos, rules, by: 1) }
  }

  mutating func remove(_ slot: Int32, in combos: borrowing Slab<Combo>, _ rules: borrowing Rules) {
    waits.remove(slot)
    turns.remove(slot)
    weaknesses.remove(slot)
    if rules.gift.placement == .byUser { count(slot, in: combos, rules, by: -1) }
  }

  /// It waits on, with no end but that of the queue's limit.
  mutating func waitOn(_ slot: Int32) { waits.remove(slot) }

  /// Its worth has changed, or what decides about its turn.
  mutating func rank(_ slot: Int32, in combos: borrowing Slab<Combo>, _ rules: borrowing Rules) {
    let worth = combos[slot].worth
    let tier = combos[slot].tier(rules)
    let age = combos[slot].age
    let rank: UInt128 =
      switch rules.gift.order {
      case .tier: UInt128(tier)
      case .value: worth
      case .fifo: 0
      }
    // Mostly the turn stays: the age of one that is queued does, and a tier seldom changes.
    if !turns.contains(slot) || turns.key(of: slot).rank != rank { turns.set(slot, to: Turn(rank: rank, age: age)) }
    weaknesses.set(slot, to: Weakness(tier: tier, worth: worth, age: age))
  }

  /// Whether combos that could take this lane are queued, more than those for which other lanes are about to be free.
  func awaits(lane: Int32, beside lanes: borrowing Lanes, _ rules: borrowing Rules) -> Bool {
    guard !isEmpty, lane < rules.gift.lanes else { return false }
    switch rules.gift.placement {
    case .bottomFirst: return count > lanes.leavingCount(below: rules.gift.lanes)
    case .byUser: return lane < waitingFor.count && waitingFor[Int(lane)] > 0
    }
  }

  /// The same of combos of a higher tier; the order must be `tier`.
  func awaits(
    lane: Int32, above tier: Int64, beside lanes: borrowing Lanes, in combos: borrowing Slab<Combo>,
    _ rules: borrowing Rules
  ) -> Bool {
    guard !isEmpty, turns.least.key.rank > UInt128(tier), lane < rules.gift.lanes else { return false }
    switch rules.gift.placement {
    case .bottomFirst:
      let leaving = lanes.leavingCount(below: rules.gift.lanes)
      return turns.hasMore(than: leaving) { $0.rank > UInt128(tier) }
    case .byUser:
      guard lane < waitingFor.count, waitingFor[Int(lane)] > 0 else { return false }
      for i in 0..<turns.count where turns.entry(at: i).key.rank > UInt128(tier) {
        if combos[turns.entry(at: i).item].ownLane(of: rules.gift.lanes) == lane { return true }
      }
      return false
    }
  }

  /// The combo for which a view leaves the lane: of those that could take it the first that gets no other lane which is
  /// about to be free.
  func awaited(
    on lane: Int32, beside lanes: borrowing Lanes, in combos: borrowing Slab<Combo>, _ rules: borrowing Rules
  ) -> Int32? {
    var waiting = slotsInTurn
    switch rules.gift.placement {
    case .bottomFirst: waiting.removeFirst(min(waiting.count, lanes.leavingCount(below: rules.gift.lanes)))
    case .byUser: waiting.removeAll { combos[$0].ownLane(of: rules.gift.lanes) != lane }
    }
    return waiting.first
  }

  /// Takes out the combo that gets a lane next, of those that are free (a bit each), and tells when its wait would have
  /// run out.
  mutating func takeNext(
    for free: UInt64, in combos: borrowing Slab<Combo>, _ rules: borrowing Rules
  ) -> (slot: Int32, lane: Int32, waitEndsAt: LogTime)? {
    guard free != 0, !isEmpty, let next = next(for: free, in: combos, rules) else { return nil }
    let waitEndsAt = waitEnd(of: next.slot)
    remove(next.slot, in: combos, rules)
    return (next.slot, next.lane, waitEndsAt)
  }

  /// The next combo that gets a lane. With `byUser` the whole queue is looked at for combos of the free lanes, but only
  /// if there are any: so once for each view that comes, which the ticks limit, and not for each gift.
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
    for slot in slots {
      rank(slot, in: combos, rules)
      if rules.gift.placement == .byUser { count(slot, in: combos, rules, by: 1) }
    }
  }

  /// Follows no order that means anything.
  var slots: [Int32] { turns.items }

  var slotsInTurn: [Int32] { turns.items.sorted { turns.key(of: $0) < turns.key(of: $1) } }

  /// The time when the wait of a queued combo runs out; `.max`: never, it waits on.
  func waitEnd(of slot: Int32) -> LogTime { waits.contains(slot) ? waits.key(of: slot).at : .max }

  private mutating func count(
    _ slot: Int32, in combos: borrowing Slab<Combo>, _ rules: borrowing Rules, by change: Int32
  ) {
    let lane = Int(combos[slot].ownLane(of: rules.gift.lanes))
    while lane >= waitingFor.count { waitingFor.append(0) }
    waitingFor[lane] += change
    if isEmpty { waitingFor.removeAll() }
  }
}
