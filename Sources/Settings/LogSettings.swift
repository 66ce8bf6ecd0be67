package import RoomEngine
package import RoomModel
package import Wire

/// The settings that decide what a log's commands are, and when: those that are journalled where they change, and
/// that `--settings` files hold.
package struct LogSettings: Equatable, Sendable {
  package var engine = EngineSettings()
  package var keyRule = KeyRule.roomId
  /// The time after a deadline on the wall clock at which an idle partition's timer fires.
  package var graceMs: Milliseconds = 100
  /// What the topic's messages of a platform's own have for an event; nil: they are the project's own.
  package var mapping: Mapping?
  /// The file of `topics.mapping`, before it is known which topic the settings are for; nil: there is none.
  package var mappings: MappingFile?
  /// The sum of the mapping, from a commit, until the mapping itself is found elsewhere.
  package var mappingSum: String?
  /// The number of the rules that they are in force under.
  package var rules = LogRules.current

  package init() {}

  /// The settings of a topic's logs.
  package func of(_ topic: String) -> LogSettings {
    guard let mappings else { return self }
    var settings = self
    settings.mapping = mappings[topic]
    settings.mappings = nil
    return settings
  }
}

extension LogSettings {
  /// All of them, in the order in which they are journalled.
  package static let table: [Setting<LogSettings>] = gift + wish + like + rain + spot + crowd + pin + goal + others

  /// The settings where no line says otherwise (STAGES.md, section 11).
  private static let anyNumber: ClosedRange<Int64> = 0...1_000_000_000
  private static let places: ClosedRange<Int64> = 1...64

  private static let gift: [Setting<LogSettings>] = [
    .integer("gift.lanes", \.engine.gift.lanes, places, "places for gift views; lane 0 is the top one"),
    .choice(
      "gift.placement", \.engine.gift.placement,
      "the lane a combo takes: the free one nearest the bottom, or one fixed by its user"
    ),
    .choice(
      "gift.order", \.engine.gift.order,
      "order in which combos get a free lane: the highest tier, the longest queued, or the greatest worth first"),
    .tiers(
      "gift.tiers", \.engine.gift.tiers,
      "worth that combos need for each tier, and time that they stay then (empty: no tiers)"),
    .integer("gift.enterMs", \.engine.gift.enterMs, anyNumber, "time that a gift view takes to enter"),
    .integer("gift.tickMs", \.engine.gift.tickMs, 10...1_000_000_000, "time between two counts of a combo on a lane"),
    .integer("gift.holdMs", \.engine.gift.holdMs, anyNumber, "time that a combo stays once it has shown all it got"),
    .integer("gift.exitMs", \.engine.gift.exitMs, anyNumber, "time that a gift view takes to leave"),
    .integer(
      "gift.comboWindowMs", \.engine.gift.comboWindowMs, anyNumber,
      "a gift this soon after its view left continues the combo"),
    .integer(
      "gift.catchUpTicks", \.engine.gift.catchUpTicks, anyNumber,
      "ticks in which the shown number catches up (0: +1 a tick)"),
    .integer(
      "gift.leastMs", \.engine.gift.leastMs, anyNumber,
      "time after which a combo makes room for a dearer one, in the order `tier` (0: never)"),
    .integer(
      "gift.turnMs", \.engine.gift.turnMs, anyNumber,
      "time after which a combo makes room for one that waits (0: never)"),
    .integer(
      "gift.refreshMs", \.engine.gift.refreshMs, anyNumber,
      "time after which a combo's giftShow is sent again (0: never)"),
    .integer(
      "gift.queueLimit", \.engine.gift.queueLimit, anyNumber,
      "most queued combos a room; further ones join a crowd, the lowest tier and least worth first"),
    .integer(
      "gift.maxWaitMs", \.engine.gift.maxWaitMs, anyNumber,
      "longest wait of a combo without a tier; then it joins a crowd"),
    .integer(
      "gift.streakMs", \.engine.gift.streakMs, anyNumber, "time after its last event when a streak is forgotten"),
  ]

  private static let wish: [Setting<LogSettings>] = [
    .integer("wish.tracks", \.engine.wish.tracks, places, "rows that banners fly along"),
    .integer(
      "wish.stageWidth", \.engine.wish.stageWidth, 1...1_000_000_000, "width of the narrowest stage in use, in points"),
    .integer("wish.durationMs", \.engine.wish.durationMs, 1...1_000_000_000, "time that a banner takes to cross"),
    .integer("wish.gap", \.engine.wish.gap, anyNumber, "least distance of two banners on a track, in points"),
    .integer("wish.intervalMs", \.engine.wish.intervalMs, anyNumber, "least time between two starts in a room"),
    .integer("wish.padding", \.engine.wish.padding, anyNumber, "width of a banner beside its text, in points"),
    .integer("wish.em", \.engine.wish.em, 1...1_000_000_000, "width of a full-width character, in points"),
    .integer(
      "wish.queueLimit", \.engine.wish.queueLimit, anyNumber, "most queued wishes a room; further ones are skipped"),
    .integer("wish.maxWaitMs", \.engine.wish.maxWaitMs, anyNumber, "longest wait of a wish; then it is skipped"),
    .integer("wish.maxLength", \.engine.wish.maxLength, 2...1_000_000_000, "characters (Unicode scalars) of a text"),
    .integer(
      "wish.maxName", \.engine.wish.maxName, 2...1_000_000_000, "characters (Unicode scalars) of a sender's name"),
    .integer(
      "wish.likesMs", \.engine.wish.likesMs, anyNumber,
      "least time between two wishLikes of one wish (the last may come sooner: as it lands)"),
    .integer(
      "wish.mergeMs", \.engine.wish.mergeMs, anyNumber,
      "a wish equal to one that is queued, or started less than this before, is a like of it (0: never)"),
  ]

  private static let like: [Setting<LogSettings>] = [
    .integer("like.doubleTapMs", \.engine.like.doubleTapMs, anyNumber, "time within which a second tap is a like"),
    .integer(
      "like.streakMs", \.engine.like.streakMs, anyNumber, "time after a like in which each further tap is a like"),
    .integer("like.paceMs", \.engine.like.paceMs, anyNumber, "least time between two likeBursts of a room"),
    .integer("like.maxPoints", \.engine.like.maxPoints, 0...1000, "points that a likeBurst carries"),
    .integer("like.most", \.engine.like.most, anyNumber, "likes that count of one event taps"),
    .integer("like.runMs", \.engine.like.runMs, anyNumber, "a run of taps is forgotten so long after its last event"),
  ]

  private static let rain: [Setting<LogSettings>] = [
    .integer("rain.limit", \.engine.rain.limit, anyNumber, "most rains at a time a room; further ones are ignored"),
    .integer("rain.fallMinMs", \.engine.rain.fallMinMs, anyNumber, "time that the fastest packet falls"),
    .integer(
      "rain.fallSpreadMs", \.engine.rain.fallSpreadMs, 10...1_000_000_000,
      "the slowest packet falls less than this longer, in steps of 10 ms"),
    .integer(
      "rain.tallyMs", \.engine.rain.tallyMs, anyNumber,
      "least time between two rainTallys of one rain (the last may come sooner: just before its rainEnd)"),
    .integer(
      "rain.graceMs", \.engine.rain.graceMs, anyNumber, "time after its landing in which a packet can still be opened"),
    .integer("rain.rememberMs", \.engine.rain.rememberMs, anyNumber, "time in which a rain's id can't come again"),
  ]

  private static let spot: [Setting<LogSettings>] = [
    .integer(
      "spot.tier", \.engine.spot.tier, 0...16, "a combo that reaches this tier comes to the spot (0: none does)"),
    .integer(
      "spot.durationMs", \.engine.spot.durationMs, 100...1_000_000_000,
      "time that the spot shows a gift, or an item that says no time of its own"),
    .integer("spot.gapMs", \.engine.spot.gapMs, anyNumber, "time that the spot stays free after an item ended"),
    .integer(
      "spot.queueLimit", \.engine.spot.queueLimit, anyNumber,
      "most queued items for the spot a room; beyond, the one of least worth is skipped"),
    .integer(
      "spot.maxWaitMs", \.engine.spot.maxWaitMs, anyNumber, "longest wait of an item for the spot; then it is skipped"),
  ]

  private static let crowd: [Setting<LogSettings>] = [
    .integer(
      "crowd.kinds", \.engine.crowd.kinds, 0...64,
      "most crowds a room; further gifts are skipped (0: no crowds)"),
    .integer("crowd.showMs", \.engine.crowd.showMs, 100...1_000_000_000, "time that the bar shows one crowd in a turn"),
    .integer("crowd.paceMs", \.engine.crowd.paceMs, 100...1_000_000_000, "least time between two crowdShows of a turn"),
    .integer(
      "crowd.waitMs", \.engine.crowd.waitMs, anyNumber,
      "a crowd whose gifts have waited this long is shown before dearer ones"),
  ]

  private static let pin: [Setting<LogSettings>] = [
    .integer("pin.limit", \.engine.pin.limit, 0...100, "pins that a room shows; of more the least goes"),
    .integer(
      "pin.durationMs", \.engine.pin.durationMs, 1000...1_000_000_000, "time of a pin that says no time of its own"),
    .integer("pin.refreshMs", \.engine.pin.refreshMs, 1000...1_000_000_000, "a pin's pinShow comes again after this"),
  ]

  private static let goal: [Setting<LogSettings>] = [
    .integer("goal.limit", \.engine.goal.limit, 0...16, "goals that may run in a room; more are ignored"),
    .integer("goal.paceMs", \.engine.goal.paceMs, 100...1_000_000_000, "least time between two goalCounts of a goal"),
    .integer(
      "goal.refreshMs", \.engine.goal.refreshMs, 1000...1_000_000_000, "a goal's goalShow comes again after this"),
    .integer(
      "goal.graceMs", \.engine.goal.graceMs, anyNumber, "time after its end in which a battle still takes scores"),
  ]

  private static let others: [Setting<LogSettings>] = [
    .integer(
      "dedupe.windowMs", \.engine.dedupe.windowMs, anyNumber,
      "time in which an eventId that comes again, of the same kind and user, is a duplicate"),
    .integer(
      "clock.graceMs", \.graceMs, anyNumber,
      "delay by the wall clock after which an idle partition's timers fire"),
    .choice("topics.key", \.keyRule, "keys that events must have: the room's id, or any"),
  ]
}
