import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// The story of one event, from its record to where nothing is left to be told.
struct EventTrace {
  struct Line {
    let at: LogTime
    let words: String
    let place: String
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
    /// A like, until a burst tells it.
    case burst
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
  var laneWait: LaneWait?
  var wishWait: WishWait?
  var spotWait: SpotWait?
  var barWait: BarWait?
  /// Set while an item of its combo is queued for the spot.
  var tierWait: SpotWait?
  /// The waits of such items, beside those of the combo.
  var tierWaits: [Wait] = []
  /// Whether the event is a gift whose streak had told as many before.
  private(set) var addsNothingToStreak = false
  /// For the first sentence: why an item of its combo was not on the spot; nil: it was, or there is none.
  var spotEnding: String?
  /// The lane that its combo is leaving, and since when; the combo is yet to be shown again.
  var leaving: (lane: Int, since: LogTime)?
  /// The banners that started before it.
  private let flights: Flights
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

  init(
    _ record: SeenRecord, partitionName: String, room: ID, at: LogTime, words: String, after flights: Flights
  ) {
    self.room = room
    self.flights = flights
    self.record = record
    self.partitionName = partitionName
    self.at = at
    self.words = words
  }

  var isSettled: Bool {
    if case .nothing = following { return tierWait == nil }
    return false
  }

  mutating func add(_ at: LogTime, _ words: String, _ place: String, _ command: CommandName? = nil) {
    lines.append(Line(at: at, words: words, place: place, command: command))
  }

  // MARK: Effects at once

  /// Another event had its id, but not its kind or its user.
  mutating func addOther(ofThatId other: EventExplanation.Seen) {
    add(
      at,
      "the id came before with another kind or user, so it is no duplicate: \(other.record.name) was: \(other.words)",
      "section 2: events")
  }

  mutating func addDuplicate(of before: EventExplanation.Seen?) {
    let whose =
      before.map { "\($0.record.name), which came \(at - $0.at) ms before" } ?? "one before this piece of the log"
    if let before, before.words != words {
      add(
        at, "duplicate, ignored, though it differs: \(before.record.name) counts, which was: \(before.words)",
        "section 2: events")
    }
    add(
      at,
      "duplicate of \(whose): less than dedupe.windowMs\(before.map { " (\($0.windowMs))" } ?? ""), so it is ignored",
      "section 2: events")
  }

  mutating func addDeadLetter(_ reason: NotUnderstood, topic: String) {
    add(at, "dead letter, to \(topic).dlq: \(reason.description.printable)", "section 2: events")
  }

  /// - Parameter why: the retract that keeps it away, if one does, in words.
  mutating func addArrival(
    of event: RoomEvent, _ arrival: Arrival, keptAwayBy why: @autoclosure () -> String, in partition: PartitionReplay
  ) {
    if at > record.timestampMs {
      add(
        at, "the log had come this far already: the record is \(at - record.timestampMs) ms late", "section 1: log time"
      )
    }
    addEffect(of: event, arrival, keptAwayBy: why(), in: partition)
  }

  mutating func addSwallowedGift() {
    addsNothingToStreak = true
    add(at, "its streak had brought that many before: nothing arrived", "section 3: streaks")
  }

  mutating func addGift(
    _ event: RoomEvent, _ count: Int64, _ before: ComboPicture?, _ after: ComboPicture?, _ skipped: [SkippedCombo],
    in partition: PartitionReplay
  ) {
    let place = "section 3: a gift arrives"
    if count == 0 {
      addSwallowedGift()
      return
    }
    guard let after else {
      guard let own = skipped.first(where: { $0.offset == before?.offset ?? record.offset }) else { return }
      add(
        at,
        before == nil
          ? "started combo \(partitionName)/\(own.offset) with \(count)"
          : "raised combo \(partitionName)/\(own.offset)",
        place)
      addSkip(.overflow, own, others: own.units - count, in: partition)
      return
    }
    let name = "combo \(partitionName)/\(after.offset)"
    let isNew = before?.offset != after.offset
    if isNew {
      add(at, "started \(name) with \(count)", place)
    } else {
      add(at, "raised \(name) from \(before!.total) to \(after.total), which was \(before!.phase)", place)
    }
    following = .combo(
      after.offset, from: after.total - count, to: after.total, isBegun: false, isCounted: false)
    if case .queued = after.place {
      let queue = partition.engine.queueLengths(of: event.roomId).combos
      add(
        at,
        "\(isNew || before!.isResting ? "queued" : "still queued"), worth \(after.worth), "
          + "\(counted(queue - 1, "other combo")) in the queue; " + after.waitWords, place)
      beginWait(after.offset, at: at, partition.engine.picture(of: event.roomId), partition, isNew: true)
    }
    if case .leaving(let lane, _, _) = after.place { leaving = (lane, at) }
    if case .onLane(_, _, _?, _, _, _)? = before?.place {
      add(at, "its hold ends, the ticks go on", "section 3: on a lane")
    }
  }

  mutating func beginWait(
    _ combo: Int64, at now: LogTime, _ picture: RoomPicture, _ partition: PartitionReplay, isNew: Bool
  ) {
    var before: [Stretch] = []
    if let leaving {
      before = [Stretch(from: leaving.since, until: now, words: "its own view left lane \(leaving.lane)")]
    }
    leaving = nil
    let wait = LaneWait(
      of: combo, at: now, in: picture, partition.settings(of: room).gift, partitionName, before: before, isNew: isNew)
    for words in wait?.standing ?? [] { add(now, words, "section 3: giving lanes") }
    laneWait = wait
  }

  /// Notes what was waited for until now.
  ///
  /// - Parameters:
  ///   - track: on which its wish flew; nil: it didn't.
  ///   - flights: before that.
  mutating func endWait(at now: LogTime, track: Int? = nil, _ flights: Flights? = nil) {
    let ended =
      laneWait?.wait(until: now) ?? wishWait?.wait(until: now, track: track, flights ?? self.flights)
      ?? spotWait?.wait(until: now) ?? barWait?.wait(until: now)
    if let ended { waits.append(ended) }
    (laneWait, wishWait, spotWait, barWait) = (nil, nil, nil, nil)
  }

  mutating func addWish(
    _ wish: Lent<Wish>, _ before: WishPicture?, _ after: WishPicture?, in partition: PartitionReplay
  ) {
    let settings = partition.settings(of: room).wish
    let place = "section 4: banners start"
    let id = wish.wishId.description.printable
    if let before {
      let whereabouts = if case .queued = before.place { "queued" } else { "flying" }
      add(at, "wish \(id) is \(whereabouts) already: this one is ignored", place)
    } else if let after {
      following = .wish(ID(after.wishId))
      if case .queued(let waitEndsAt) = after.place {
        add(at, "wish \(id) is queued; its wait runs out \(waitEndsAt.clock)", place)
        wishWait = WishWait(
          of: ID(after.wishId), at: at, in: room.withText { partition.engine.picture(of: $0) }, settings)
      }
    } else {
      let why = "it could not start, and queueLimit (\(settings.queueLimit)) others were queued"
      add(at, "skipped (overflow): \(why)", place)
      outcome = .skipped("overflow", why: why)
      following = .skipped(.wish, .overflow)
    }
  }

  mutating func addLike(_ before: WishPicture?, _ after: WishPicture?) {
    guard let before, let after else {
      add(at, "no wish of that id is queued or flies: the like is ignored", "section 4: likes")
      return
    }
    guard after.likes > before.likes else {
      add(at, "this user had liked the wish before: the like is ignored", "section 4: likes")
      return
    }
    var words = "counts: ♥\(after.likes) of \(after.words)"
    if case .queued = after.place { words += ", which is queued: its wishFly will carry it" }
    add(at, words, "section 4: likes")
    following = .like(ID(after.wishId), likes: after.likes)
  }

  private mutating func addSkip(
    _ reason: Skipped.Reason, _ own: SkippedCombo, others: Int64, in partition: PartitionReplay
  ) {
    let all = others > 0 ? " (\(own.units) with other gifts of the combo)" : ""
    add(
      at,
      "\(words(of: own, reason, in: partition)): \(counted(own.units - max(0, others), "gift")) of it not shown\(all)",
      reason == .overflow ? "section 3: a gift arrives" : "section 3: wait runs out")
    follow(own, reason, at: at, in: partition)
  }

  /// The reason why a combo found no lane, and its fate then.
  func words(of combo: SkippedCombo, _ reason: Skipped.Reason, in partition: PartitionReplay) -> String {
    (combo.crowd.map { "joins crowd \(partitionName)/\($0)" } ?? "skipped (\(reason.words))")
      + ": \(why(combo, reason, in: partition))"
  }

  private func why(_ combo: SkippedCombo, _ reason: Skipped.Reason, in partition: PartitionReplay) -> String {
    let settings = partition.settings(of: room)
    let why =
      reason == .overflow
      ? "more than queueLimit (\(settings.gift.queueLimit)) combos were queued, and of those worth least this one came last"
      : "it was queued for maxWaitMs\(partition.spans[.giftWait, combo.offset].inParentheses)"
    return combo.crowd == nil ? "\(why), and the room had crowd.kinds (\(settings.crowd.kinds)) crowds" : why
  }

  mutating func follow(
    _ combo: SkippedCombo, _ reason: Skipped.Reason, at now: LogTime, in partition: PartitionReplay
  ) {
    let why = why(combo, reason, in: partition)
    outcome = combo.crowd.map { .joined("\(partitionName)/\($0)", why: why) } ?? .skipped(reason.words, why: why)
    following = combo.crowd.map { .crowd($0, userId: combo.userId) } ?? .skipped(.gift, reason)
    if let crowd = combo.crowd {
      barWait = BarWait(of: crowd, at: now, in: room.withText { partition.engine.picture(of: $0) })
    }
  }
}
