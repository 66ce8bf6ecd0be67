import RoomModel

/// One room: its stages, and the numbering of its commands.
struct Room: ~Copyable {
  private let texts: TextPack<1>
  let hash: UInt32
  var numbering = CommandNumbering()
  var gift = GiftStage()
  private(set) var wishPart = RarePart<WishStage>()
  private(set) var likePart = RarePart<LikeStage>()
  private(set) var rainPart = RarePart<RainStage>()
  private(set) var pinPart = RarePart<PinStage>()
  private(set) var goalPart = RarePart<GoalStage>()
  var beside = BesideGifts()
  /// Nil: it goes by the worker's settings.
  var own: OwnSettings?

  /// The last record that it has taken notice of; until the log is there again, its timers sleep.
  var knownTo: Int64 = .min
  /// The moment from which the times of its saved state are counted; `.min`: none yet.
  var stateBase: LogTime = .min
  /// The epoch up to which its saved state knows changes of settings.
  var knownEpoch: Int64 = .min
  /// Waits to be taken as changed.
  var isChanged = false
  /// Somebody out there may still name it by its handle.
  var isHeld = false

  init(id: Text, hash: UInt32) {
    texts = TextPack([id])
    self.hash = hash
  }

  var id: Text { texts[0] }

  var wish: WishStage {
    @inline(__always) unsafeAddress { wishPart.address }
    @inline(__always) unsafeMutableAddress { wishPart.mutableAddress() }
  }
  var like: LikeStage {
    @inline(__always) unsafeAddress { likePart.address }
    @inline(__always) unsafeMutableAddress { likePart.mutableAddress() }
  }
  var rain: RainStage {
    @inline(__always) unsafeAddress { rainPart.address }
    @inline(__always) unsafeMutableAddress { rainPart.mutableAddress() }
  }
  var spot: SpotStage {
    @inline(__always) unsafeAddress { beside.spotPart.address }
    @inline(__always) unsafeMutableAddress { beside.spotPart.mutableAddress() }
  }
  var crowd: CrowdStage {
    @inline(__always) unsafeAddress { beside.crowdPart.address }
    @inline(__always) unsafeMutableAddress { beside.crowdPart.mutableAddress() }
  }
  var pins: PinStage {
    @inline(__always) unsafeAddress { pinPart.address }
    @inline(__always) unsafeMutableAddress { pinPart.mutableAddress() }
  }
  var goals: GoalStage {
    @inline(__always) unsafeAddress { goalPart.address }
    @inline(__always) unsafeMutableAddress { goalPart.mutableAddress() }
  }
  var mutes: Retracts {
    @inline(__always) unsafeAddress { beside.mutesPart.address }
    @inline(__always) unsafeMutableAddress { beside.mutesPart.mutableAddress() }
  }
  var retracts: Retracts {
    @inline(__always) unsafeAddress { beside.retractsPart.address }
    @inline(__always) unsafeMutableAddress { beside.retractsPart.mutableAddress() }
  }

  // MARK: Events

  /// What came of an event: nothing; gifts that a combo has yet to show, and no other timer; other timers of gifts, and of
  /// what lies beside them if that was reached; or whatever else.
  enum Effect { case none, counted, gifts, changed }

  mutating func apply(
    _ event: RoomEvent, offset: Int64, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet
  ) -> Effect {
    out.enter(id, numbering)
    let effect: Effect
    if let own {
      effect = happen(event, offset: offset, at: now, own.rules, worker: rules, out: &out)
    } else {
      effect = happen(event, offset: offset, at: now, rules, worker: rules, out: &out)
    }
    numbering = out.leave()
    switch effect {
    case .counted: break
    // In a room without a timer, what is forgotten without one is known.
    case .gifts where nextTimer.deadline < .max: settleGifts()
    case .gifts, .none, .changed: settle()
    }
    return effect
  }

  /// - Parameters:
  ///   - rules: what is in force in the room.
  ///   - worker: what is in force where a room has nothing of its own.
  private mutating func happen(
    _ event: RoomEvent, offset: Int64, at now: LogTime, _ rules: borrowing Rules, worker: borrowing Rules,
    out: inout CommandOutlet
  ) -> Effect {
    switch event.body {
    case .gift(let gift):
      let count = self.gift.count(of: gift, at: now, rules)
      if count == 0 {
        out.count { $0.swallowedGifts &+= 1 }
        return .changed
      }
      let isMuted = beside.isMuted(gift.sender.userId, at: now, rules)
      let isCounted = self.gift.arrive(
        gift, count: count, isMuted: isMuted, offset: offset, at: now, rules, beside: &beside, out: &out)
      if goalPart.isMade {
        if isMuted {
          goals.tellMuted(likes: false, out)
        } else if goals.count(gift, units: count, at: now, rules, out: &out) {
          return .changed
        }
      }
      if isCounted { return .counted }
      return isMuted || !gift.streakId.isEmpty ? .changed : .gifts
    case .wish(let wish):
      let isTakenBack =
        beside.isMuted(wish.sender.userId, at: now, rules) || beside.isTakenBack(.wish, wish.wishId, at: now, rules)
      let hasArrived = wishPart.part.arrive(
        wish, isTakenBack: isTakenBack, at: now, rules, skips: &beside.skips, out: &out)
      return hasArrived ? .changed : .none
    case .wishLike(let like):
      if beside.isMuted(like.userId, at: now, rules) {
        out.tell(.muted)
        return .none
      }
      return wish.like(like, at: now, rules, out: &out) ? .changed : .none
    case .tap(let tap):
      if beside.isMuted(tap.userId, at: now, rules) {
        out.tell(.muted)
        return .none
      }
      if like.arrive(tap, at: now, rules, out: &out) { count(likes: 1, at: now, rules, out: &out) }
    case .rainStart(let start):
      return rain.start(start, at: now, rules, out: &out) ? .changed : .none
    case .rainGrab(let grab):
      return rain.grab(grab, of: event, at: now, rules, out: &out) ? .changed : .none
    case .spot(let spot):
      beside.fillSpot(SpotItem(spot, rules), at: now, rules, out: &out)
    case .taps(let taps):
      let isMuted = beside.isMuted(taps.userId, at: now, rules)
      if isMuted { out.tell(.muted) }
      let likes = like.arrive(taps, isMuted: isMuted, at: now, rules, out: &out)
      if likes > 0 { count(likes: likes, at: now, rules, out: &out) }
      if isMuted, goalPart.isMade { goals.tellMuted(likes: true, out) }
    case .pin(let pin):
      let isTakenBack =
        beside.isMuted(pin.sender.userId, at: now, rules) || beside.isTakenBack(.pin, pin.pinId, at: now, rules)
      let hasArrived = pinPart.part.arrive(
        pin, isTakenBack: isTakenBack, at: now, rules, skips: &beside.skips, out: &out)
      return hasArrived ? .changed : .none
    case .goal(let goal):
      return goals.arrive(goal, at: now, rules, out: &out) ? .changed : .none
    case .score(let score):
      guard goalPart.isMade else {
        out.tell(.goal(.init(score.goalId, .noGoal)))
        return .none
      }
      return goals.count(score, at: now, rules, out: &out) ? .changed : .none
    case .retract(let retract):
      takeBack(retract, at: now, rules, out: &out)
    case .roomSettings(let settings):
      setOwn(settings, at: now, rules, worker: worker)
    case .roomEnd:
      end(at: now, rules, out: &out)
    }
    return .changed
  }

  private mutating func count(likes: Int64, at now: LogTime, _ rules: borrowing Rules, out: inout CommandOutlet) {
    if goalPart.isMade { goals.count(likes: likes, at: now, rules, out: &out) }
  }

  // MARK: Timers

  /// The next timer, as of the last time that something happened.
  private(set) var nextTimer = RoomTimer.never
  /// The next of all timers but those of gifts.
  private var nextBesideGifts = RoomTimer.never
  /// The time when something is forgotten that no timer tells. While there are timers that is only a matter of memory,
  /// so small things wait.
  private(set) var forgetsNextAt = LogTime.max

  /// Something happened.
  mutating func settle() {
    setNextTimer()
    beside.isReached = false
    forgetsNextAt = gift.forgetsNextAt
    if likePart.isMade { forgetsNextAt = min(forgetsNextAt, like.forgetsNextAt) }
    if rainPart.isMade { forgetsNextAt = min(forgetsNextAt, rain.forgetsNextAt) }
    if beside.retractsPart.isMade { forgetsNextAt = min(forgetsNextAt, retracts.nextEnd) }
    if beside.mutesPart.isMade { forgetsNextAt = min(forgetsNextAt, mutes.nextEnd) }
    if forgetsNextAt == .max, nextTimer.deadline == .max {
      forgetsNextAt = max(wish.forgottenFrom, like.forgottenFrom, beside.skips.forgottenFrom)
    }
  }

  private mutating func setNextTimer() {
    var next = beside.skips.nextTimer
    // A stage that isn't made has none.
    if wishPart.isMade { next = next.or(wish.nextTimer) }
    if likePart.isMade { next = next.or(like.nextTimer) }
    if rainPart.isMade { next = next.or(rain.nextTimer) }
    if beside.spotPart.isMade { next = next.or(spot.nextTimer) }
    if beside.crowdPart.isMade { next = next.or(crowd.nextTimer) }
    if pinPart.isMade { next = next.or(pins.nextTimer) }
    if goalPart.isMade { next = next.or(goals.nextTimer) }
    if let own { next = next.or(RoomTimer(deadline: own.endsAt, kind: .ownSettingsRunOut)) }
    nextBesideGifts = next
    nextTimer = gift.nextTimer.or(next)
  }

  /// Fires the next timer if it is a tick of which nothing comes but the next one, as most are; the rest of firing is
  /// left out. False: it is no such tick, and nothing has happened.
  @inline(__always) mutating func passQuietTick(_ rules: borrowing Rules) -> Bool {
    guard nextTimer.kind == .tick, own == nil,
      gift.passQuietTick(nextTimer.item, at: nextTimer.deadline, rules)
    else { return false }
    nextTimer = gift.nextTimer.or(nextBesideGifts)
    return true
  }

  /// A timer of gifts has fired, or a gift came. Mostly the other timers are as they were.
  @inline(__always) private mutating func settleGifts() {
    let next = gift.nextTimer.or(nextBesideGifts)
    if beside.isReached || next.deadline == .max { return settle() }
    nextTimer = next
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
    if let own {
      if timer.kind == .ownSettingsRunOut {
        loseOwn(at: timer.deadline, worker: rules)
      } else {
        run(timer, own.rules, out: &out)
      }
    } else {
      run(timer, rules, out: &out)
    }
    if timer.isOfGifts { settleGifts() } else { settle() }
  }

  /// - Parameter rules: the rules in force in the room.
  private mutating func run(_ timer: RoomTimer, _ rules: borrowing Rules, out: inout CommandOutlet) {
    switch timer.kind {
    case .ownSettingsRunOut:
      preconditionFailure("a room with settings of its own")
    case .laneBecomesFree, .holdRunsOut, .tick, .restRunsOut, .giftWaitRunsOut:
      gift.fire(timer, rules, beside: &beside, out: &out)
    case .bannerLands, .pacedLikes, .nextBannerStarts, .wishWaitRunsOut:
      wishPart.part.fire(timer, rules, skips: &beside.skips, out: &out)
    case .pacedBurst:
      like.fire(timer, rules, out: &out)
    case .rainCountsDown, .packetDrops, .pacedTally, .rainEnds:
      rain.fire(timer, rules, out: &out)
    case .spotBecomesFree, .spotWaitRunsOut:
      beside.spotPart.part.fire(timer, rules, skips: &beside.skips, out: &out)
    case .pinEnds, .pinIsToldAgain:
      pins.fire(timer, rules, out: &out)
    case .goalEnds, .pacedGoalCount, .goalIsToldAgain:
      goals.fire(timer, rules, out: &out)
    case .crowdTurnIsOver, .pacedCrowdShow:
      crowd.fire(timer, rules, out: &out)
    case .giftOverflowSkips, .giftExpiredSkips, .giftRetractedSkips, .wishOverflowSkips, .wishExpiredSkips,
      .wishRetractedSkips, .spotOverflowSkips, .spotExpiredSkips, .spotRetractedSkips, .pinOverflowSkips,
      .pinExpiredSkips, .pinRetractedSkips:
      beside.skips.fire(timer, out: &out)
    }
  }

  // MARK: Memory and forgetting

  mutating func removeAll() {
    numbering = CommandNumbering()
    gift = GiftStage()
    wishPart = RarePart()
    likePart = RarePart()
    rainPart = RarePart()
    pinPart = RarePart()
    goalPart = RarePart()
    beside = BesideGifts()
    own = nil
    stateBase = .min
    knownEpoch = .min
    settle()
  }

  /// A room that is quiet gives the memory of combos back. Asked for now and then, since many are quiet for a moment only.
  mutating func giveBackMemory() {
    if nextTimer.deadline == .max { gift.giveBackMemory() }
  }

  /// Bytes that it holds besides itself.
  var byteCount: Int {
    texts.byteCount + gift.byteCount + wish.byteCount + like.byteCount + rain.byteCount + beside.byteCount
      + wishPart.byteCount + likePart.byteCount + rainPart.byteCount
      + pins.byteCount + goals.byteCount + pinPart.byteCount + goalPart.byteCount
      + (own == nil ? 0 : OwnSettings.byteCount)
  }

  /// Things that no timer ends: streaks, taps, ids of rains, retracts.
  mutating func forget(endedBy now: LogTime) {
    gift.forgetStreaks(endedBy: now)
    if likePart.isMade { like.forgetTappers(endedBy: now) }
    if rainPart.isMade { rain.forgetIds(endedBy: now) }
    if beside.retractsPart.isMade { retracts.forgetEnded(by: now) }
    if beside.mutesPart.isMade { mutes.forgetEnded(by: now) }
    settle()
  }

  /// It was read from a state.
  mutating func discardUntouchedParts() {
    wishPart.discardIfUntouched()
    likePart.discardIfUntouched()
    rainPart.discardIfUntouched()
    pinPart.discardIfUntouched()
    goalPart.discardIfUntouched()
    beside.discardUntouchedParts()
  }

  func isEmpty(at now: LogTime) -> Bool {
    gift.isEmpty && wish.isForgotten(at: now) && like.isForgotten(at: now) && rain.isEmpty
      && spot.isEmpty && crowd.isEmpty && beside.skips.isForgotten(at: now) && retracts.isEmpty && mutes.isEmpty
      && pins.isEmpty && goals.isEmpty && own == nil
  }
}
