import RoomModel

/// The goals and battles of a room (STAGES.md, section 13). They are few, so each change looks at all.
struct GoalStage: ~Copyable {
  /// Goals in the order in which they began.
  private(set) var goals = Block<RoomGoal>()
  /// The next timer, as of the last change. Its item is the goal's place.
  private(set) var nextTimer = RoomTimer.never

  var isEmpty: Bool { goals.isEmpty }

  // MARK: Events

  /// - Returns: whether anything came of it.
  mutating func arrive(
    _ goal: Lent<Goal>, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) -> Bool {
    let place: Int
    if let known = self.place(of: goal.goalId) {
      place = known
      goals[place].change(goal, at: now, rules)
      goals[place].tell(.changed(until: goals[place].endMs), out)
    } else {
      if Int64(goals.count) >= rules.goal.limit {
        out.tell(.goal(.init(goal.goalId, .refused(limit: rules.goal.limit))))
        return false
      }
      place = goals.count
      append(RoomGoal(goal, at: now, rules))
      goals[place].tell(.began(until: goals[place].endMs), out)
    }
    goals[place].tellGrace(out)
    goals[place].show(at: now, rules, out: &out)
    setNextTimer()
    return true
  }

  private func place(of goalId: Text) -> Int? {
    for place in 0..<goals.count where goals[place].goalId == goalId { return place }
    return nil
  }

  /// Appends the youngest, also one that was read from a written state.
  mutating func append(_ goal: consuming RoomGoal) { goals.append(goal) }

  /// - Parameter units: what arrived of the gift.
  /// - Returns: whether a timer changed.
  mutating func count(
    _ gift: Lent<Gift>, units: Int64, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) -> Bool {
    var hasNewTimer = false
    for place in 0..<goals.count where goals[place].count(gift, units: units, at: now, out) {
      if goals[place].counted(at: now, rules, out: &out) { hasNewTimer = true }
    }
    if hasNewTimer { setNextTimer() }
    return hasNewTimer
  }

  mutating func count(likes: Int64, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) {
    for place in 0..<goals.count where goals[place].count(likes: likes, at: now, out) {
      _ = goals[place].counted(at: now, rules, out: &out)
    }
    setNextTimer()
  }

  /// - Returns: whether anything came of it: a score may change what a later one, or a gift, adds.
  mutating func count(_ score: Score, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) -> Bool {
    guard let place = place(of: score.goalId) else {
      out.tell(.goal(.init(score.goalId, .noGoal)))
      return false
    }
    if goals[place].count(score, out) { _ = goals[place].counted(at: now, rules, out: &out) }
    setNextTimer()
    return true
  }

  /// A gift or likes came of a muted user, which goals of that kind would count.
  func tellMuted(likes: Bool, _ out: borrowing CommandOutlet) {
    guard out.isHeard else { return }
    for place in 0..<goals.count where goals[place].by != .none && (goals[place].by == .likes) == likes {
      goals[place].tell(.muted, out)
    }
  }

  // MARK: Taken back, and over

  mutating func takeBack(_ goalId: Text, at now: LogTime, out: inout CommandOutlet) {
    guard let place = place(of: goalId) else { return }
    out.tell(.removed(.init(.goal, goalId), .retracted))
    remove(at: place, .retracted, at: now, out: &out)
    setNextTimer()
  }

  mutating func end(at now: LogTime, out: inout CommandOutlet) {
    while !goals.isEmpty {
      out.tell(.removed(.init(.goal, goals[0].goalId), .ended))
      remove(at: 0, .ended, at: now, out: &out)
    }
    setNextTimer()
  }

  private mutating func remove(at place: Int, _ reason: GoalEnd.Reason, at now: LogTime, out: inout CommandOutlet) {
    goals[place].sendEnd(reason, at: now, out: &out)
    goals.remove(at: place)
  }

  // MARK: Timers

  mutating func setNextTimer() {
    var next = RoomTimer.never
    for place in 0..<goals.count {
      let item = Int32(place)
      next = next.or(RoomTimer(deadline: goals[place].overAt, kind: .goalEnds, item: item))
      next = next.or(RoomTimer(deadline: goals[place].pace.deadline, kind: .pacedGoalCount, item: item))
      next = next.or(RoomTimer(deadline: goals[place].toldAgainAt, kind: .goalIsToldAgain, item: item))
    }
    nextTimer = next
  }

  mutating func fire(_ timer: RoomTimer, _ rules: borrowing Rules, out: inout CommandOutlet) {
    let place = Int(timer.item)
    let now = timer.deadline
    switch timer.kind {
    case .goalEnds: remove(at: place, .over, at: now, out: &out)
    case .pacedGoalCount:
      goals[place].pace.sent(at: now, every: rules.goal.paceMs)
      goals[place].tellPace(rules, out)
      goals[place].sendCount(at: now, out: &out)
    case .goalIsToldAgain: goals[place].show(at: now, rules, out: &out)
    default: preconditionFailure("a timer of the goal stage")
    }
    setNextTimer()
  }

  var byteCount: Int {
    var bytes = goals.byteCount
    for place in 0..<goals.count { bytes += goals[place].byteCount }
    return bytes
  }
}
