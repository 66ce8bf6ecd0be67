import RoomEngine
import RoomModel
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
    case wish(String)
    /// The total must reach this.
    case like(String, likes: Int64)
    case skipped(Skipped.Stage, Skipped.Reason)
    /// A crowd, by its offset, until its bar tells what joined.
    case crowd(Int64, userId: String)
    /// An item of the spot, by its id.
    case spot(String)
    /// A like, until a burst tells it.
    case burst
    /// An opened packet, until a tally of its rain has at least so many.
    case tally(String, opened: Int64)
    case rain(String)
    case nothing
  }

  let record: SeenRecord
  /// The partition's name.
  let partitionName: String
  let at: LogTime
  let words: String
  /// Its room.
  let room: String
  private(set) var lines: [Line] = []
  /// While its combo is queued.
  private var wait: LaneWait?
  var following = Following.nothing

  init(_ record: SeenRecord, partitionName: String, room: String, at: LogTime, words: String) {
    self.room = room
    self.record = record
    self.partitionName = partitionName
    self.at = at
    self.words = words
  }

  var isSettled: Bool {
    if case .nothing = following { return true }
    return false
  }

  mutating func add(_ at: LogTime, _ words: String, _ place: String, _ command: CommandName? = nil) {
    lines.append(Line(at: at, words: words, place: place, command: command))
  }

  // MARK: What it did at once

  mutating func addDuplicate(of before: (record: SeenRecord, at: LogTime)?, window: Milliseconds) {
    let whose =
      before.map { "\($0.record.name), which came \(at - $0.at) ms before" } ?? "one before this piece of the log"
    add(at, "duplicate of \(whose): less than dedupe.windowMs (\(window)), so it is ignored", "section 2: events")
  }

  mutating func addDeadLetter(_ reason: NotUnderstood, topic: String) {
    add(at, "dead letter, to \(topic).dlq: \(reason.description.printable)", "section 2: events")
  }

  mutating func addArrival(of event: RoomEvent, _ arrival: Arrival, room: String, in partition: PartitionReplay) {
    if at > record.timestampMs {
      add(
        at, "the log had come this far already: the record is \(at - record.timestampMs) ms late", "section 1: log time"
      )
    }
    switch arrival {
    case .duplicate: break
    case .takenBack(let units): addTakenBack(event, units)
    case .retract(let combos, let wishes, let spots): addRetract(combos, wishes, spots)
    case .roomEnd: add(at, "all that was there ends", "section 9: the end")
    case .roomSettings(let before): addSettings(event, before)
    case .known:
      add(at, "the state that this replay began with was written later and has it", "section 11: a log as a file")
    case .tap(let isLike, let before): addTap(isLike, before, partition.settings(of: room).like)
    case .rainStart(let before, let after): addRainStart(before, after, partition.settings(of: room).rain)
    case .rainGrab(let moment):
      guard case .rainGrab(let grab) = event.body else { return }
      addGrab(grab, moment)
    case .gift(let count, let before, let after, let skipped):
      addGift(event, count, before, after, skipped, in: partition)
    case .wish(let before, let after):
      guard case .wish(let wish) = event.body else { return }
      addWish(wish, before, after, partition.settings(of: room).wish)
    case .like(let before, let after):
      addLike(before, after)
    case .equalWish(let before, let after): addEqualWish(before, after)
    case .spot(let before, let after):
      guard case .spot(let spot) = event.body else { return }
      addSpot(spot, before, after, partition)
    }
  }

  private mutating func addGift(
    _ event: RoomEvent, _ count: Int64, _ before: ComboPicture?, _ after: ComboPicture?, _ skipped: [SkippedCombo],
    in partition: PartitionReplay
  ) {
    let place = "section 3: a gift arrives"
    if count == 0 {
      add(at, "its streak had brought that many before: nothing arrived", "section 3: streaks")
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
      addSkip(.overflow, own, others: own.units - count, settings: partition.settings(of: room))
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
    if case .queued(let waitEndsAt) = after.place {
      let queue = partition.engine.queueLengths(of: event.roomId).combos
      add(
        at,
        "\(isNew || before!.isResting ? "queued" : "still queued"), worth \(after.worth), "
          + "\(counted(queue - 1, "other combo")) in the queue; " + waitEndsAt.waitWords, place)
      beginWait(after.offset, at: at, partition.engine.picture(of: event.roomId), partition)
    }
    if case .onLane(_, _, _?, _, _, _)? = before?.place {
      add(at, "its hold ends, the ticks go on", "section 3: on a lane")
    }
  }

  private mutating func beginWait(
    _ combo: Int64, at now: LogTime, _ picture: RoomPicture, _ partition: PartitionReplay
  ) {
    let wait = LaneWait(of: combo, in: picture, partition.settings(of: room).gift, partitionName)
    for words in wait?.standing ?? [] { add(now, words, "section 3: giving lanes") }
    self.wait = wait
  }

  mutating func endWait(at now: LogTime) {
    guard let words = wait?.meanwhile else { return }
    add(now, words, "section 3: giving lanes")
    wait = nil
  }

  private mutating func addWish(
    _ wish: Lent<Wish>, _ before: WishPicture?, _ after: WishPicture?, _ settings: WishSettings
  ) {
    let place = "section 4: banners start"
    let id = wish.wishId.description.printable
    if let before {
      let whereabouts = if case .queued = before.place { "queued" } else { "flying" }
      add(at, "wish \(id) is \(whereabouts) already: this one is ignored", place)
    } else if let after {
      following = .wish(after.wishId)
      if case .queued(let waitEndsAt) = after.place {
        add(at, "wish \(id) is queued; its wait runs out \(waitEndsAt.clock)", place)
      }
    } else {
      add(
        at, "skipped (overflow): it could not start, and queueLimit (\(settings.queueLimit)) others were queued", place)
      following = .skipped(.wish, .overflow)
    }
  }

  private mutating func addLike(_ before: WishPicture?, _ after: WishPicture?) {
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
    following = .like(after.wishId, likes: after.likes)
  }

  private mutating func addSkip(
    _ reason: Skipped.Reason, _ own: SkippedCombo, others: Int64, settings: EngineSettings
  ) {
    let all = others > 0 ? " (\(own.units) with other gifts of the combo)" : ""
    add(
      at,
      "\(outcome(of: own, reason, settings)): \(counted(own.units - max(0, others), "gift")) of it not shown\(all)",
      reason == .overflow ? "section 3: a gift arrives" : "section 3: wait runs out")
    follow(own, reason)
  }

  /// Why a combo found no lane, and where it went.
  private func outcome(of combo: SkippedCombo, _ reason: Skipped.Reason, _ settings: EngineSettings) -> String {
    let why =
      reason == .overflow
      ? "more than queueLimit (\(settings.gift.queueLimit)) combos were queued, and this one was worth least"
      : "it was queued for maxWaitMs (\(settings.gift.maxWaitMs))"
    guard let crowd = combo.crowd else {
      return "skipped (\(reason.words)): \(why), and the room had crowd.kinds (\(settings.crowd.kinds)) crowds"
    }
    return "joins crowd \(partitionName)/\(crowd): \(why)"
  }

  private mutating func follow(_ combo: SkippedCombo, _ reason: Skipped.Reason) {
    following = combo.crowd.map { .crowd($0, userId: combo.userId) } ?? .skipped(.gift, reason)
  }

  // MARK: What becomes of it later

  mutating func follow(_ step: RoomStep, in partition: PartitionReplay) {
    addSkipIfDue(step, partition.settings(of: room))
    follow(step.commands, cause: step.cause, at: step.at, in: partition)
  }

  mutating func follow(
    _ commands: [RoomCommand], cause: RoomStep.Cause, at now: LogTime, in partition: PartitionReplay
  ) {
    addModeration(cause, at: now)
    if case .timer(let timer) = cause { addRequeue(by: timer, in: partition) }
    for command in commands {
      let first = lines.count
      follow(command, cause, partition)
      for index in first..<lines.count {
        guard let name = lines[index].command else { continue }
        lines[index].replayed = ReplayedCommand(name: name, atMs: command.atMs, json: partition.json(of: command))
      }
    }
    if case .timer(let timer) = cause { addLanding(by: timer) }
    if case .event(_, let end, .roomEnd) = cause, end.offset != record.offset { following = .nothing }
  }

  private mutating func addSkipIfDue(_ step: RoomStep, _ settings: EngineSettings) {
    if case .timer(let timer) = step.cause, timer.kind == .giftWaitRunsOut,
      case .combo(let combo, _, _, _, _) = following,
      let own = timer.combo, own.offset == combo, own.tier > 0
    {
      return add(step.at, "its wait runs out; of tier \(own.tier), it waits on", "section 3: wait runs out")
    }
    for item in step.skips where item.reason == .overflow || item.reason == .expired {
      addSkip(item, step.at, settings)
    }
  }

  private mutating func addSkip(_ item: SkippedItem, _ now: LogTime, _ settings: EngineSettings) {
    switch (following, item.stage) {
    case (.combo(let combo, _, _, let isBegun, _), .gift) where item.offset == combo:
      endWait(at: now)
      let own = SkippedCombo(item)
      add(
        now,
        "\(outcome(of: own, item.reason, settings)); \(counted(own.units, "gift")) of the combo not shown"
          + (isBegun ? ", some of this event's were drawn before" : ", this event's among them"),
        item.reason == .overflow ? "section 3: a gift arrives" : "section 3: wait runs out")
      follow(own, item.reason)
    case (.wish(let id), .wish) where item.id.bytes.elementsEqual(id.utf8):
      add(
        now, "skipped (expired): it was queued for maxWaitMs (\(settings.wish.maxWaitMs))", "section 4: wait runs out")
      following = .skipped(.wish, .expired)
    case (.like(let id, _), .wish) where item.id.bytes.elementsEqual(id.utf8):
      add(now, "the wish is skipped (expired), and its likes with it", "section 4: wait runs out")
      following = .nothing
    case (.spot(let id), .spot) where item.id.bytes.elementsEqual(id.utf8):
      let why =
        item.reason == .overflow
        ? "more than queueLimit (\(settings.spot.queueLimit)) items were queued, and this one was worth least"
        : "it was queued for maxWaitMs (\(settings.spot.maxWaitMs))"
      add(now, "skipped (\(item.reason.words)): \(why)", "section 7: an item comes")
      following = .skipped(.spot, item.reason)
    case (.combo, _), (.wish, _), (.like, _), (.spot, _), (.skipped, _), (.crowd, _), (.burst, _), (.tally, _),
      (.rain, _), (.nothing, _):
      break
    }
  }

  private mutating func follow(_ command: RoomCommand, _ cause: RoomStep.Cause, _ partition: PartitionReplay) {
    let name = CommandName(partition, command)
    switch (following, command.body) {
    case (.combo(let combo, _, _, _, _), .giftShow(let show)) where show.comboOffset != combo:
      wait?.note(show, at: command.atMs)
    case (.combo(let combo, _, _, _, _), .giftShow(let show)) where show.comboOffset == combo:
      if case .timer(let timer) = cause, timer.kind == .tick { return }
      endWait(at: command.atMs)
      add(
        command.atMs, "giftShow on lane \(show.lane), from ×\(show.from), ×\(show.total) in all",
        "section 3: giving lanes", name)
    case (.combo(let combo, let from, let to, let isBegun, false), .giftBump(let bump)) where bump.comboOffset == combo:
      guard bump.count > from else { return }
      let isCounted = bump.count >= to
      let words =
        isCounted
        ? "giftBump draws ×\(bump.count): \(isBegun ? "the last" : "all") of its gifts (up to ×\(to))"
        : "giftBump draws ×\(bump.count): the first of its gifts (from ×\(from + 1))"
      if isCounted || !isBegun { add(command.atMs, words, "section 3: on a lane", name) }
      following = .combo(combo, from: from, to: to, isBegun: true, isCounted: isCounted)
    case (.combo(let combo, _, let to, _, let isCounted), .giftHide(let hide)) where hide.comboOffset == combo:
      let words =
        isCounted ? "giftHide with ×\(hide.count): all of it was shown" : "giftHide with ×\(hide.count) of ×\(to)"
      add(command.atMs, words, "section 3: on a lane", name)
      if isCounted { following = .nothing }
    case (.combo(let combo, _, _, _, _), .spotShow(let show))
    where show.comboId.bytes.elementsEqual("\(partitionName)/\(combo)".utf8):
      add(command.atMs, "spotShow of its tier \(show.tier), for \(show.durationMs) ms", "section 7: spot", name)
    case (.crowd(let crowd, let userId), .crowdShow(let show)) where show.crowdOffset == crowd:
      let isNamed = show.names.contains { $0.userId.bytes.elementsEqual(userId.utf8) }
      let names = show.names.map { named($0.name.description, $0.userId.description) }.joined(separator: ", ")
      add(
        command.atMs,
        "crowdShow tells it: \(counted(show.units, "gift")) of \(counted(show.items, "combo")); "
          + (isNamed ? "it names this sender" : "it names not this sender but \(names.isEmpty ? "nobody" : names)"),
        "section 8: crowds", name)
      following = .nothing
    case (.spot(let id), .spotShow(let show)) where show.spotId.bytes.elementsEqual(id.utf8):
      add(command.atMs, "spotShow, for \(show.durationMs) ms", "section 7: shown", name)
      following = .nothing
    case (.wish(let id), .wishFly(let fly)) where fly.wishId.description == id:
      add(
        command.atMs, "wishFly on track \(fly.track), lands \((command.atMs + fly.durationMs).clock)",
        "section 4: banners start", name)
    case (.like(let id, let likes), .wishFly(let fly)) where fly.wishId.description == id:
      add(command.atMs, "wishFly carries ♥\(fly.likes), with it the \(likes). like", "section 4: likes", name)
      following = .nothing
    case (.like(let id, let likes), .wishLikes(let told)) where told.wishId.description == id && told.likes >= likes:
      add(command.atMs, "wishLikes tells ♥\(told.likes), with it the \(likes). like", "section 4: likes", name)
      following = .nothing
    case (.skipped(let stage, let reason), .skipped(let told)) where told.stage == stage && told.reason == reason:
      add(
        command.atMs, "the command skipped tells it, with \(told.items) of that kind (units \(told.units)) in all",
        "section 9: skips", name)
      following = .nothing
    case (.burst, _), (.tally, _), (.rain, _): followLikesAndRain(command, name)
    case (.combo, _), (.wish, _), (.like, _), (.skipped, _), (.crowd, _), (.spot, _), (.nothing, _): break
    }
  }

  private mutating func addRequeue(by timer: TimerPicture, in partition: PartitionReplay) {
    guard case .combo(let combo, _, _, _, false) = following, timer.kind == .laneBecomesFree, let own = timer.combo,
      own.offset == combo
    else { return }
    add(
      timer.deadline, "its lane becomes free; ×\(own.gap) of it not shown, so it is queued again, as the last",
      "section 3: it hides")
    let picture = room.withText { partition.engine.picture(of: $0) }
    if picture.queue.contains(where: { $0.offset == combo }) {
      beginWait(combo, at: timer.deadline, picture, partition)
    }
  }

  private mutating func addLanding(by timer: TimerPicture) {
    guard case .wish(let id) = following, timer.kind == .bannerLands, timer.wish?.wishId == id else { return }
    add(timer.deadline, "the banner lands: all of it was shown", "section 4: banners start")
    following = .nothing
  }
}
