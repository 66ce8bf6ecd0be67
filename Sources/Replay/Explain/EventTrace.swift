import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// The story of one event, from its record to where nothing is left to be told.
struct EventTrace {
  struct Line {
    let at: LogTime
    let words: String
    let rule: Rule
    /// The command that it tells of.
    var command: CommandName?
    /// The same, once it is seen.
    var replayed: ReplayedCommand?
  }

  /// The next thing to wait for.
  enum Following {
    /// The gifts from the `from`-th (not included) to the `to`-th of a combo.
    case combo(Int64, from: Int64, to: Int64, isBegun: Bool, isCounted: Bool)
    case wish(ID)
    /// The total must reach this.
    case like(ID, likes: Int64)
    case skipped(Skipped.Stage, Skipped.Reason)
    /// A crowd, by its offset, until its bar tells what joined.
    case crowd(Int64, userId: ID)
    /// An item of the spot, by its id.
    case spot(ID)
    /// A pin, by its id, and what its first command is yet to say.
    case pin(ID, unsaid: String)
    case goal(ID, GoalStory)
    /// Likes, until a burst tells them.
    case burst(likes: Int64)
    /// An opened packet, until a tally of its rain has at least `opened`.
    case tally(ID, opened: Int64)
    case rain(ID)
    /// A retract, until what it remembers is over.
    case keeping(KeptAway)
    case nothing
  }

  let record: SeenRecord
  /// The partition's name.
  let partitionName: String
  let at: LogTime
  let words: String
  /// Its room.
  let room: ID
  var lines: [Line] = []
  /// Its waits that are over, in their order.
  private(set) var waits: [Wait] = []
  /// Set while its combo is queued, its wish, its item of the spot, or while its crowd is untold.
  var waiting: Waiting?
  /// Set while an item of its combo is queued for the spot: its id, which changes where another takes its place.
  var tier: (id: ID, waiting: Waiting)?
  /// The waits of such items, beside those of the combo.
  var tierWaits: [Wait] = []
  /// Whether the event is a gift whose streak had told as many before.
  private(set) var addsNothingToStreak = false
  /// For the first sentence: why an item of its combo was not on the spot; nil: it was, or there is none.
  var spotEnding: String?
  /// The lane that its combo is leaving, and since when; the combo is yet to be shown again.
  var leaving: (lane: Int, since: LogTime)?
  var following = Following.nothing
  /// The fate of the event, for its first sentence; nil: its first line tells.
  var outcome: Outcome?
  /// The later outcome, where the first line tells its fate.
  var ending: String?
  /// The last tally of a rain, in words.
  var paid: String?

  enum Outcome {
    /// The gifts of its combo from the `from`-th (not included) to the `to`-th, as far as `upTo`.
    case shown(from: Int64, to: Int64, upTo: Int64)
    case flew(track: Int64)
    /// It flies where the log ends.
    case flies(track: Int, landsAt: LogTime)
    /// On the spot.
    case filledScreen(durationMs: Milliseconds)
    /// A pin was shown to its end.
    case stayed(ms: Milliseconds)
    /// What a goal counted, until it ended.
    case counted(String)
    /// The contract's word for the reason, and in words why.
    case skipped(String, why: String)
    /// It was on the screen in part, or not to its end: the part that was seen, and the cause of its end.
    case cut(String, by: String)
    /// A retract: the items that it took back, and those that it kept away after that.
    case tookBack(String, keptAway: String?)
    /// The room's end: what ended with it.
    case ended(String)
    /// A crowd took it, which is untold; and why it found no lane.
    case joined(String, why: String)
    /// `units`: of all in that crowd.
    case told(crowd: String, units: Int64, isNamed: Bool, why: String)
    /// It stands somewhere still.
    case standing(String)
  }

  init(_ record: SeenRecord, partitionName: String, room: ID, at: LogTime, words: String) {
    self.room = room
    self.record = record
    self.partitionName = partitionName
    self.at = at
    self.words = words
  }

  var isSettled: Bool {
    if case .nothing = following { return tier == nil }
    return false
  }

  /// Whether it will tell who had a place meanwhile.
  var isWaiting: Bool { waiting != nil || tier != nil }

  mutating func add(_ at: LogTime, _ words: String, _ rule: Rule, _ command: CommandName? = nil) {
    lines.append(Line(at: at, words: words, rule: rule, command: command))
  }

  // MARK: Effects at once

  /// Another event had its id, but not its kind or its user.
  mutating func addOther(ofThatId other: EventExplanation.Seen) {
    add(
      at,
      "the id came before with another kind or user, so it is no duplicate: \(other.record.name) was: \(other.words)",
      .duplicates)
  }

  mutating func addDuplicate(of before: EventExplanation.Seen?) {
    let whose =
      before.map { "\($0.record.name), which came \(at - $0.at) ms before" } ?? "one before this piece of the log"
    if let before, before.words != words {
      add(
        at, "duplicate, ignored, though it differs: \(before.record.name) counts, which was: \(before.words)",
        .duplicates)
    }
    add(
      at,
      "duplicate of \(whose): less than dedupe.windowMs\(before.map { " (\($0.windowMs))" } ?? ""), so it is ignored",
      .duplicates)
  }

  mutating func addDeadLetter(_ reason: NotUnderstood, topic: String) {
    add(at, "dead letter, to \(topic).dlq: \(reason.description.printable)", .duplicates)
  }

  /// - Parameter why: the retract that keeps it away, if one does, in words.
  mutating func addArrival(
    of event: RoomEvent, _ arrival: Arrival, _ step: RoomStep, keptAwayBy why: @autoclosure () -> String,
    in partition: PartitionReplay
  ) {
    if at > record.timestampMs {
      add(
        at, "the log had come this far already: the record is \(at - record.timestampMs) ms late", .logTime
      )
    }
    addEffect(of: event, arrival, step, keptAwayBy: why(), in: partition)
    addGoals(step)
  }

  mutating func addSwallowedGift() {
    addsNothingToStreak = true
    add(at, "its streak had brought that many before: nothing arrived", .streaks)
  }

  mutating func addGift(_ step: RoomStep, in partition: PartitionReplay) {
    guard let (combo, count, was) = step.gift else { return addSwallowedGift() }
    let rule = Rule.giftArrives
    let name = "combo \(partitionName)/\(combo)"
    let picture = room.withText { partition.engine.picture(of: $0) }
    guard let after = picture.combo(combo) else {
      guard let own = step.skips.first(where: { $0.stage == .gift && $0.offset == combo }) else { return }
      add(at, was.isNew ? "started \(name) with \(count)" : "raised \(name)", rule)
      return addSkip(.overflow, SkippedCombo(own), others: own.units - count, in: partition)
    }
    add(
      at,
      was.isNew
        ? "started \(name) with \(count)"
        : "raised \(name) from \(after.total - count) to \(after.total), which was \(was.words)", rule)
    following = .combo(combo, from: after.total - count, to: after.total, isBegun: false, isCounted: false)
    if case .queued = after.place {
      let isNew = if case .queued = was { false } else { true }
      add(
        at,
        "\(isNew ? "queued" : "still queued"), worth \(after.worth), "
          + "\(counted(picture.queue.count - 1, "other combo")) in the queue; " + after.waitWords, rule)
      beginWait(combo, at: at, picture, partition)
    }
    if case .leaving(let lane, _, _) = after.place { leaving = (lane, at) }
    if case .onLane(_, _, isHeld: true) = was { add(at, "its hold ends, the ticks go on", .onLane) }
  }

  /// A combo of the queue waits for a lane from now on.
  mutating func beginWait(_ combo: Int64, at now: LogTime, _ picture: RoomPicture, _ partition: PartitionReplay) {
    guard let turn = picture.queue.firstIndex(where: { $0.offset == combo }) else { return }
    let rule = Rule.givingLanes
    let choice = Waiting.Choice(of: picture.queue[turn], at: now, partition.settings(of: room).gift)
    if choice.own != nil { add(now, choice.words, rule) }
    for (lane, holder) in picture.lanes.enumerated() where choice.own == nil || choice.own == lane {
      add(now, "lane \(lane): \(holder.map { "\($0.words), \($0.standing(partitionName))" } ?? "free")", rule)
    }
    addAhead(picture.queue[..<turn].filter { $0.ownLane == choice.own }.map(\.words), at: now, rule)
    let left = leaving.map { Stretch(from: $0.since, until: now, words: "its own view left lane \($0.lane)") }
    leaving = nil
    waiting = Waiting(of: combo, choice, leaving: left, partition.holders)
  }

  /// Tells what stands before it in a queue.
  mutating func addAhead(_ ahead: [String], at now: LogTime, _ rule: Rule) {
    if ahead.isEmpty { return add(now, "nothing stands before it in the queue", rule) }
    let some = ahead.prefix(6).enumerated().map { "\($0.offset + 1). \($0.element)" }.joined(separator: ", ")
    let more = ahead.count > 6 ? ", … and \(ahead.count - 6) more" : ""
    add(now, "before it in the queue: \(some)\(more)", rule)
  }

  /// Notes what was waited for until now.
  ///
  /// - Parameter place: the lane or track that it has now; nil: none.
  mutating func endWait(at now: LogTime, on place: Int? = nil, in partition: PartitionReplay) {
    if let ended = waiting?.wait(until: now, on: place, partition.holders) { waits.append(ended) }
    waiting = nil
  }

  mutating func addWish(_ wish: Lent<Wish>, _ step: RoomStep, in partition: PartitionReplay) {
    let rule = Rule.bannersStart
    let id = wish.wishId.description.printable
    guard let item = step.item else {
      let why = "it could not start, and \(step.skips.first?.othersWords ?? "")"
      add(at, "skipped (overflow): \(why)", rule)
      outcome = .skipped("overflow", why: why)
      following = .skipped(.wish, .overflow)
      return
    }
    let picture = room.withText { partition.engine.picture(of: $0) }
    switch item.fate {
    case .isQueued: add(at, "wish \(id) is queued already: this one is ignored", rule)
    case .isShown: add(at, "wish \(id) is flying already: this one is ignored", rule)
    case .liked, .likedBefore: addEqualWish(item, picture)
    case .queued(let waitEndsAt):
      following = .wish(ID(wish.wishId))
      add(at, "wish \(id) is queued; its wait runs out \(waitEndsAt.clock)", rule)
      let ahead = picture.wishQueue.prefix { ID($0.wishId) != ID(wish.wishId) }
      let settings = partition.settings(of: room).wish
      waiting = Waiting(of: ID(wish.wishId), behind: Array(ahead), at: at, settings, partition.holders)
    default: following = .wish(ID(wish.wishId))
    }
  }

  mutating func addLike(_ step: RoomStep, in partition: PartitionReplay) {
    let rule = Rule.wishLikes
    guard let item = step.item else { return }
    guard case .liked(let likes) = item.fate else {
      let isThere = if case .likedBefore = item.fate { true } else { false }
      let why = isThere ? "this user had liked the wish before" : "no wish of that id is queued or flies"
      return add(at, "\(why): the like is ignored", rule)
    }
    let wish = room.withText { partition.engine.picture(of: $0) }.wish(item.id)
    var words = "counts: ♥\(likes) of \(wish?.words ?? item.id.description.printable)"
    if case .queued? = wish?.place { words += ", which is queued: its wishFly will carry it" }
    add(at, words, rule)
    following = .like(ID(item.id), likes: likes)
  }

  private mutating func addSkip(
    _ reason: Skipped.Reason, _ own: SkippedCombo, others: Int64, in partition: PartitionReplay
  ) {
    let all = others > 0 ? " (\(own.units) with other gifts of the combo)" : ""
    add(
      at,
      "\(words(of: own, reason, in: partition)): \(counted(own.units - max(0, others), "gift")) of it not shown\(all)",
      reason == .overflow ? .giftArrives : .giftWait)
    follow(own, reason, at: at, in: partition)
  }

  /// The reason why a combo found no lane, and its fate then.
  func words(of combo: SkippedCombo, _ reason: Skipped.Reason, in partition: PartitionReplay) -> String {
    (combo.crowd.map { "joins crowd \(partitionName)/\($0)" } ?? "skipped (\(reason.words))")
      + ": \(why(combo, reason, in: partition))"
  }

  private func why(_ combo: SkippedCombo, _ reason: Skipped.Reason, in partition: PartitionReplay) -> String {
    let why =
      reason == .overflow
      ? "more than queueLimit (\(combo.limit)) combos were queued, and of those worth least this one came last"
      : "it was queued for maxWaitMs\(partition.spans[.giftWait, combo.offset].inParentheses)"
    return combo.crowd == nil ? "\(why), and \(combo.crowdWords)" : why
  }

  mutating func follow(
    _ combo: SkippedCombo, _ reason: Skipped.Reason, at now: LogTime, in partition: PartitionReplay
  ) {
    let why = why(combo, reason, in: partition)
    outcome = combo.crowd.map { .joined("\(partitionName)/\($0)", why: why) } ?? .skipped(reason.words, why: why)
    following = combo.crowd.map { .crowd($0, userId: combo.userId) } ?? .skipped(.gift, reason)
    if let crowd = combo.crowd { waiting = Waiting(ofCrowd: crowd, at: now, partition.holders) }
  }
}
