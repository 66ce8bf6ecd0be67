import RoomModel

/// A goal that runs (STAGES.md, section 13).
struct RoomGoal: ~Copyable {
  /// A sum of what was counted here, and the greatest score that was told of it.
  struct Sum {
    var added: Int64 = 0
    var score: Int64 = 0
  }

  struct Side: ~Copyable {
    let id: TextPack<1>
    var sum = Sum()

    /// Whoever tells a side's total tells all of it.
    var total: Int64 { max(sum.added, sum.score) }
  }

  /// Its id, the only gift that counts, the only receiver.
  let ids: TextPack<3>
  /// Its text and its `extra`.
  private(set) var texts: TextPack<2>
  let by: Goal.By
  private(set) var target: Int64
  /// Empty: it is no battle.
  private(set) var sides = Block<Side>()
  /// The place of the side for which gifts count that are for none of them; -1: they don't count.
  let home: Int32
  let startMs: LogTime
  private(set) var endMs: LogTime
  /// The time when it is over: a battle runs on for a while.
  private(set) var overAt: LogTime
  private(set) var toldAgainAt: LogTime = .max
  var pace = Pace()
  /// Of a goal without sides.
  private(set) var sum = Sum()
  private(set) var isReached = false

  init(_ goal: Lent<Goal>, at now: LogTime, _ rules: borrowing Rules) {
    var home: Int32 = -1
    for place in goal.sides.indices where goal.sides[place] == goal.home { home = Int32(place) }
    self.init(
      ids: [goal.goalId, goal.giftId, goal.receiverId], texts: [goal.text, goal.extra], by: goal.by,
      target: goal.target, home: home, startMs: now)
    for id in goal.sides { append(side: id, Sum()) }
    setEnd(now + (goal.durationMs > 0 ? goal.durationMs : Goal.standardMs), rules)
  }

  init(
    ids: InlineArray<3, Text>, texts: InlineArray<2, Text>, by: Goal.By, target: Int64, home: Int32, startMs: LogTime
  ) {
    self.ids = TextPack(ids)
    self.texts = TextPack(texts)
    self.by = by
    self.target = target
    self.home = home
    self.startMs = startMs
    endMs = startMs
    overAt = startMs
  }

  mutating func append(side id: Text, _ sum: Sum) { sides.append(Side(id: TextPack([id]), sum: sum)) }

  /// It was written so.
  mutating func resume(endMs: LogTime, overAt: LogTime, toldAgainAt: LogTime, pace: Pace, sum: Sum) {
    self.endMs = endMs
    self.overAt = overAt
    self.toldAgainAt = toldAgainAt
    self.pace = pace
    self.sum = sum
    isReached = isReachedNow
  }

  var goalId: Text { ids[0] }

  private mutating func setEnd(_ end: LogTime, _ rules: borrowing Rules) {
    endMs = end
    overAt = sides.isEmpty ? end : end + rules.goal.graceMs
  }

  /// Another event of its id came.
  mutating func change(_ goal: Lent<Goal>, at now: LogTime, _ rules: borrowing Rules) {
    texts = TextPack([goal.text, goal.extra])
    target = goal.target
    if goal.durationMs > 0 { setEnd(now + goal.durationMs, rules) }
  }

  // MARK: Counting

  var progress: Int64 {
    if sides.isEmpty { return min(Goal.most, sum.added + sum.score) }
    var progress: Int64 = 0
    for place in 0..<sides.count { progress = min(Goal.most, progress + sides[place].total) }
    return progress
  }

  private var isReachedNow: Bool { target > 0 && progress >= target }

  /// Counts a gift that arrived. Returns whether the progress or a total changed.
  mutating func count(_ gift: Lent<Gift>, units: Int64, at now: LogTime, _ out: borrowing CommandOutlet) -> Bool {
    guard by == .value || by == .units else { return tell(.otherUnit(by), out) }
    guard now < endMs else { return tell(.afterEnd, out) }
    if !ids[1].isEmpty, ids[1] != gift.giftId { return tell(.otherGift, out) }
    let amount =
      by == .units ? min(units, Goal.most) : Int64(min(UInt128(Goal.most), UInt128(gift.value) * UInt128(units)))
    if sides.isEmpty {
      if !ids[2].isEmpty, ids[2] != gift.receiverId { return tell(.otherReceiver, out) }
      return add(amount, out)
    }
    let place = place(ofSide: gift.receiverId) ?? Int(home)
    if place < 0 { return tell(.noSide, out) }
    let before = sides[place].total
    sides[place].sum.added = min(Goal.most, sides[place].sum.added + amount)
    return tell(sides[place].total - before, side: sides[place].id[0], out)
  }

  mutating func count(likes: Int64, at now: LogTime, _ out: borrowing CommandOutlet) -> Bool {
    guard by == .likes else { return tell(.otherUnit(by), out) }
    guard now < endMs else { return tell(.afterEnd, out) }
    return add(likes, out)
  }

  private mutating func add(_ amount: Int64, _ out: borrowing CommandOutlet) -> Bool {
    let before = progress
    sum.added = min(Goal.most, sum.added + amount)
    return tell(progress - before, out)
  }

  mutating func count(_ score: Score, _ out: borrowing CommandOutlet) -> Bool {
    if sides.isEmpty {
      guard score.side.isEmpty else { return tell(.unknownSide, side: score.side, out) }
      guard score.total > sum.score else { return tell(.lowerScore, out) }
      let before = progress
      sum.score = score.total
      return tell(progress - before, out)
    }
    guard let place = place(ofSide: score.side) else { return tell(.unknownSide, side: score.side, out) }
    guard score.total > sides[place].sum.score else { return tell(.lowerScore, side: score.side, out) }
    let before = sides[place].total
    sides[place].sum.score = score.total
    return tell(sides[place].total - before, side: score.side, out)
  }

  /// Tells that it is not counted. Returns false.
  @discardableResult @inline(__always) func tell(
    _ fate: Decision.GoalFate.Fate, side: Text = .empty, _ out: borrowing CommandOutlet
  ) -> Bool {
    out.tell(.goal(.init(goalId, side: side, fate, progress: progress, target: target)))
    return false
  }

  /// Tells that it is counted. Returns whether that changed the progress or a total.
  @inline(__always) private func tell(
    _ change: Int64, side: @autoclosure () -> Text = .empty, _ out: borrowing CommandOutlet
  ) -> Bool {
    if out.isHeard {
      let fate = change > 0 ? Decision.GoalFate.Fate.counted : .countedUnseen
      out.tell(.goal(.init(goalId, side: side(), fate, amount: change, progress: progress, target: target)))
    }
    return change > 0
  }

  /// Tells the pace that has begun.
  @inline(__always) func tellPace(_ rules: borrowing Rules, _ out: borrowing CommandOutlet) {
    out.tell(.span(.init(.goalPace, id: goalId, ms: rules.goal.paceMs, until: pace.closedUntil)))
  }

  /// Tells the time that it runs on after its end.
  func tellGrace(_ out: borrowing CommandOutlet) {
    out.tell(.span(.init(.goalGrace, id: goalId, ms: overAt - endMs, until: overAt)))
  }

  private func place(ofSide id: Text) -> Int? {
    if id.isEmpty { return nil }
    for place in 0..<sides.count where sides[place].id[0] == id { return place }
    return nil
  }

  // MARK: Commands

  /// Something was counted. Returns whether a timer changed.
  mutating func counted(at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) -> Bool {
    let wasReached = isReached
    isReached = isReachedNow
    if isReached, !wasReached {
      pace.sent(at: now, every: rules.goal.paceMs)
    } else {
      let wasPending = pace.isPending
      guard pace.claim(at: now, every: rules.goal.paceMs) else { return !wasPending }
    }
    tellPace(rules, out)
    sendCount(at: now, out: &out)
    return true
  }

  mutating func sendCount(at now: LogTime, out: inout CommandOutlet) {
    let count = GoalCount(
      goalId: out.keep(goalId), progress: progress, reached: isReached ? 1 : 0, sides: keepSides(out: &out))
    out.send(.goalCount(out.lend(count)), at: now)
  }

  mutating func show(at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) {
    isReached = isReachedNow
    toldAgainAt = now + rules.goal.refreshMs
    pace.sent(at: now, every: rules.goal.paceMs)
    tellPace(rules, out)
    out.tell(.span(.init(.goalRefresh, id: goalId, ms: rules.goal.refreshMs, until: toldAgainAt)))
    let ids = ids.views(in: out.keep(ids.whole))
    let texts = texts.views(in: out.keep(texts.whole))
    var show = GoalShow()
    show.goalId = ids[0]
    show.text = texts[0]
    show.by = by
    show.giftId = ids[1]
    show.receiverId = ids[2]
    show.target = target
    show.progress = progress
    show.reached = isReached ? 1 : 0
    show.sides = keepSides(out: &out)
    show.startMs = startMs
    show.endMs = endMs
    show.extra = texts[1]
    out.send(.goalShow(out.lend(show)), at: now)
  }

  func sendEnd(_ reason: GoalEnd.Reason, at now: LogTime, out: inout CommandOutlet) {
    let end = GoalEnd(
      goalId: out.keep(goalId), progress: progress, reached: isReached ? 1 : 0, sides: keepSides(out: &out),
      reason: reason)
    out.send(.goalEnd(out.lend(end)), at: now)
  }

  private func keepSides(out: inout CommandOutlet) -> UnsafeBufferPointer<GoalSide> {
    var kept = Block<GoalSide>()
    for place in 0..<sides.count {
      kept.append(GoalSide(id: out.keep(sides[place].id[0]), total: sides[place].total))
    }
    return out.keep(kept)
  }

  var byteCount: Int {
    var bytes = ids.byteCount + texts.byteCount + sides.byteCount
    for place in 0..<sides.count { bytes += sides[place].id.byteCount }
    return bytes
  }
}
