import RoomModel

/// The gifts of a room: combos take turns on the lanes (STAGES.md, section 3).
///
/// Functions that only read it are inlined where an event comes by: a call that borrows the stage within one that changes
/// it copies it first.
struct GiftStage: ~Copyable {
  var combos = Slab<Combo>()
  /// Leaves out those that were taken back, and those that no gift joins.
  var index = SlotIndex()
  var lanes = Lanes()
  var queue = GiftQueue()
  /// The time when each resting combo is forgotten.
  var rests = IndexedHeap<Deadline>()
  var streaks = Streaks()
  /// The number of combos that have queued so far.
  var age: Int64 = 0
  /// The next timer, as of the last time that something happened.
  private(set) var nextTimer = RoomTimer.never

  // MARK: A gift arrives

  /// The number of gifts that arrive: of a streak those that are new.
  @inline(__always) mutating func count(of gift: Lent<Gift>, at now: LogTime, _ rules: borrowing Rules) -> Int64 {
    gift.streakId.isEmpty ? gift.count : streaks.add(gift, at: now, rules)
  }

  /// - Parameters:
  ///   - count: The number of gifts that arrive, 1 or more.
  ///   - isMuted: Its user is: it is skipped.
  /// - Returns: True: it was only counted, for a combo that shows it later; all timers are as they were.
  @inline(__always) mutating func arrive(
    _ gift: Lent<Gift>, count: Int64, isMuted: Bool, offset: Int64, at now: LogTime, _ rules: borrowing Rules,
    beside: inout BesideGifts, out: inout CommandOutlet
  ) -> Bool {
    if isMuted {
      let tier = rules.tiers.tier(value: gift.value, total: count)
      out.note(SkippedItem(gift, .retracted, offset: offset, tier: tier, units: count))
      beside.skips.add(.gift, .retracted, units: count, at: now, out: &out)
      return false
    }
    let giftHash = Crowd.hash(rules.seed, receiverId: gift.receiverId, giftId: gift.giftId)
    let hash = Combo.hash(userId: gift.sender.userId, after: giftHash)
    if gift.apart == 0, let slot = find(gift, hash: hash) {
      if out.isHeard { out.tell(.gift(combo: combos[slot].offset, count: count, was: whereabouts(of: slot))) }
      let keepsTimers = add(count, to: slot, at: now, rules, beside: &beside, out: &out)
      if keepsTimers, gift.streakId.isEmpty, !givesLanes(rules), queue.count <= rules.gift.queueLimit { return true }
    } else if isSkippedAtOnce(gift, count, rules) {
      if out.isHeard { out.tell(.gift(combo: offset, count: count, was: .new)) }
      let item = CrowdItem(gift, count: count, offset: offset, hash: giftHash.value)
      beside.skip(item, .overflow, tier: rules.tiers.tier(value: gift.value, total: count), at: now, rules, out: &out)
      return false
    } else {
      if out.isHeard { out.tell(.gift(combo: offset, count: count, was: .new)) }
      let slot = insert(Combo(gift, count: count, offset: offset, hash: hash))
      enqueue(slot, at: now, rules, beside: &beside, out: &out)
    }
    giveLanes(at: now, rules, beside: &beside, out: &out)
    while queue.count > rules.gift.queueLimit {
      skip(queue.weakest, .overflow, at: now, rules, beside: &beside, out: &out)
    }
    setNextTimer()
    return false
  }

  /// - Returns: Whether all timers are as they were.
  private mutating func add(
    _ count: Int64, to slot: Int32, at now: LogTime, _ rules: borrowing Rules, beside: inout BesideGifts,
    out: inout CommandOutlet
  ) -> Bool {
    combos[slot].total = combos[slot].total.adding(count)
    switch combos[slot].phase {
    case .queued:
      queue.rank(slot, in: combos, rules)
      return true
    case .onLane(let lane):
      return !lanes.endHold(on: lane)
    case .leaving:
      return true
    case .resting:
      rests.remove(slot)
      enqueue(slot, at: now, rules, beside: &beside, out: &out)
      return false
    }
  }

  @inline(__always) func find(_ gift: Lent<Gift>, hash: UInt32) -> Int32? {
    var probe = index.probe(for: hash)
    while let slot = index.next(&probe) {
      if combos[Int32(slot)].isOf(gift) { return Int32(slot) }
    }
    return nil
  }

  mutating func insert(_ combo: consuming Combo) -> Int32 {
    let (hash, isApart) = (combo.hash, combo.isApart)
    let slot = combos.insert(combo)
    if !isApart { index.insert(UInt32(slot), hash: hash) }
    return slot
  }

  mutating func forget(_ slot: Int32) {
    if !combos[slot].isApart { index.remove(UInt32(slot), hash: combos[slot].hash) }
    combos.remove(slot)
  }

  // MARK: The queue

  /// Queues a combo. One that need not wait gets its lane without going through the queue.
  private mutating func enqueue(
    _ slot: Int32, at now: LogTime, _ rules: borrowing Rules, beside: inout BesideGifts, out: inout CommandOutlet
  ) {
    if queue.isEmpty, let lane = lane(for: slot, rules) {
      out.drawn(.gift, afterMs: 0)
      show(slot, on: lane, at: now, rules, beside: &beside, out: &out)
    } else {
      let waitEndsAt = now + rules.gift.maxWaitMs
      enqueue(slot, waitEndsAt: waitEndsAt, rules)
      out.tell(.span(.init(.giftWait, combos[slot].offset, ms: rules.gift.maxWaitMs, until: waitEndsAt)))
    }
  }

  /// The lane that it gets if it is the only one to get one now.
  @inline(__always) private func lane(for slot: Int32, _ rules: borrowing Rules) -> Int32? {
    let free = lanes.free(of: rules.gift.lanes)
    guard free != 0 else { return nil }
    switch rules.gift.placement {
    case .bottomFirst:
      return Int32(63 - free.leadingZeroBitCount)
    case .byUser:
      let own = combos[slot].ownLane(of: rules.gift.lanes)
      return free & 1 << UInt64(own) != 0 ? own : nil
    }
  }

  mutating func enqueue(_ slot: Int32, waitEndsAt: LogTime, _ rules: borrowing Rules) {
    combos[slot].phase = .queued
    combos[slot].age = age
    age += 1
    queue.add(slot, in: combos, waitEndsAt: waitEndsAt, rules)
  }

  private mutating func skip(
    _ slot: Int32, _ reason: Skipped.Reason, at now: LogTime, _ rules: borrowing Rules, beside: inout BesideGifts,
    out: inout CommandOutlet
  ) {
    let hash = Crowd.hash(rules.seed, receiverId: combos[slot].receiverId, giftId: combos[slot].giftId)
    beside.skip(
      combos[slot].crowdItem(hash: hash.value), reason, tier: combos[slot].tier(rules), at: now, rules, out: &out)
    queue.remove(slot, in: combos, rules)
    forget(slot)
  }

  /// A combo that would start only to be skipped, as most do in a flood, need not start.
  @inline(__always) private func isSkippedAtOnce(_ gift: Lent<Gift>, _ count: Int64, _ rules: borrowing Rules) -> Bool {
    guard queue.count == rules.gift.queueLimit, lanes.free(of: rules.gift.lanes) == 0 else { return false }
    return queue.wouldBeWeakest(
      tier: rules.tiers.tier(value: gift.value, total: count),
      worth: UInt128(gift.value) * UInt128(count))
  }

  /// Inlines the common case: nobody waits, or no lane is free.
  @inline(__always) private mutating func giveLanes(
    at now: LogTime, _ rules: borrowing Rules, beside: inout BesideGifts, out: inout CommandOutlet
  ) {
    if givesLanes(rules) { giveFreeLanes(at: now, rules, beside: &beside, out: &out) }
  }

  @inline(__always) private func givesLanes(_ rules: borrowing Rules) -> Bool {
    !queue.isEmpty && lanes.free(of: rules.gift.lanes) != 0
  }

  @inline(never) private mutating func giveFreeLanes(
    at now: LogTime, _ rules: borrowing Rules, beside: inout BesideGifts, out: inout CommandOutlet
  ) {
    while let (slot, lane, waitEndsAt) = queue.takeNext(for: lanes.free(of: rules.gift.lanes), in: combos, rules) {
      let left = waitEndsAt == .max ? 0 : waitEndsAt - now
      out.drawn(.gift, afterMs: max(0, rules.gift.maxWaitMs - left))
      show(slot, on: lane, at: now, rules, beside: &beside, out: &out)
    }
  }

  // MARK: On a lane

  private mutating func show(
    _ slot: Int32, on lane: Int32, at now: LogTime, _ rules: borrowing Rules, beside: inout BesideGifts,
    out: inout CommandOutlet
  ) {
    let tier = combos[slot].tier(rules)
    combos[slot].phase = .onLane(lane)
    let view = Lanes.View(
      combo: slot, ticksAt: now + rules.gift.enterMs + rules.gift.tickMs, refreshesAt: refresh(after: now, rules),
      turnEndsAt: rules.gift.turnMs == 0 ? .max : now + rules.gift.turnMs,
      leastEndsAt: rules.gift.leastMs == 0 ? .max : now + rules.gift.leastMs, tier: tier)
    lanes[lane] = .showing(view)
    if out.isHeard {
      out.tell(.span(.init(.turn, Int64(lane), ms: rules.gift.turnMs, until: view.turnEndsAt)))
      out.tell(.span(.init(.least, Int64(lane), ms: rules.gift.leastMs, until: view.leastEndsAt)))
      tell(view, hadHold: true, isRefreshed: true, on: lane, rules, out)
    }
    sendShow(
      slot, on: lane, tier: tier, enterMs: rules.gift.enterMs, at: now, rules, beside: &beside, out: &out)
  }

  /// The time at which a combo that is shown now is shown again; `.max`: it isn't.
  private func refresh(after show: LogTime, _ rules: borrowing Rules) -> LogTime {
    rules.gift.refreshMs == 0 ? .max : show + rules.gift.refreshMs
  }

  private mutating func tick(
    _ lane: Int32, at now: LogTime, _ rules: borrowing Rules, beside: inout BesideGifts, out: inout CommandOutlet
  ) {
    var view = lanes.view(on: lane)
    let hadHold = view.holdEndsAt < .max
    let tier = combos[view.combo].tier(rules)
    let isRefreshed = now >= view.refreshesAt || tier != view.tier
    if isRefreshed {
      view.refreshesAt = refresh(after: now, rules)
      view.tier = tier
      sendShow(view.combo, on: lane, tier: tier, enterMs: 0, at: now, rules, beside: &beside, out: &out)
    }
    if combos[view.combo].gap > 0 {
      combos[view.combo].countUp(&view.step, rules.gift.catchUpTicks)
      let bump = GiftBump(
        comboOffset: combos[view.combo].offset, lane: Int64(lane), count: combos[view.combo].shown,
        tickMs: rules.gift.tickMs)
      out.send(.giftBump(bump), at: now)
    } else {
      allIsShown(&view, ofTier: tier, at: now, rules)
    }
    view.ticksAt = now + rules.gift.tickMs
    lanes.change(view, on: lane)
    if out.isHeard { tell(view, hadHold: hadHold, isRefreshed: isRefreshed, on: lane, rules, out) }
    if !queue.isEmpty, view.mayMakeRoom(at: now), let why = makesRoom(view, on: lane, at: now, rules) {
      hide(lane, why, at: now, rules, out: &out)
    }
  }

  /// The hold starts, unless it is running.
  @inline(__always) private func allIsShown(
    _ view: inout Lanes.View, ofTier tier: Int64, at now: LogTime, _ rules: borrowing Rules
  ) {
    view.step = 0
    guard view.holdEndsAt == .max else { return }
    let own = combos[view.combo].holdMs
    view.holdEndsAt = now + (own > 0 ? own : rules.tiers.hold(ofTier: tier))
  }

  /// A tick that finds all shown and nothing else to do: what `tick` would do then. False: it has more to do.
  @inline(__always) mutating func passQuietTick(_ lane: Int32, at now: LogTime, _ rules: borrowing Rules) -> Bool {
    var view = lanes.view(on: lane)
    guard now < view.refreshesAt, combos[view.combo].gap == 0,
      queue.isEmpty || !view.mayMakeRoom(at: now)
    else { return false }
    let tier = combos[view.combo].tier(rules)
    guard tier == view.tier else { return false }
    allIsShown(&view, ofTier: tier, at: now, rules)
    view.ticksAt = now + rules.gift.tickMs
    lanes.change(view, on: lane)
    setNextTimer()
    return true
  }

  /// Others have their turn, or a higher tier has it; nil: neither.
  @inline(__always) private func makesRoom(
    _ view: Lanes.View, on lane: Int32, at now: LogTime, _ rules: borrowing Rules
  ) -> Decision.HideCause? {
    if now >= view.turnEndsAt, queue.awaits(lane: lane, beside: lanes, rules) { return .turn }
    let isDearer =
      now >= view.leastEndsAt && rules.gift.order == .tier
      && queue.awaits(lane: lane, above: view.tier, beside: lanes, in: combos, rules)
    return isDearer ? .dearer : nil
  }

  mutating func hide(
    _ lane: Int32, _ why: Decision.HideCause, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) {
    tellHidden(lane, why, rules, out)
    if out.isHeard {
      out.tell(.span(.init(.exit, Int64(lane), ms: rules.gift.exitMs, until: now + rules.gift.exitMs)))
    }
    let slot = lanes.view(on: lane).combo
    combos[slot].phase = .leaving
    lanes[lane] = .leaving(combo: slot, freeAt: now + rules.gift.exitMs)
    let hide = GiftHide(
      comboOffset: combos[slot].offset, lane: Int64(lane), count: combos[slot].shown, exitMs: rules.gift.exitMs)
    out.send(.giftHide(hide), at: now)
  }

  private mutating func free(
    _ lane: Int32, at now: LogTime, _ rules: borrowing Rules, beside: inout BesideGifts, out: inout CommandOutlet
  ) {
    guard case .leaving(let slot, _) = lanes[lane] else { preconditionFailure("a lane that is about to be free") }
    lanes[lane] = .free
    giveLanes(at: now, rules, beside: &beside, out: &out)
    if combos[slot].isTakenBack {
      combos.remove(slot)
    } else if combos[slot].gap > 0 {
      enqueue(slot, at: now, rules, beside: &beside, out: &out)
      giveLanes(at: now, rules, beside: &beside, out: &out)
    } else {
      rest(slot, until: now + rules.gift.comboWindowMs)
    }
  }

  mutating func rest(_ slot: Int32, until end: LogTime) {
    combos[slot].phase = .resting
    rests.set(slot, to: Deadline(at: end, age: combos[slot].age))
  }

  private mutating func sendShow(
    _ slot: Int32, on lane: Int32, tier: Int64, enterMs: Milliseconds, at now: LogTime, _ rules: borrowing Rules,
    beside: inout BesideGifts, out: inout CommandOutlet
  ) {
    let show = combos[slot].show(on: lane, tier: tier, enterMs: enterMs, out: &out)
    out.send(.giftShow(out.lend(show)), at: now)
    guard tier > combos[slot].toldTier else { return }
    combos[slot].toldTier = tier
    if rules.spot.tier > 0, tier >= rules.spot.tier {
      beside.fillSpot(SpotItem(of: combos[slot], tier: tier, rules), at: now, rules, out: &out)
    }
  }

  // MARK: Timers

  mutating func setNextTimer() {
    var next = lanes.nextTimer
    if !rests.isEmpty {
      next = next.or(RoomTimer(deadline: rests.least.key.at, kind: .restRunsOut, item: rests.least.item))
    }
    if let first = queue.nextWait {
      next = next.or(RoomTimer(deadline: first.endsAt, kind: .giftWaitRunsOut, item: first.slot))
    }
    nextTimer = next
  }

  @inline(__always) mutating func fire(
    _ timer: RoomTimer, _ rules: borrowing Rules, beside: inout BesideGifts, out: inout CommandOutlet
  ) {
    defer { setNextTimer() }
    let now = timer.deadline
    switch timer.kind {
    case .laneBecomesFree:
      free(timer.item, at: now, rules, beside: &beside, out: &out)
    case .holdRunsOut:
      hide(timer.item, .hold, at: now, rules, out: &out)
    case .tick:
      tick(timer.item, at: now, rules, beside: &beside, out: &out)
    case .restRunsOut:
      rests.remove(timer.item)
      forget(timer.item)
    case .giftWaitRunsOut:
      if combos[timer.item].tier(rules) > 0 {
        queue.waitOn(timer.item)
      } else {
        skip(timer.item, .expired, at: now, rules, beside: &beside, out: &out)
      }
    default:
      preconditionFailure("a timer of the gift stage")
    }
  }

  // MARK: Memory and forgetting

  mutating func settingsChanged(_ rules: borrowing Rules) {
    queue.settingsChanged(in: combos, rules)
  }

  /// Gives back the memory of combos where there are none.
  mutating func giveBackMemory() {
    guard combos.slotCount > 0, combos.count == 0 else { return }
    combos = Slab()
    index = SlotIndex()
    lanes = Lanes()
    queue = GiftQueue()
    rests = IndexedHeap()
  }

  var byteCount: Int {
    var bytes = combos.byteCount + index.byteCount + lanes.byteCount + queue.byteCount + rests.byteCount
    bytes += streaks.byteCount
    for slot in queue.slots + rests.items { bytes += combos[slot].byteCount }
    for lane in 0..<lanes.count {
      switch lanes[lane] {
      case .free: break
      case .showing(let view): bytes += combos[view.combo].byteCount
      case .leaving(let slot, _): bytes += combos[slot].byteCount
      }
    }
    return bytes
  }

  var isEmpty: Bool { combos.count == 0 && streaks.isEmpty }

  /// The time when the next streak is forgotten, which no timer tells.
  var forgetsNextAt: LogTime { streaks.nextEnd }

  mutating func forgetStreaks(endedBy now: LogTime) { streaks.forgetEnded(by: now) }
}
