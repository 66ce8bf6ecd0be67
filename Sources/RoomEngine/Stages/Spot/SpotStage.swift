import RoomModel

/// The spot of a room, where one item at a time fills the screen (STAGES.md, section 7).
struct SpotStage: ~Copyable {
  /// The first is shown next: the greatest worth, of equals the longest queued.
  struct Turn: Comparable {
    var worth: UInt128
    var age: Int64

    @inline(__always)
    static func < (a: Turn, b: Turn) -> Bool { a.worth != b.worth ? a.worth > b.worth : a.age < b.age }
  }

  /// The first is skipped when there are too many: the least worth, of equals the last queued.
  struct Weakness: Comparable {
    var worth: UInt128
    var age: Int64

    @inline(__always)
    static func < (a: Weakness, b: Weakness) -> Bool { a.worth != b.worth ? a.worth < b.worth : a.age > b.age }
  }

  /// The item that was shown last.
  struct Shown: ~Copyable {
    /// Its id, its user.
    var texts = TextPack<2>([.empty, .empty])
    /// The same as of a `SpotItem`.
    var comboOffset: Int64 = -1
    /// `.min`: there was none, or it is gone.
    var endsAt: LogTime = .min

    var spotId: Text { texts[0] }
    var userId: Text { texts[1] }
  }

  /// The items that are queued.
  var items = Slab<SpotItem>()
  /// Items by their ids.
  private var index = SlotIndex()
  private var turns = IndexedHeap<Turn>()
  private var weaknesses = IndexedHeap<Weakness>()
  var waits = IndexedHeap<Deadline>()
  /// The number of items that have queued so far.
  private var age: Int64 = 0
  var shown = Shown()
  /// `.max`: it is.
  var becomesFreeAt: LogTime = .max

  var count: Int { turns.count }

  private var isFree: Bool { becomesFreeAt == .max }

  // MARK: An item comes

  /// - Parameter isTakenBack: It was before it came, or its user is muted: it is skipped.
  mutating func arrive(
    _ item: consuming SpotItem, isTakenBack: Bool, at now: LogTime, _ rules: borrowing Rules,
    skips: inout SkipTallies, out: inout CommandOutlet
  ) {
    if isTakenBack {
      out.note(SkippedItem(item, .retracted))
      skips.add(.spot, .retracted, units: 1, at: now, out: &out)
      return
    }
    if isShown(at: now), shown.spotId == item.spotId {
      out.tell(.item(.init(item.spotId, .isShown)))
      return
    }
    if find(item.spotId, hash: item.hash) != nil {
      out.tell(.item(.init(item.spotId, .isQueued)))
      return
    }
    if item.isOfCombo, let other = find(combo: item.comboOffset) {
      replace(other, by: item)
    } else {
      let waitEndsAt = now + rules.spot.maxWaitMs
      let id = item.isOfCombo ? Text.empty : item.spotId
      out.tell(
        .span(.init(.spotWait, max(0, item.comboOffset), id: id, ms: rules.spot.maxWaitMs, until: waitEndsAt)))
      out.tell(.item(.init(item.spotId, .queued(until: waitEndsAt))))
      enqueue(item, waitEndsAt: waitEndsAt)
    }
    if isFree { showNext(at: now, rules, out: &out) }
    while Int64(count) > rules.spot.queueLimit {
      skip(weaknesses.least.item, .overflow, at: now, rules, skips: &skips, out: &out)
    }
  }

  func isShown(at now: LogTime) -> Bool { now < shown.endsAt }

  func find(_ spotId: Text, hash: UInt32) -> Int32? {
    var probe = index.probe(for: hash)
    while let slot = index.next(&probe) {
      if items[Int32(slot)].spotId == spotId { return Int32(slot) }
    }
    return nil
  }

  /// Its item that is queued. All are looked at, once for each tier that a combo reaches.
  private func find(combo offset: Int64) -> Int32? { turns.items.first { items[$0].comboOffset == offset } }

  // MARK: The queue

  /// Queues an item, also one that was read from a written state.
  mutating func enqueue(_ item: consuming SpotItem, waitEndsAt: LogTime) {
    let slot = items.insert(item)
    items[slot].age = age
    age += 1
    waits.set(slot, to: Deadline(at: waitEndsAt, age: items[slot].age))
    put(slot)
  }

  /// It keeps its place in the queue, and its wait.
  private mutating func replace(_ slot: Int32, by item: consuming SpotItem) {
    let age = items[slot].age
    index.remove(UInt32(slot), hash: items[slot].hash)
    items[slot] = item
    items[slot].age = age
    put(slot)
  }

  private mutating func put(_ slot: Int32) {
    index.insert(UInt32(slot), hash: items[slot].hash)
    turns.set(slot, to: Turn(worth: items[slot].worth, age: items[slot].age))
    weaknesses.set(slot, to: Weakness(worth: items[slot].worth, age: items[slot].age))
  }

  private mutating func takeOut(_ slot: Int32) {
    waits.remove(slot)
    turns.remove(slot)
    weaknesses.remove(slot)
    index.remove(UInt32(slot), hash: items[slot].hash)
    items.remove(slot)
  }

  /// Queued items, in the order in which they are shown.
  var slotsInTurn: [Int32] { turns.items.sorted { turns.key(of: $0) < turns.key(of: $1) } }

  // MARK: The spot

  private mutating func showNext(at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) {
    guard !turns.isEmpty else {
      becomesFreeAt = .max
      return
    }
    let slot = turns.least.item
    let durationMs = items[slot].durationMs > 0 ? items[slot].durationMs : rules.spot.durationMs
    shown = Shown(
      texts: TextPack([items[slot].spotId, items[slot].userId]), comboOffset: items[slot].comboOffset,
      endsAt: now + durationMs)
    becomesFreeAt = now + durationMs + rules.spot.gapMs
    out.drawn(.spot, afterMs: max(0, rules.spot.maxWaitMs - (waits.key(of: slot).at - now)))
    let show = items[slot].show(for: durationMs, out: &out)
    takeOut(slot)
    out.send(.spotShow(out.lend(show)), at: now)
  }

  private mutating func skip(
    _ slot: Int32, _ reason: Skipped.Reason, at now: LogTime, _ rules: borrowing Rules, skips: inout SkipTallies,
    out: inout CommandOutlet
  ) {
    out.note(SkippedItem(items[slot], reason, limit: rules.spot.queueLimit))
    takeOut(slot)
    skips.add(.spot, reason, units: 1, at: now, out: &out)
  }

  // MARK: Taken back, and over

  enum TakenBack {
    case item(Text)
    /// The items of the combo that began with this record.
    case combo(offset: Int64)
    case user(Text)
  }

  /// Returns those that were queued.
  mutating func takeBack(
    _ what: TakenBack, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) -> Unshown {
    if isShown(at: now), isShownOne(of: what) {
      sendGone(.retracted, at: now, out: &out)
      becomesFreeAt = now + rules.spot.gapMs
    }
    var queued = Unshown()
    for slot in turns.items where isOne(slot, of: what) {
      out.note(SkippedItem(items[slot], .retracted))
      out.tell(.removed(.init(.spot, items[slot].spotId), .retracted))
      queued.add(units: 1)
      takeOut(slot)
    }
    return queued
  }

  private func isShownOne(of what: TakenBack) -> Bool {
    switch what {
    case .item(let spotId): shown.spotId == spotId
    case .combo(let offset): shown.comboOffset == offset
    case .user(let userId): shown.userId == userId
    }
  }

  private func isOne(_ slot: Int32, of what: TakenBack) -> Bool {
    switch what {
    case .item(let spotId): items[slot].spotId == spotId
    case .combo(let offset): items[slot].comboOffset == offset
    case .user(let userId): items[slot].userId == userId
    }
  }

  private mutating func sendGone(_ why: Skipped.Reason, at now: LogTime, out: inout CommandOutlet) {
    out.tell(.removed(.init(.spot, shown.spotId), why))
    out.send(.spotGone(SpotGone(spotId: out.keep(shown.spotId))), at: now)
    shown.endsAt = .min
  }

  mutating func endShown(at now: LogTime, out: inout CommandOutlet) {
    if isShown(at: now) { sendGone(.ended, at: now, out: &out) }
  }

  /// All is forgotten. Returns those that were queued.
  mutating func end(out: inout CommandOutlet) -> Unshown {
    var queued = Unshown()
    for slot in turns.items {
      out.note(SkippedItem(items[slot], .ended))
      out.tell(.removed(.init(.spot, items[slot].spotId), .ended))
      queued.add(units: 1)
    }
    self = SpotStage()
    return queued
  }

  // MARK: Timers

  /// Inlined: a call that borrows the stage within one that changes the room copies it first.
  @inline(__always) var nextTimer: RoomTimer {
    let free = RoomTimer(deadline: becomesFreeAt, kind: .spotBecomesFree)
    guard !waits.isEmpty else { return free }
    let wait = RoomTimer(deadline: waits.least.key.at, kind: .spotWaitRunsOut, item: waits.least.item)
    return wait < free ? wait : free
  }

  mutating func fire(
    _ timer: RoomTimer, _ rules: borrowing Rules, skips: inout SkipTallies, out: inout CommandOutlet
  ) {
    switch timer.kind {
    case .spotBecomesFree: showNext(at: timer.deadline, rules, out: &out)
    case .spotWaitRunsOut: skip(timer.item, .expired, at: timer.deadline, rules, skips: &skips, out: &out)
    default: preconditionFailure("a timer of the spot stage")
    }
  }

  // MARK: Memory and forgetting

  var isEmpty: Bool { isFree && turns.isEmpty }

  var byteCount: Int {
    var bytes = items.byteCount + index.byteCount + turns.byteCount + weaknesses.byteCount + waits.byteCount
    for slot in turns.items { bytes += items[slot].byteCount }
    return bytes
  }
}
