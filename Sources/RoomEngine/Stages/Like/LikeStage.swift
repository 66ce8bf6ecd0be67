import RoomModel

/// The taps of a room: those that follow each other quickly enough are likes, and go out in bursts (STAGES.md,
/// section 5).
struct LikeStage: ~Copyable {
  /// The time until which each user's next tap is a like. Each tap forgets those whose time is over, so they are no
  /// more than who tapped within the last `streakMs`.
  var tappers = ExpiringTexts()
  /// The runs of gathered taps.
  var runs = TapRuns()
  /// Likes since the last burst, and where the first of them were.
  var count: Int64 = 0
  var points = Block<Point>()
  var pace = Pace()

  // MARK: Events

  /// - Returns: whether it is a like.
  mutating func arrive(_ tap: Tap, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) -> Bool {
    tappers.forgetEnded(by: now)
    let isLike = tappers.end(of: tap.userId, seed: rules.seed) != nil
    out.tell(.tap(isLike: isLike))
    tappers.remember(
      tap.userId, until: now + (isLike ? rules.like.streakMs : rules.like.doubleTapMs), seed: rules.seed)
    guard isLike else { return false }
    add(Point(x: tap.x, y: tap.y), rules)
    add(likes: 1, at: now, rules, out: &out)
    return true
  }

  /// - Parameter isMuted: Its user is: none counts.
  /// - Returns: the likes that count.
  mutating func arrive(
    _ taps: Lent<Taps>, isMuted: Bool, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) -> Int64 {
    let before = runs.add(taps, at: now, rules)
    let likes = isMuted ? 0 : min(rules.like.most, max(0, taps.count - before))
    out.tell(.taps(before: before, told: taps.count, counted: likes, most: rules.like.most))
    guard likes > 0 else { return 0 }
    for point in taps.points { add(point, rules) }
    add(likes: likes, at: now, rules, out: &out)
    return likes
  }

  private mutating func add(_ point: Point, _ rules: borrowing Rules) {
    if points.count < min(rules.like.maxPoints, LikeBurst.pointLimit) { points.append(point) }
  }

  private mutating func add(likes: Int64, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) {
    count = count.adding(likes)
    if pace.claim(at: now, every: rules.like.paceMs) {
      tellPace(rules, out)
      send(at: now, out: &out)
    }
  }

  private mutating func send(at now: LogTime, out: inout CommandOutlet) {
    out.send(.likeBurst(LikeBurst(count: count, points: out.keep(points))), at: now)
    count = 0
    points.removeAll(keepingCapacity: points.count <= 16)
  }

  /// Tells what is pending, and forgets all but the runs (STAGES.md, section 9).
  mutating func end(at now: LogTime, out: inout CommandOutlet) {
    if pace.isPending { send(at: now, out: &out) }
    var runs = TapRuns()
    swap(&runs, &self.runs)
    self = LikeStage()
    self.runs = runs
  }

  // MARK: Timers

  var nextTimer: RoomTimer { RoomTimer(deadline: pace.deadline, kind: .pacedBurst) }

  mutating func fire(_ timer: RoomTimer, _ rules: borrowing Rules, out: inout CommandOutlet) {
    pace.sent(at: timer.deadline, every: rules.like.paceMs)
    tellPace(rules, out)
    send(at: timer.deadline, out: &out)
  }

  /// Tells the pace that has begun.
  @inline(__always) private func tellPace(_ rules: borrowing Rules, _ out: borrowing CommandOutlet) {
    out.tell(.span(.init(.burst, ms: rules.like.paceMs, until: pace.closedUntil)))
  }

  // MARK: Memory and forgetting

  var byteCount: Int { tappers.byteCount + runs.byteCount + points.byteCount }

  /// The time when the last tap, or the last run, has no meaning any more; `.max`: there is none.
  var forgetsNextAt: LogTime {
    min(tappers.isEmpty ? .max : tappers.lastEnd, runs.isEmpty ? .max : runs.lastEnd)
  }

  mutating func forgetTappers(endedBy now: LogTime) {
    tappers.forgetEnded(by: now)
    runs.forgetEnded(by: now)
  }

  /// The time from which on nothing is remembered unless more comes; `.max` while something is still to be sent.
  var forgottenFrom: LogTime { pace.isPending ? .max : max(tappers.lastEnd, runs.lastEnd, pace.closedUntil) }

  func isForgotten(at now: LogTime) -> Bool { forgottenFrom <= now }
}
