import Glibc
package import RoomModel

/// Viewers of a few rooms: lifelike events from a seed, in the order of their time.
///
/// Rooms differ in heat. Somebody starts something about as often as `rate` asks: a combo in a rhythm of their own, a
/// streak, a wish that others like, a run of taps; now and then a room is flooded, or it rains red packets, somebody
/// makes an entrance or pays for a message that stays, a goal or a battle begins, a moderator takes something back, or a room ends; and now and then an event comes twice, as IM
/// systems that deliver at least once do.
package struct Audience: ~Copyable {
  /// An event, `atMs` after the audience began. Its texts are good until the next one.
  package struct TimedEvent {
    package let atMs: Milliseconds
    package let event: RoomEvent
  }

  private static let combo = Spread([(1...1, 58), (2...8, 30), (9...30, 11), (66...66, 1)])
  private static let bulk = [10, 66, 99, 188, 520, 1314]
  private static let streak = Spread([(3...12, 3), (13...40, 1)])
  private static let likes = Spread([(0...2, 5), (3...9, 3), (10...30, 1)])
  private static let taps = Spread([(1...2, 2), (3...12, 5), (13...40, 1)])
  /// Events of one who taps on and on.
  private static let gathered = 5
  /// The share of floods in all events; the others share what is left.
  private static let floodShare = 0.1
  private static let floodEveryMs = 45_000.0
  private static let floodSpanMs = 3000.0

  private static let rainShare = 0.06
  private static let rainEveryMs = 50_000.0

  private static let retractedWishes = 0.04
  private static let retractEveryMs = 40_000.0
  private static let muteMs: Milliseconds = 10_000
  private static let endEveryMs = 120_000.0
  private static let spotEveryMs = 15_000.0
  private static let pinEveryMs = 12_000.0
  private static let goalEveryMs = 40_000.0
  private static let goalMs: Milliseconds = 45_000
  private static let silenceMs = 6000.0

  private enum Activity: Int, CaseIterable {
    case combo, bulk, streak, wish, taps, gathered

    var weight: Double {
      switch self {
      case .combo: 0.50
      case .bulk: 0.06
      case .streak: 0.06
      case .wish: 0.20
      case .taps: 0.12
      case .gathered: 0.06
      }
    }

    /// The number of events that one makes, on average.
    var events: Double {
      switch self {
      case .combo: Audience.combo.mean
      case .bulk: 1
      case .streak: Audience.streak.mean
      case .wish: 1 + Audience.likes.mean
      case .taps: Audience.taps.mean
      case .gathered: Double(Audience.gathered)
      }
    }
  }

  private let rate: Double
  private let startsPerMs: Double
  private let cast: Cast
  private let prefix: Text
  private let wishPrefix: Text
  private let rainPrefix: Text
  private let spotPrefix: Text
  private let goalPrefix: Text
  private var generator: SeededGenerator
  private let heat: WeightedChoice
  private let activity = WeightedChoice(weights: Activity.allCases.map(\.weight))
  private let giftKind = WeightedChoice(weights: Cast.giftKinds.map(\.popularity))
  private var upcoming = PriorityQueue<AudienceAction>()
  private var nextStart = 0.0
  private var nextFlood: Double
  private var nextRain: Double
  private var nextRetract = Audience.retractEveryMs / 2
  private var nextEnd = Audience.endEveryMs / 3
  private var nextSpot = Audience.spotEveryMs / 4
  private var nextPin = Audience.pinEveryMs / 3
  private var nextGoal = Audience.goalEveryMs / 8
  /// The last sender of a gift or a wish.
  private var lastSender: (room: Int, viewer: Int)?
  /// The end of each room's silence: nobody does anything before.
  private var silentUntil: [Double]
  private var number = 0
  private var streaks = 0
  private var names = TextArena()
  private var ids = TextArena()

  /// - Parameters:
  ///   - rate: events a second, on average, of all rooms together.
  ///   - run: what tells the event ids of this run from those of another with the same seed, which would otherwise
  ///     be duplicates.
  package init(rooms: Int, rate: Double, seed: UInt64, run: String = "") {
    precondition(rooms > 0 && rate > 0, "an audience has a room and does something")
    self.rate = rate
    generator = SeededGenerator(seed: seed)
    cast = Cast(rooms: rooms)
    silentUntil = Array(repeating: 0, count: rooms)
    heat = WeightedChoice(count: rooms, exponent: 0.9)
    prefix = names.keep("e\(seed)-\(run.isEmpty ? "" : run + "-")")
    spotPrefix = names.keep("s\(seed)-\(run.isEmpty ? "" : run + "-")")
    goalPrefix = names.keep("g\(seed)-\(run.isEmpty ? "" : run + "-")")
    wishPrefix = names.keep("w\(seed)-\(run.isEmpty ? "" : run + "-")")
    rainPrefix = names.keep("r\(seed)-\(run.isEmpty ? "" : run + "-")")
    let weights = Activity.allCases.reduce(0) { $0 + $1.weight }
    let eventsPerStart = Activity.allCases.reduce(0) { $0 + $1.weight * $1.events } / weights
    startsPerMs = rate / 1000 * (1 - Self.floodShare - Self.rainShare) / eventsPerStart
    nextFlood = Self.floodEveryMs / 3
    nextRain = Self.rainEveryMs / 6
  }

  package var rooms: [Text] { cast.rooms }

  package mutating func next() -> TimedEvent {
    while true {
      while upcoming.due > nextBeginning { begin(at: nextBeginning) }
      var (atMs, action) = upcoming.remove()
      if atMs < silentUntil[action.room] { continue }
      switch action.kind {
      case .flood: action.viewer = generator.below(cast.viewers.count)
      case .roomEnd: silentUntil[action.room] = atMs + Self.silenceMs
      case .gift, .wish: lastSender = (action.room, action.viewer)
      default: break
      }
      if action.number == nil {
        number += 1
        action.number = number
        scheduleNext(action, at: atMs)
      }
      return TimedEvent(atMs: Int64(atMs), event: event(of: action))
    }
  }

  /// The time when something begins that nothing has led to.
  private var nextBeginning: Double {
    min(nextStart, nextFlood, nextRain, nextRetract, nextEnd, nextSpot, nextPin, nextGoal)
  }

  private mutating func begin(at atMs: Double) {
    if nextStart == atMs {
      start(at: atMs)
      nextStart += -log(1 - generator.unit()) / startsPerMs
    } else if nextRain == atMs {
      rain(at: atMs)
      nextRain += Self.rainEveryMs * (0.5 + generator.unit())
    } else if nextFlood == atMs {
      flood(at: atMs)
      nextFlood += Self.floodEveryMs * (0.5 + generator.unit())
    } else if nextSpot == atMs {
      let spot = AudienceAction.Kind.spot(generator.below(Cast.spots.count))
      upcoming.insert(
        AudienceAction(kind: spot, room: heat.draw(&generator), viewer: generator.below(cast.viewers.count)), due: atMs)
      nextSpot += Self.spotEveryMs * (0.5 + generator.unit())
    } else if nextPin == atMs {
      let pin = AudienceAction.Kind.pin(kind: generator.below(Cast.pins.count))
      upcoming.insert(
        AudienceAction(kind: pin, room: heat.draw(&generator), viewer: generator.below(cast.viewers.count)), due: atMs)
      nextPin += Self.pinEveryMs * (0.5 + generator.unit())
    } else if nextGoal == atMs {
      let isBattle = generator.chance(0.5)
      let goal = AudienceAction(
        kind: .goal(isBattle: isBattle), room: heat.draw(&generator), viewer: 0, left: isBattle ? 12 : 0,
        rhythmMs: 3500)
      upcoming.insert(goal, due: atMs)
      nextGoal += Self.goalEveryMs * (0.5 + generator.unit())
    } else if nextRetract == atMs {
      if let (room, viewer) = lastSender {
        upcoming.insert(AudienceAction(kind: .retractUser, room: room, viewer: viewer), due: atMs)
      }
      nextRetract += Self.retractEveryMs * (0.5 + generator.unit())
    } else {
      upcoming.insert(AudienceAction(kind: .roomEnd, room: heat.draw(&generator), viewer: 0), due: atMs)
      nextEnd += Self.endEveryMs * (0.5 + generator.unit())
    }
  }

  // MARK: Actions that begin

  private mutating func start(at atMs: Double) {
    var action = AudienceAction(kind: .flood, room: heat.draw(&generator), viewer: generator.below(cast.viewers.count))
    switch Activity.allCases[activity.draw(&generator)] {
    case .combo:
      action.kind = .gift(
        giftKind: giftKind.draw(&generator), receiver: generator.below(Cast.receivers.count), count: 1)
      action.left = Self.combo.draw(&generator) - 1
      action.rhythmMs = Double(generator.within(120...700))
    case .bulk:
      action.kind = .gift(giftKind: giftKind.draw(&generator), receiver: 0, count: generator.pick(Self.bulk))
    case .streak:
      streaks += 1
      action.kind = .streak(giftKind: giftKind.draw(&generator), streak: streaks, count: 1)
      action.left = Self.streak.draw(&generator) - 1
      action.rhythmMs = Double(generator.within(150...400))
    case .wish:
      action.kind = .wish(text: generator.below(Cast.wishes.count), style: generator.below(Cast.styles.count))
      action.left = Self.likes.draw(&generator)
      action.rhythmMs = Double(generator.within(200...1200))
    case .gathered:
      streaks += 1
      action.kind = .taps(run: streaks, count: generator.within(2...9))
      action.left = Self.gathered - 1
      action.rhythmMs = 1000
    case .taps:
      action.kind = .tap(x: generator.within(50...949), y: generator.within(50...949))
      action.left = Self.taps.draw(&generator) - 1
      action.rhythmMs = Double(generator.within(110...260))
    }
    upcoming.insert(action, due: atMs)
  }

  private mutating func flood(at atMs: Double) {
    let gifts = max(1, Int(rate * Self.floodShare * Self.floodEveryMs / 1000))
    let action = AudienceAction(
      kind: .flood, room: heat.draw(&generator), viewer: 0, left: gifts - 1, rhythmMs: Self.floodSpanMs / Double(gifts))
    upcoming.insert(action, due: atMs)
  }

  private mutating func rain(at atMs: Double) {
    let grabs = max(1, Int(rate * Self.rainShare * Self.rainEveryMs / 1000) - 1)
    let action = AudienceAction(
      kind: .rainStart(hasList: generator.chance(0.3)), room: heat.draw(&generator),
      viewer: generator.below(cast.viewers.count), left: grabs, rhythmMs: RainPlan.grabbedMs / Double(grabs))
    upcoming.insert(action, due: atMs)
  }

  // MARK: Actions that follow

  private mutating func scheduleNext(_ action: AudienceAction, at atMs: Double) {
    if generator.chance(0.003) {
      upcoming.insert(action, due: atMs + Double(generator.within(50...2000)))
    }
    if case .wish = action.kind, generator.chance(Self.retractedWishes) {
      let kind = AudienceAction.Kind.retractWish(wish: action.number!)
      upcoming.insert(AudienceAction(kind: kind, room: action.room, viewer: action.viewer), due: atMs + 2500)
    }
    guard action.left > 0 else { return }
    var next = action
    next.number = nil
    next.left -= 1
    var nextAtMs = atMs + action.rhythmMs * (0.7 + 0.6 * generator.unit())
    switch action.kind {
    case .gift, .flood, .spot, .pin, .retractWish, .retractUser, .roomEnd: break
    case .taps(let run, let count): next.kind = .taps(run: run, count: count + generator.within(2...9))
    case .goal: next.kind = .score(goal: action.number!, total: generator.within(1...200))
    case .score(let goal, let total): next.kind = .score(goal: goal, total: total + generator.within(1...300))
    case .streak(let giftKind, let streak, let count):
      next.kind = .streak(giftKind: giftKind, streak: streak, count: count + generator.within(1...3))
    case .wish:
      next.kind = .wishLike(wish: action.number!)
      next.viewer = generator.below(cast.viewers.count)
    case .wishLike:
      next.viewer = generator.below(cast.viewers.count)
    case .tap(let x, let y):
      let drift = -30...30
      next.kind = .tap(
        x: min(999, max(0, x + generator.within(drift))), y: min(999, max(0, y + generator.within(drift))))
    case .rainStart:
      // Nobody taps before the first packet is seen.
      nextAtMs = atMs + RainPlan.countdownMs + 600
      next.viewer = generator.below(cast.viewers.count)
      next.kind = grab(action.number!, beginsMs: atMs + RainPlan.countdownMs, at: nextAtMs)
    case .rainGrab(let rain, let beginsMs, _):
      // Some tap the same packet twice.
      if generator.chance(0.9) {
        next.viewer = generator.below(cast.viewers.count)
        next.kind = grab(rain, beginsMs: beginsMs, at: nextAtMs)
      }
    }
    upcoming.insert(next, due: nextAtMs)
  }

  /// One of the packets in the air; now and then one that isn't yet, or any more.
  private mutating func grab(_ rain: Int, beginsMs: Double, at atMs: Double) -> AudienceAction.Kind {
    let newest = min(RainPlan.packets, Int((atMs - beginsMs) / RainPlan.stepMs)) - 1
    let packet = generator.chance(0.03) ? newest + 2 : newest - generator.below(RainPlan.inFlight)
    return .rainGrab(rain: rain, beginsMs: beginsMs, packet: max(0, packet))
  }

  // MARK: Events of actions

  private mutating func event(of action: AudienceAction) -> RoomEvent {
    ids.removeAll()
    let viewer = cast.viewers[action.viewer]
    return RoomEvent(
      eventId: ids.keep(prefix, action.number!), roomId: cast.rooms[action.room], body: body(of: action, by: viewer))
  }

  private mutating func body(of action: AudienceAction, by viewer: Sender) -> RoomEvent.Body {
    switch action.kind {
    case .gift(let giftKind, let receiver, let count):
      return gift(giftKind, by: viewer, receiver: Cast.receivers[receiver], count: count)
    case .streak(let giftKind, let streak, let count):
      let streakId = ids.keep(Text("s"), streak)
      return gift(giftKind, by: viewer, count: count, streak: streakId)
    case .retractWish(let wish): return .retract(Retract(.wish(ids.keep(wishPrefix, wish))))
    case .retractUser: return .retract(Retract(.user(viewer.userId, muteMs: Self.muteMs)))
    case .roomEnd: return .roomEnd
    case .spot(let spot):
      let spot = Cast.spots[spot]
      return .spot(
        ids.lend(
          Spot(
            sender: viewer, kind: spot.kind, spotId: ids.keep(spotPrefix, action.number!), text: spot.text,
            value: spot.value, durationMs: spot.durationMs)))
    case .flood:
      return gift(action.number! % 3, by: viewer, count: 1)
    case .wish(let text, let style):
      let wishId = ids.keep(wishPrefix, action.number!)
      return .wish(
        ids.lend(Wish(sender: viewer, text: Cast.wishes[text], wishId: wishId, style: Cast.styles[style])))
    case .wishLike(let wish):
      return .wishLike(WishLike(userId: viewer.userId, wishId: ids.keep(wishPrefix, wish)))
    case .taps(let run, let count):
      return .taps(
        ids.lend(Taps(userId: viewer.userId, runId: ids.keep(Text("t"), run), count: Int64(count))))
    case .pin(let kind):
      let pin = Cast.pins[kind]
      return .pin(
        ids.lend(
          Pin(
            sender: viewer, pinId: ids.keep(spotPrefix, action.number!), text: pin.text, value: pin.value,
            durationMs: pin.durationMs)))
    case .goal(let isBattle):
      let goalId = ids.keep(goalPrefix, action.number!)
      return .goal(
        ids.lend(
          isBattle
            ? Goal(
              goalId: goalId, text: Cast.goals[2], sides: cast.sides, home: cast.sides[0], durationMs: Self.goalMs)
            : Goal(
              goalId: goalId, text: Cast.goals[action.number! % 2],
              by: action.number!.isMultiple(of: 2) ? .units : .value,
              target: action.number!.isMultiple(of: 2) ? 10 : 5000, durationMs: Self.goalMs)))
    case .score(let goal, let total):
      return .score(Score(goalId: ids.keep(goalPrefix, goal), side: cast.sides[1], total: Int64(total)))
    case .tap(let x, let y):
      return .tap(Tap(userId: viewer.userId, x: Int64(x), y: Int64(y)))
    case .rainStart(let hasList):
      let rainId = ids.keep(rainPrefix, action.number!)
      return .rainStart(ids.lend(RainPlan.start(rainId, prizes: hasList ? cast.prizes : nil)))
    case .rainGrab(let rain, _, let packet):
      return .rainGrab(
        RainGrab(rainId: ids.keep(rainPrefix, rain), packet: Int64(packet), userId: viewer.userId))
    }
  }

  private mutating func gift(
    _ giftKind: Int, by viewer: Sender, receiver: Text = .empty, count: Int, streak: Text = .empty
  ) -> RoomEvent.Body {
    let giftKind = Cast.giftKinds[giftKind]
    let gift = Gift(
      sender: viewer, receiverId: receiver, receiverName: Cast.receiverName(receiver), giftId: giftKind.id,
      giftName: giftKind.name, count: Int64(count), value: giftKind.value, streakId: streak,
      // A dear gift has a moment of its own.
      apart: giftKind.value >= 1000 ? 1 : 0)
    return .gift(ids.lend(gift))
  }
}
