import RoomModel

/// The wishes of a room fly along the tracks as banners (STAGES.md, section 4).
struct WishStage: ~Copyable {
  var banners = Slab<RoomWish>()
  /// Wishes by their ids, and by what equal wishes have in common.
  private var index = SlotIndex()
  private var looks = SlotIndex()
  /// The queued ones, oldest first, and when their waits run out.
  var queue = IndexedHeap<Int64>()
  var waits = IndexedHeap<Deadline>()
  /// The time when the flying ones land, and when those with likes still pending send them if that is before.
  var landings = IndexedHeap<Deadline>()
  var pacedLikes = IndexedHeap<Deadline>()
  var tracks = Tracks()
  /// Counts up with what queued or flew.
  var age: Int64 = 0
  /// `.min`: none started that still counts.
  private(set) var lastStartAt: LogTime = .min
  /// The next start, by the interval in force.
  private(set) var intervalEndsAt: LogTime = .min
  /// The time when the first in the queue starts, as far as one knew when that was set; `.max`: none is queued.
  var nextStartAt: LogTime = .max
  /// The next timer, as of the last time that something happened.
  private(set) var nextTimer = RoomTimer.never

  // MARK: Events

  /// False if nothing came of it.
  ///
  /// - Parameter isTakenBack: It was before it came, or its user is muted: it is skipped.
  mutating func arrive(
    _ wish: Lent<Wish>, isTakenBack: Bool, at now: LogTime, _ rules: borrowing Rules, skips: inout SkipTallies,
    out: inout CommandOutlet
  ) -> Bool {
    defer { setNextTimer() }
    if isTakenBack {
      out.note(SkippedItem(wish, .retracted))
      skips.add(.wish, .retracted, units: 1, at: now, out: &out)
      return true
    }
    let hash = RoomWish.hash(rules.seed, wishId: wish.wishId)
    if let there = find(wish.wishId, hash: hash) {
      out.tell(.item(.init(wish.wishId, queue.contains(there) ? .isQueued : .isShown)))
      return false
    }
    let banner = RoomWish(wish, hash: hash, rules)
    if let equal = findEqual(banner, at: now, rules) {
      return like(equal, by: wish.sender.userId, at: now, rules, out: &out)
    }
    if queue.isEmpty {
      let start = nextStart(of: banner.width, at: now, rules)
      if start.at == now {
        out.drawn(.wish, afterMs: 0)
        out.tell(.item(.init(wish.wishId, .began)))
        fly(insert(banner), on: start.track, at: now, rules, out: &out)
        return true
      }
    }
    if queue.count >= rules.wish.queueLimit {
      out.note(SkippedItem(banner, .overflow, limit: rules.wish.queueLimit, count: queue.count))
      skips.add(.wish, .overflow, units: 1, at: now, out: &out)
      return true
    }
    let waitEndsAt = now + rules.wish.maxWaitMs
    enqueue(insert(banner), waitEndsAt: waitEndsAt)
    out.tell(.span(.init(.wishWait, id: wish.wishId, ms: rules.wish.maxWaitMs, until: waitEndsAt)))
    out.tell(.item(.init(wish.wishId, .queued(until: waitEndsAt))))
    if queue.count == 1 { setNextStart(at: now, rules) }
    return true
  }

  /// False if nothing came of it.
  mutating func like(
    _ like: WishLike, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) -> Bool {
    defer { setNextTimer() }
    guard let slot = find(like.wishId, hash: RoomWish.hash(rules.seed, wishId: like.wishId)) else {
      out.tell(.item(.init(like.wishId, .unknown)))
      return false
    }
    return self.like(slot, by: like.userId, at: now, rules, out: &out)
  }

  private mutating func like(
    _ slot: Int32, by userId: Text, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) -> Bool {
    let isNew = banners[slot].likers.add(userId, seed: rules.seed)
    out.tell(.item(.init(banners[slot].wishId, isNew ? .liked(banners[slot].likes) : .likedBefore)))
    if !isNew { return false }
    guard case .flying = banners[slot].phase else { return true }
    if banners[slot].pace.claim(at: now, every: rules.wish.likesMs) {
      tellPace(of: slot, rules, out)
      sendLikes(of: slot, at: now, out: &out)
    } else {
      awaitPace(of: slot)
    }
    return true
  }

  /// The landing sends what would be sent then or later.
  mutating func awaitPace(of slot: Int32) {
    let deadline = banners[slot].pace.deadline
    guard deadline < banners[slot].flight.landsAt else { return }
    pacedLikes.set(slot, to: Deadline(at: deadline, age: banners[slot].age))
  }

  func find(_ wishId: Text, hash: UInt32) -> Int32? {
    var probe = index.probe(for: hash)
    while let slot = index.next(&probe) {
      if banners[Int32(slot)].wishId == wishId { return Int32(slot) }
    }
    return nil
  }

  /// One that looks the same and flies, and began to not long ago, or else one that is queued; of several the oldest.
  func findEqual(_ banner: borrowing RoomWish, at now: LogTime, _ rules: borrowing Rules) -> Int32? {
    if rules.wish.mergeMs == 0 { return nil }
    var flying: Int32?
    var queued: Int32?
    var probe = looks.probe(for: banner.looksHash)
    while let found = looks.next(&probe) {
      let slot = Int32(found)
      guard banners[slot].looksLike(banner) else { continue }
      switch banners[slot].phase {
      case .flying(let flight):
        guard now - flight.startedAt < rules.wish.mergeMs else { continue }
        flying = older(slot, than: flying)
      case .queued:
        queued = older(slot, than: queued)
      }
    }
    return flying ?? queued
  }

  private func older(_ slot: Int32, than other: Int32?) -> Int32 {
    guard let other else { return slot }
    return banners[slot].age < banners[other].age ? slot : other
  }

  mutating func insert(_ banner: consuming RoomWish) -> Int32 {
    let hash = banner.hash
    let looksHash = banner.looksHash
    let slot = banners.insert(banner)
    index.insert(UInt32(slot), hash: hash)
    looks.insert(UInt32(slot), hash: looksHash)
    return slot
  }

  mutating func forget(_ slot: Int32) {
    index.remove(UInt32(slot), hash: banners[slot].hash)
    looks.remove(UInt32(slot), hash: banners[slot].looksHash)
    banners.remove(slot)
  }

  // MARK: Queue and tracks

  mutating func enqueue(_ slot: Int32, waitEndsAt: LogTime) {
    banners[slot].age = age
    age += 1
    queue.set(slot, to: banners[slot].age)
    waits.set(slot, to: Deadline(at: waitEndsAt, age: banners[slot].age))
  }

  mutating func dequeue(_ slot: Int32) {
    queue.remove(slot)
    waits.remove(slot)
  }

  /// The time when the first in the queue can start, and on which track.
  private func nextStart(of width: Int64, at now: LogTime, _ rules: borrowing Rules) -> (track: Int32, at: LogTime) {
    tracks.first(for: width, from: max(now, intervalEndsAt), rules)
  }

  /// The one that is now the first in the queue starts as soon as it can.
  mutating func setNextStart(at now: LogTime, _ rules: borrowing Rules) {
    nextStartAt = queue.isEmpty ? .max : nextStart(of: banners[queue.least.item].width, at: now, rules).at
  }

  private mutating func fly(
    _ slot: Int32, on track: Int32, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) {
    let flight = RoomWish.Flight(track: track, startedAt: now, landsAt: now + rules.wish.durationMs)
    launch(slot, flight)
    tracks.started(flight, width: banners[slot].width)
    out.tell(.bannerStarted(sinceLastMs: lastStartAt == .min ? nil : now - lastStartAt))
    setLastStart(now, rules)
    banners[slot].pace.sent(at: now, every: rules.wish.likesMs)
    tellPace(of: slot, rules, out)
    let fly = banners[slot].fly(rules, out: &out)
    out.send(.wishFly(out.lend(fly)), at: now)
  }

  mutating func launch(_ slot: Int32, _ flight: RoomWish.Flight) {
    banners[slot].age = age
    age += 1
    banners[slot].phase = .flying(flight)
    landings.set(slot, to: Deadline(at: flight.landsAt, age: banners[slot].age))
  }

  private mutating func start(at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) {
    let slot = queue.least.item
    let start = nextStart(of: banners[slot].width, at: now, rules)
    if start.at == now {
      out.drawn(.wish, afterMs: max(0, rules.wish.maxWaitMs - (waits.key(of: slot).at - now)))
      dequeue(slot)
      fly(slot, on: start.track, at: now, rules, out: &out)
    }
    // Settings have changed meanwhile if it couldn't, and it starts later than it should have.
    setNextStart(at: now, rules)
  }

  private mutating func skip(
    _ slot: Int32, at now: LogTime, _ rules: borrowing Rules, skips: inout SkipTallies, out: inout CommandOutlet
  ) {
    let wasFirst = queue.least.item == slot
    out.note(SkippedItem(banners[slot], .expired))
    dequeue(slot)
    forget(slot)
    if wasFirst { setNextStart(at: now, rules) }
    skips.add(.wish, .expired, units: 1, at: now, out: &out)
  }

  private mutating func land(_ slot: Int32, at now: LogTime, out: inout CommandOutlet) {
    if banners[slot].pace.isPending { sendLikes(of: slot, at: now, out: &out) }
    landings.remove(slot)
    forget(slot)
    if landings.isEmpty, tracks.landedAt <= now { tracks.removeAll() }
  }

  private mutating func sendPacedLikes(
    of slot: Int32, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) {
    pacedLikes.remove(slot)
    banners[slot].pace.sent(at: now, every: rules.wish.likesMs)
    tellPace(of: slot, rules, out)
    sendLikes(of: slot, at: now, out: &out)
  }

  /// Tells the pace that has begun.
  @inline(__always) private func tellPace(of slot: Int32, _ rules: borrowing Rules, _ out: borrowing CommandOutlet) {
    guard out.isHeard else { return }
    let until = banners[slot].pace.closedUntil
    out.tell(.span(.init(.wishLikes, id: banners[slot].wishId, ms: rules.wish.likesMs, until: until)))
  }

  private func sendLikes(of slot: Int32, at now: LogTime, out: inout CommandOutlet) {
    let likes = WishLikes(wishId: out.keep(banners[slot].wishId), likes: banners[slot].likes)
    out.send(.wishLikes(likes), at: now)
  }

  // MARK: Timers

  mutating func setNextTimer() {
    var next = RoomTimer.never
    func consider(_ heap: borrowing IndexedHeap<Deadline>, _ kind: RoomTimer.Kind) {
      guard !heap.isEmpty else { return }
      let timer = RoomTimer(deadline: heap.least.key.at, kind: kind, item: heap.least.item)
      if timer < next { next = timer }
    }
    consider(landings, .bannerLands)
    consider(pacedLikes, .pacedLikes)
    let start = RoomTimer(deadline: nextStartAt, kind: .nextBannerStarts)
    if start < next { next = start }
    consider(waits, .wishWaitRunsOut)
    nextTimer = next
  }

  mutating func fire(
    _ timer: RoomTimer, _ rules: borrowing Rules, skips: inout SkipTallies, out: inout CommandOutlet
  ) {
    defer { setNextTimer() }
    let now = timer.deadline
    switch timer.kind {
    case .bannerLands:
      land(timer.item, at: now, out: &out)
    case .pacedLikes:
      sendPacedLikes(of: timer.item, at: now, rules, out: &out)
    case .nextBannerStarts:
      start(at: now, rules, out: &out)
    case .wishWaitRunsOut:
      skip(timer.item, at: now, rules, skips: &skips, out: &out)
    default:
      preconditionFailure("a timer of the wish stage")
    }
  }

  // MARK: Memory and forgetting

  /// A value of these has changed. False: nobody will notice.
  mutating func settingsChanged(at now: LogTime, _ rules: borrowing Rules) -> Bool {
    if isForgotten(at: now) {
      // Forgets that it was ever there: a quiet room is not kept for an interval that may become longer.
      setLastStart(.min, intervalEndsAt: .min)
      return false
    }
    tracks.close(at: now)
    setLastStart(lastStartAt, rules)
    setNextStart(at: now, rules)
    setNextTimer()
    return true
  }

  private mutating func setLastStart(_ time: LogTime, _ rules: borrowing Rules) {
    setLastStart(time, intervalEndsAt: time == .min ? .min : time + rules.wish.intervalMs)
  }

  /// Sets the last start, also one that was read from a written state.
  mutating func setLastStart(_ time: LogTime, intervalEndsAt: LogTime) {
    lastStartAt = time
    self.intervalEndsAt = intervalEndsAt
  }

  var byteCount: Int {
    var bytes =
      banners.byteCount + index.byteCount + looks.byteCount + queue.byteCount + waits.byteCount + landings.byteCount
    bytes += pacedLikes.byteCount + tracks.byteCount
    for slot in queue.items + landings.items { bytes += banners[slot].byteCount }
    return bytes
  }

  /// The time from which on nothing is remembered unless more comes; `.max` while a wish is there.
  var forgottenFrom: LogTime { banners.count > 0 ? .max : max(intervalEndsAt, tracks.landedAt) }

  func isForgotten(at now: LogTime) -> Bool { forgottenFrom <= now }
}
