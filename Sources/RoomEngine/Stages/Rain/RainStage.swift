import RoomModel

/// The red packet rains of a room (STAGES.md, section 6).
struct RainStage: ~Copyable {
  /// The rains that run.
  var rains = Slab<RoomRain>()
  private var index = SlotIndex()
  private var turns = IndexedHeap<RoomRain.Turn>()
  var ids = RainIds()
  /// The number of rains so far.
  private var age: Int64 = 0

  // MARK: Events

  /// False if nothing came of it.
  mutating func start(
    _ start: Lent<RainStart>, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) -> Bool {
    let hash = RoomRain.hash(rules.seed, rainId: start.rainId)
    if let why = refusal(start.rainId, hash: hash, at: now, rules) {
      out.tell(.item(.init(start.rainId, why)))
      return false
    }
    out.tell(.item(.init(start.rainId, .began)))
    let span = rules.rain.rememberMs
    ids.forgetEnded(by: now)
    out.tell(.span(.init(.rainId, id: start.rainId, ms: span, until: now + span)))
    if span > 0 { ids.remember(start.rainId, until: now + span, runs: true, seed: rules.seed) }
    let slot = insert(RoomRain(start, hash: hash, at: now, rules))
    let (graceMs, endsAt) = (rains[slot].graceMs, rains[slot].endsAt)
    out.tell(.span(.init(.rainGrace, id: start.rainId, ms: graceMs, until: endsAt)))
    out.send(rains[slot].countdown(out: &out), at: now)
    return true
  }

  /// The reason why no rain of that id can begin; nil: one can.
  private func refusal(
    _ rainId: Text, hash: UInt32, at now: LogTime, _ rules: borrowing Rules
  ) -> Decision.ItemFate.Fate? {
    if find(rainId, hash: hash) != nil { return .isShown }
    if ids.holds(rainId, at: now, seed: rules.seed) { return .remembered }
    return rains.count < rules.rain.limit ? nil : .tooMany(limit: rules.rain.limit)
  }

  /// False if nothing came of it but its result.
  mutating func grab(
    _ grab: RainGrab, of event: RoomEvent, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) -> Bool {
    guard let slot = find(grab.rainId, hash: RoomRain.hash(rules.seed, rainId: grab.rainId)) else {
      out.tell(.grab(.init(.noRain, .missed)))
      out.reply(to: grab, of: event, .missed)
      return false
    }
    let (outcome, coins) = rains[slot].grab(grab.packet, by: grab.userId, at: now, seed: rules.seed)
    out.tell(.grab(rains[slot].fate(of: grab.packet, outcome, coins: coins)))
    out.reply(to: grab, of: event, outcome, coins: coins)
    guard outcome == .won || outcome == .empty else { return false }
    if rains[slot].pace.claim(at: now, every: rains[slot].tallyMs) {
      tellPace(of: slot, out)
      out.send(rains[slot].tally(out: &out), at: now)
    }
    turns.set(slot, to: rains[slot].next)
    return true
  }

  func find(_ rainId: Text, hash: UInt32) -> Int32? {
    var probe = index.probe(for: hash)
    while let slot = index.next(&probe) {
      if rains[Int32(slot)].rainId == rainId { return Int32(slot) }
    }
    return nil
  }

  mutating func insert(_ rain: consuming RoomRain) -> Int32 {
    let hash = rain.hash
    let slot = rains.insert(rain)
    rains[slot].age = age
    age += 1
    index.insert(UInt32(slot), hash: hash)
    turns.set(slot, to: rains[slot].next)
    return slot
  }

  /// The oldest first.
  var slots: [Int32] { turns.items.sorted { rains[$0].age < rains[$1].age } }

  // MARK: Timers

  var nextTimer: RoomTimer {
    guard !turns.isEmpty else { return .never }
    let turn = turns.least
    return RoomTimer(deadline: turn.key.at, kind: turn.key.kind, item: turn.item)
  }

  mutating func fire(_ timer: RoomTimer, _ rules: borrowing Rules, out: inout CommandOutlet) {
    let slot = timer.item
    let now = timer.deadline
    switch timer.kind {
    case .rainCountsDown:
      rains[slot].left -= 1
      out.send(rains[slot].countdown(out: &out), at: now)
    case .packetDrops:
      out.send(rains[slot].drop(rains[slot].dropped, out: &out), at: now)
      rains[slot].dropped += 1
    case .pacedTally:
      rains[slot].pace.sent(at: now, every: rains[slot].tallyMs)
      tellPace(of: slot, out)
      out.send(rains[slot].tally(out: &out), at: now)
    case .rainEnds:
      end(slot, at: now, rules, out: &out)
      return
    default:
      preconditionFailure("a timer of the rain stage")
    }
    turns.set(slot, to: rains[slot].next)
  }

  /// Tells the pace that has begun.
  @inline(__always) private func tellPace(of slot: Int32, _ out: borrowing CommandOutlet) {
    guard out.isHeard else { return }
    let (ms, until) = (rains[slot].tallyMs, rains[slot].pace.closedUntil)
    out.tell(.span(.init(.rainTally, id: rains[slot].rainId, ms: ms, until: until)))
  }

  private mutating func end(
    _ slot: Int32, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) {
    if rains[slot].pace.isPending { out.send(rains[slot].tally(out: &out), at: now) }
    out.send(rains[slot].end(out: &out), at: now)
    ids.ended(rains[slot].rainId, at: now, seed: rules.seed)
    forget(slot)
  }

  /// All end with the room (STAGES.md, section 9), the oldest first; their ids are remembered.
  mutating func endAll(at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) {
    for slot in slots { end(slot, at: now, rules, out: &out) }
  }

  private mutating func forget(_ slot: Int32) {
    turns.remove(slot)
    index.remove(UInt32(slot), hash: rains[slot].hash)
    rains.remove(slot)
  }

  // MARK: Memory and forgetting

  var byteCount: Int {
    var bytes = rains.byteCount + index.byteCount + turns.byteCount + ids.byteCount
    for slot in turns.items { bytes += rains[slot].byteCount }
    return bytes
  }

  var isEmpty: Bool { turns.isEmpty && ids.isEmpty }

  /// The time when the next id may come again, which no timer tells.
  var forgetsNextAt: LogTime { ids.nextEnd }

  mutating func forgetIds(endedBy now: LogTime) { ids.forgetEnded(by: now) }
}
