import RoomModel

/// The taps of a room: those that follow each other quickly enough are likes, and go out in bursts (STAGES.md,
/// section 5).
struct LikeStage: ~Copyable {
  /// The time until which each user's next tap is a like. Each tap forgets those whose time is over, so they are no
  /// more than who tapped within the last `streakMs`.
  var tappers = ExpiringTexts()
  /// Likes since the last burst, and where the first of them were.
  var count: Int64 = 0
  var points = Block<Point>()
  var pace = Pace()

  // MARK: Events

  mutating func arrive(_ tap: Tap, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) {
    tappers.forgetEnded(by: now)
    let isLike = tappers.end(of: tap.userId, seed: rules.seed) != nil
    tappers.remember(
      tap.userId, until: now + (isLike ? rules.like.streakMs : rules.like.doubleTapMs), seed: rules.seed)
    guard isLike else { return }
    count = count.adding(1)
    if points.count < min(rules.like.maxPoints, LikeBurst.pointLimit) { points.append(Point(x: tap.x, y: tap.y)) }
    if pace.claim(at: now, every: rules.like.paceMs) { send(at: now, out: &out) }
  }

  private mutating func send(at now: LogTime, out: inout CommandOutlet) {
    out.send(.likeBurst(LikeBurst(count: count, points: out.keep(points))), at: now)
    count = 0
    points.removeAll(keepingCapacity: points.count <= 16)
  }

  /// Tells what is pending, and forgets all (STAGES.md, section 9).
  mutating func end(at now: LogTime, out: inout CommandOutlet) {
    if pace.isPending { send(at: now, out: &out) }
    self = LikeStage()
  }

  // MARK: Timers

  var nextTimer: RoomTimer { RoomTimer(deadline: pace.deadline, kind: .pacedBurst) }

  mutating func fire(_ timer: RoomTimer, _ rules: borrowing Rules, out: inout CommandOutlet) {
    pace.sent(at: timer.deadline, every: rules.like.paceMs)
    send(at: timer.deadline, out: &out)
  }

  // MARK: Memory and forgetting

  var byteCount: Int { tappers.byteCount + points.byteCount }

  /// The time when the last tap has no meaning any more; `.max`: there is none.
  var forgetsNextAt: LogTime { tappers.isEmpty ? .max : tappers.lastEnd }

  mutating func forgetTappers(endedBy now: LogTime) { tappers.forgetEnded(by: now) }

  /// The time from which on nothing is remembered unless more comes; `.max` while something is still to be sent.
  var forgottenFrom: LogTime { pace.isPending ? .max : max(tappers.lastEnd, pace.closedUntil) }

  func isForgotten(at now: LogTime) -> Bool { forgottenFrom <= now }
}
