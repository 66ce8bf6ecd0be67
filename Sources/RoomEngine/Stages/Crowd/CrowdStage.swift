import RoomModel

/// The crowds of a room, of which one bar shows one at a time (STAGES.md, section 8). The bar is free only while there
/// are none.
struct CrowdStage: ~Copyable {
  var crowds = Slab<Crowd>()
  private var index = SlotIndex()
  /// Crowds in the order in which they began.
  var ages = IndexedHeap<Int64>()
  private var age: Int64 = 0
  /// The one that is shown; -1: the bar is free.
  private(set) var shown: Int32 = -1
  private(set) var turnEndsAt: LogTime = .max
  private(set) var pace = Pace()
  /// Users that the last `crowdShow` named.
  private(set) var toldUsers = Block<TextPack<1>>()

  // MARK: Items join

  /// The offset of its crowd; nil: it finds none, and the room has as many as it may have.
  mutating func join(
    _ item: CrowdItem, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) -> Int64? {
    let slot: Int32
    if let found = find(item) {
      slot = found
    } else if Int64(crowds.count) < rules.crowd.kinds {
      slot = insert(Crowd(item))
    } else {
      return nil
    }
    crowds[slot].add(item, at: now)
    if shown < 0 {
      show(slot, at: now, rules, out: &out)
    } else if shown == slot {
      tellPaced(at: now, rules, out: &out)
    }
    return crowds[slot].offset
  }

  private func find(_ item: CrowdItem) -> Int32? {
    var probe = index.probe(for: item.hash)
    while let slot = index.next(&probe) {
      if crowds[Int32(slot)].isOf(item) { return Int32(slot) }
    }
    return nil
  }

  mutating func insert(_ crowd: consuming Crowd) -> Int32 {
    let hash = crowd.hash
    let slot = crowds.insert(crowd)
    crowds[slot].age = age
    ages.set(slot, to: age)
    age += 1
    index.insert(UInt32(slot), hash: hash)
    return slot
  }

  private mutating func forget(_ slot: Int32) {
    ages.remove(slot)
    index.remove(UInt32(slot), hash: crowds[slot].hash)
    crowds.remove(slot)
  }

  // MARK: The bar

  private mutating func show(_ slot: Int32, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) {
    shown = slot
    turnEndsAt = now + rules.crowd.showMs
    out.tell(.span(.init(.crowdTurn, ms: rules.crowd.showMs, until: turnEndsAt)))
    tell(at: now, rules, out: &out)
  }

  /// Tells the crowd that is shown, if that is not too late in its turn.
  private mutating func tellPaced(at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) {
    guard !pace.isPending, max(now, pace.closedUntil) <= turnEndsAt - rules.crowd.paceMs else { return }
    if pace.claim(at: now, every: rules.crowd.paceMs) { tell(at: now, rules, out: &out) }
  }

  private mutating func tell(at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) {
    let show = crowds[shown].show(out: &out)
    out.send(.crowdShow(out.lend(show)), at: now)
    let (items, units, names) = (crowds[shown].untoldItems, crowds[shown].untoldUnits, crowds[shown].names.count)
    out.count {
      $0.toldItems &+= items
      $0.toldUnits &+= units
      $0.names &+= Int64(names)
    }
    crowds[shown].toldItems = crowds[shown].items
    crowds[shown].toldUnits = crowds[shown].units
    crowds[shown].untoldSince = .max
    toldUsers.removeAll(keepingCapacity: true)
    for i in 0..<crowds[shown].names.count { toldUsers.append(TextPack([crowds[shown].names[i].userId])) }
    pace.sent(at: now, every: rules.crowd.paceMs)
    out.tell(.span(.init(.crowdShow, ms: rules.crowd.paceMs, until: pace.closedUntil)))
  }

  private mutating func endTurn(at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) {
    let old = shown
    let next = next(at: now, rules)
    if next == nil { out.send(.crowdHide(CrowdHide(crowdOffset: crowds[old].offset)), at: now) }
    if crowds[old].untoldItems == 0 { forget(old) }
    if let next {
      show(next, at: now, rules, out: &out)
    } else {
      self = CrowdStage()
    }
  }

  /// The crowd with something untold whose turn it is; nil: all is told.
  private func next(at now: LogTime, _ rules: borrowing Rules) -> Int32? {
    var longest: Int32?
    var dearest: Int32?
    for slot in ages.items where crowds[slot].untoldItems > 0 {
      if crowds[slot].untoldSince <= now - rules.crowd.waitMs {
        if let other = longest, !waits(slot, longerThan: other) { continue }
        longest = slot
      } else {
        if let other = dearest, !isDearer(slot, than: other) { continue }
        dearest = slot
      }
    }
    return longest ?? dearest
  }

  private func waits(_ slot: Int32, longerThan other: Int32) -> Bool {
    let (since, others) = (crowds[slot].untoldSince, crowds[other].untoldSince)
    return since != others ? since < others : crowds[slot].age < crowds[other].age
  }

  private func isDearer(_ slot: Int32, than other: Int32) -> Bool {
    let (worth, others) = (crowds[slot].untoldWorth, crowds[other].untoldWorth)
    return worth != others ? worth > others : crowds[slot].age < crowds[other].age
  }

  // MARK: Taken back, and over

  /// No crowd names that user any more.
  mutating func takeBack(user: Text, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) {
    var isShown = false
    for slot in ages.items {
      let named = crowds[slot].unname(user)
      guard named else { continue }
      out.tell(.unnamed(crowd: crowds[slot].offset))
      if slot == shown { isShown = true }
    }
    for i in 0..<toldUsers.count where toldUsers[i][0] == user { isShown = true }
    if isShown { tell(at: now, rules, out: &out) }
  }

  /// Returns what is untold.
  mutating func end(at now: LogTime, out: inout CommandOutlet) -> Unshown {
    var untold = Unshown()
    for slot in ages.items {
      untold.add(Unshown(items: crowds[slot].untoldItems, units: crowds[slot].untoldUnits))
      if crowds[slot].untoldItems > 0 { out.note(SkippedItem(untoldOf: crowds[slot])) }
    }
    if shown >= 0 { out.send(.crowdHide(CrowdHide(crowdOffset: crowds[shown].offset)), at: now) }
    self = CrowdStage()
    return untold
  }

  // MARK: Timers

  var nextTimer: RoomTimer {
    pace.deadline < turnEndsAt
      ? RoomTimer(deadline: pace.deadline, kind: .pacedCrowdShow)
      : RoomTimer(deadline: turnEndsAt, kind: .crowdTurnIsOver)
  }

  mutating func fire(_ timer: RoomTimer, _ rules: borrowing Rules, out: inout CommandOutlet) {
    switch timer.kind {
    case .crowdTurnIsOver: endTurn(at: timer.deadline, rules, out: &out)
    case .pacedCrowdShow: tell(at: timer.deadline, rules, out: &out)
    default: preconditionFailure("a timer of the crowd stage")
    }
  }

  /// Restores what was written.
  mutating func resume(
    showing slot: Int32, until turnEndsAt: LogTime, _ pace: Pace, toldUsers: consuming Block<TextPack<1>>
  ) {
    shown = slot
    self.turnEndsAt = turnEndsAt
    self.pace = pace
    self.toldUsers = toldUsers
  }

  // MARK: Memory and forgetting

  var isEmpty: Bool { shown < 0 }

  var byteCount: Int {
    var bytes = crowds.byteCount + index.byteCount + ages.byteCount + toldUsers.byteCount
    for slot in ages.items { bytes += crowds[slot].byteCount }
    for i in 0..<toldUsers.count { bytes += toldUsers[i].byteCount }
    return bytes
  }
}
