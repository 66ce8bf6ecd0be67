import RoomModel

/// One room: its stages, and the numbering of its commands.
struct Room: ~Copyable {
  private let texts: TextPack<1>
  let hash: UInt32
  var numbering = CommandNumbering()
  var gift = GiftStage()
  var wish = WishStage()
  var like = LikeStage()
  var rain = RainStage()
  var skips = SkipTallies()

  /// The last record that it has taken notice of; until the log is there again, its timers sleep.
  var knownTo: Int64 = .min
  /// What the times of its saved state are told from; `.min`: nothing yet.
  var stateBase: LogTime = .min
  /// How many of its event ids are remembered.
  var seenIds = 0
  /// Waits to be taken as changed.
  var isChanged = false
  /// Somebody out there may still name it by its handle.
  var isHeld = false

  init(id: Text, hash: UInt32) {
    texts = TextPack([id])
    self.hash = hash
  }

  var id: Text { texts[0] }

  // MARK: Events

  /// False if nothing came of it.
  mutating func apply(
    _ event: RoomEvent, offset: Int64, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) -> Bool {
    out.enter(id, numbering)
    defer {
      numbering = out.leave()
      settle()
    }
    switch event.body {
    case .gift(let gift):
      self.gift.arrive(
        gift, offset: offset, at: now, rules, skips: &skips, out: &out)
      return true
    case .wish(let wish):
      return self.wish.arrive(wish, at: now, rules, skips: &skips, out: &out)
    case .wishLike(let like):
      return wish.like(like, at: now, rules, out: &out)
    case .tap(let tap):
      like.arrive(tap, at: now, rules, out: &out)
      return true
    case .rainStart(let start):
      return rain.start(start, at: now, rules, out: &out)
    case .rainGrab(let grab):
      return rain.grab(grab, of: event, at: now, rules, out: &out)
    }
  }

  // MARK: Timers

  /// As of the last time that something happened.
  private(set) var nextTimer = RoomTimer.never
  /// When something is forgotten that no timer tells. While there are timers that is only a matter of memory, so
  /// small things wait.
  private(set) var forgetsNextAt = LogTime.max

  /// Something happened.
  mutating func settle() {
    nextTimer = gift.nextTimer
    if wish.nextTimer < nextTimer { nextTimer = wish.nextTimer }
    if like.nextTimer < nextTimer { nextTimer = like.nextTimer }
    if rain.nextTimer < nextTimer { nextTimer = rain.nextTimer }
    if skips.nextTimer < nextTimer { nextTimer = skips.nextTimer }
    forgetsNextAt = min(gift.forgetsNextAt, like.forgetsNextAt, rain.forgetsNextAt)
    if forgetsNextAt == .max, nextTimer.deadline == .max {
      forgetsNextAt = max(wish.forgottenFrom, like.forgottenFrom, skips.forgottenFrom)
    }
  }

  /// Fires what is due, one after the other, each at its own deadline. Returns the last deadline.
  mutating func fire(through time: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) -> LogTime {
    out.enter(id, numbering)
    defer { numbering = out.leave() }
    var last = LogTime.min
    while nextTimer.deadline <= time {
      last = nextTimer.deadline
      fire(nextTimer, rules, out: &out)
    }
    return last
  }

  /// Fires the next timer only; there must be one.
  mutating func fireNext(_ rules: borrowing Rules, out: inout CommandOutlet) {
    out.enter(id, numbering)
    defer { numbering = out.leave() }
    fire(nextTimer, rules, out: &out)
  }

  @inline(__always)
  private mutating func fire(_ timer: RoomTimer, _ rules: borrowing Rules, out: inout CommandOutlet) {
    switch timer.kind {
    case .laneBecomesFree, .holdRunsOut, .tick, .restRunsOut, .giftWaitRunsOut:
      gift.fire(timer, rules, skips: &skips, out: &out)
    case .bannerLands, .pacedLikes, .nextBannerStarts, .wishWaitRunsOut:
      wish.fire(timer, rules, skips: &skips, out: &out)
    case .pacedBurst:
      like.fire(timer, rules, out: &out)
    case .rainCountsDown, .packetDrops, .pacedTally, .rainEnds:
      rain.fire(timer, out: &out)
    case .giftOverflowSkips, .giftExpiredSkips, .wishOverflowSkips, .wishExpiredSkips:
      skips.fire(timer, out: &out)
    }
    settle()
  }

  // MARK: What is remembered

  mutating func removeAll() {
    numbering = CommandNumbering()
    gift = GiftStage()
    wish = WishStage()
    like = LikeStage()
    rain = RainStage()
    skips = SkipTallies()
    stateBase = .min
    settle()
  }

  /// What it holds besides itself.
  var byteCount: Int { texts.byteCount + gift.byteCount + wish.byteCount + like.byteCount + rain.byteCount }

  /// What no timer tells: streaks, taps, ids of rains.
  mutating func forget(endedBy now: LogTime) {
    gift.forgetStreaks(endedBy: now)
    like.forgetTappers(endedBy: now)
    rain.forgetIds(endedBy: now)
    settle()
  }

  func isEmpty(at now: LogTime) -> Bool {
    gift.isEmpty && wish.isForgotten(at: now) && like.isForgotten(at: now) && rain.isEmpty
      && skips.isForgotten(at: now)
  }
}
