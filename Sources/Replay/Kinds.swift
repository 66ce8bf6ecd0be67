import JSON
import RoomEngine
import RoomModel
import RoomScreen
import Wire

// Kinds of events and of commands are told apart here: what an event does at once, the words for it, and the reason of a
// command.

/// The immediate effect of an event on its room.
enum Arrival {
  case duplicate
  /// The state that the replay began with was written later, and has it.
  case known
  /// `count`: how many of it arrived, 0 if its streak had them all. `before` and `after` are the combo it counts to,
  /// nil where there was none, and where it was skipped.
  case gift(count: Int64, before: ComboPicture?, after: ComboPicture?, skipped: [SkippedCombo])
  /// `before`: it was there already. `after` nil: it was skipped.
  case wish(before: WishPicture?, after: WishPicture?)
  /// The wish of which it is a like, before and after.
  case equalWish(before: WishPicture, after: WishPicture?)
  /// The wish that is liked; nil: there is none.
  case like(before: WishPicture?, after: WishPicture?)
  /// `before`: when the user's last tap stopped counting, or stops; nil: there was none that could.
  case tap(isLike: Bool, before: LogTime?)
  /// The rain of that id before and after; one that is there before runs already, and none after: its id came too
  /// recently (`isRemembered`), or as many run as may.
  case rainStart(before: RainPicture?, after: RainPicture?, isRemembered: Bool)
  case rainGrab(GrabMoment)
  /// `before`: an item of that id was there already. `after` nil: it was skipped.
  case spot(before: SpotPicture?, after: SpotPicture?)
  /// Its commands tell its effect, if it has one.
  case plain
  /// Its user is muted, or it was taken back before it came: `units` of that stage (gifts, or 1 a wish or item of the
  /// spot) are skipped. Nil: it is ignored, as likes and taps are.
  case takenBack(Skipped.Stage?, units: Int64)
  /// Items that it takes back, as they were.
  case retract(RemovedItems)
  /// Items that end, as they were.
  case roomEnd(RemovedItems)
  /// The room's own settings as they were before.
  case roomSettings(before: OwnSettingsPicture?)
}

extension RoomWatch {
  /// Plays the event.
  mutating func arrive(_ event: RoomEvent, _ record: LogRecord, in partition: PartitionReplay) -> Arrival {
    let room = room.text
    let at = partition.engine.time(ofRecordAt: record.timestampMs)
    if let arrival = arriveTakenBack(event, record, at: at, in: partition) { return arrival }
    switch event.body {
    case .gift(let gift):
      let before = GiftMoment(gift, of: room, in: partition.engine)
      return play(event, record, in: partition) { batch in
        before.arrival(of: gift, offset: record.offset, in: room, partition.engine, batch.decisions)
      }
    case .wish(let wish):
      let before = partition.engine.wish(of: room, id: wish.wishId)
      let equal = before == nil ? partition.engine.wish(of: room, equalTo: wish, at: at) : nil
      return play(event, record, in: partition) { _ in
        guard let equal else { return .wish(before: before, after: partition.engine.wish(of: room, id: wish.wishId)) }
        return .equalWish(before: equal, after: equal.wishId.withText { partition.engine.wish(of: room, id: $0) })
      }
    case .wishLike(let like):
      let before = partition.engine.wish(of: room, id: like.wishId)
      return play(event, record, in: partition) { _ in
        .like(before: before, after: partition.engine.wish(of: room, id: like.wishId))
      }
    case .tap(let tap):
      let before = partition.engine.nextTapIsLikeUntil(of: room, user: tap.userId)
      return play(event, record, in: partition) { _ in .tap(isLike: before.map { at < $0 } ?? false, before: before) }
    case .rainStart(let start):
      let before = partition.engine.rain(of: room, id: start.rainId)
      let isRemembered = partition.engine.isRemembered(rain: start.rainId, in: room, at: at)
      return play(event, record, in: partition) { _ in
        .rainStart(
          before: before, after: partition.engine.rain(of: room, id: start.rainId), isRemembered: isRemembered)
      }
    case .rainGrab(let grab):
      let packet = partition.engine.packet(grab.packet, ofRain: grab.rainId, in: room)
      return play(event, record, in: partition) { batch in
        guard let result = batch.results.first else { return .known }
        return .rainGrab(
          GrabMoment(
            rain: partition.engine.rain(of: room, id: grab.rainId), packet: packet, outcome: result.outcome,
            coins: result.coins))
      }
    case .spot(let spot):
      let before = partition.engine.spot(of: room, id: spot.spotId, at: at)
      return play(event, record, in: partition) { _ in
        .spot(before: before, after: partition.engine.spot(of: room, id: spot.spotId, at: at))
      }
    case .taps, .pin, .goal, .score: return play(event, record, in: partition) { _ in .plain }
    case .retract:
      let before = partition.engine.picture(of: room)
      return play(event, record, in: partition) { .retract(RemovedItems(of: $0.decisions, before)) }
    case .roomSettings:
      let before = partition.engine.picture(of: room).own
      return play(event, record, in: partition) { _ in .roomSettings(before: before) }
    case .roomEnd:
      let before = partition.engine.picture(of: room)
      return play(event, record, in: partition) { .roomEnd(RemovedItems(of: $0.decisions, before)) }
    }
  }
}

extension RoomEvent {
  /// The kind of event, in a word or two.
  var kindWords: String {
    switch body {
    case .gift: "gift"
    case .wish: "wish"
    case .wishLike: "like of a wish"
    case .tap: "tap"
    case .taps: "taps"
    case .rainStart: "rain start"
    case .rainGrab: "grab"
    case .spot: "spot"
    case .pin: "pin"
    case .goal: "goal"
    case .score: "score"
    case .retract: "retract"
    case .roomSettings: "room settings"
    case .roomEnd: "room end"
    }
  }

  /// The event in words.
  var words: String {
    switch body {
    case .gift(let gift):
      let what = named(gift.giftName.description, gift.giftId.description)
      let who = named(gift.sender.name.description, gift.sender.userId.description)
      let streak = gift.streakId.isEmpty ? "" : " so far in streak \(gift.streakId.description.printable)"
      let receiver = gift.receiverId.isEmpty ? "" : " to \(gift.receiverId.description.printable)"
      return "\(who) gives \(what) ×\(gift.count)\(streak)\(receiver), \(gift.value) each"
    case .wish(let wish):
      let who = named(wish.sender.name.description, wish.sender.userId.description)
      return "\(who) wishes (\(wish.wishId.description.printable)): \(wish.text.description.printable)"
    case .wishLike(let like):
      return "\(like.userId.description.printable) likes wish \(like.wishId.description.printable)"
    case .tap(let tap): return "\(tap.userId.description.printable) taps at \(tap.x), \(tap.y)"
    case .taps(let taps):
      return "\(taps.userId.description.printable) has liked \(taps.count) times in run "
        + taps.runId.description.printable
    case .rainStart(let start): return "rain \(start.rainId.description.printable) starts"
    case .rainGrab(let grab):
      return "\(grab.userId.description.printable) opens packet \(grab.packet) of rain "
        + grab.rainId.description.printable
    case .spot(let spot):
      let who = named(spot.sender.name.description, spot.sender.userId.description)
      let text = spot.text.isEmpty ? "" : ": \(spot.text.description.printable)"
      return
        "\(who) comes to the spot with \(spot.kind.description.printable) (\(spot.spotId.description.printable))\(text)"
    case .pin(let pin):
      let who = named(pin.sender.name.description, pin.sender.userId.description)
      return "\(who) pins (\(pin.pinId.description.printable)): \(pin.text.description.printable)"
    case .goal(let goal):
      let text = goal.text.isEmpty ? "" : ": \(goal.text.description.printable)"
      return "goal \(goal.goalId.description.printable)\(text)"
    case .score(let score):
      let side = score.side.isEmpty ? "" : ", side \(score.side.description.printable)"
      return "goal \(score.goalId.description.printable)\(side) has \(score.total) elsewhere"
    case .retract(let retract):
      switch retract.what {
      case .pin(let id): return "pin \(id.description.printable) is taken back"
      case .goal(let id): return "goal \(id.description.printable) is taken back"
      case .spot(let id): return "item \(id.description.printable) of the spot is taken back"
      case .wish(let id): return "wish \(id.description.printable) is taken back"
      case .combo(let id): return "combo \(id.description.printable) is taken back"
      case .user(let id, let muteMs):
        let mute = muteMs > 0 ? ", who is muted for \(muteMs) ms" : ""
        return "all of \(id.description.printable) is taken back\(mute)"
      }
    case .roomSettings(let settings):
      if settings.set.isEmpty { return "the room gives its own settings up" }
      let set = settings.set.map { "\($0.setting.rawValue) \($0)" }.joined(separator: ", ")
      return "the room has settings of its own for \(settings.forMs) ms: \(set)"
    case .roomEnd: return "the room ends"
    }
  }
}

extension EventTrace {
  /// Tells what the event did at once.
  mutating func addEffect(
    of event: RoomEvent, _ arrival: Arrival, keptAwayBy why: @autoclosure () -> String, in partition: PartitionReplay
  ) {
    switch arrival {
    case .duplicate: break
    case .plain: add(at, "its commands tell what came of it", "section 10: commands")
    case .takenBack(let stage, let units): addTakenBack(event, stage, units, why())
    case .retract(let items):
      guard case .retract(let retract) = event.body else { return }
      addRetract(items)
      let windowMs = partition.settings(of: room).dedupe.windowMs
      if let kept = KeptAway(retract, at: at, rememberedMs: windowMs) { following = .keeping(kept) }
    case .roomEnd(let removed):
      let items = Self.counts(removed)
      outcome = .ended(items ?? "nothing, since nothing was there")
      add(at, "all that was there ends: \(items ?? "nothing")", "section 9: the end")
    case .roomSettings(let before): addSettings(event, before)
    case .known:
      add(at, "the state that this replay began with was written later and has it", "section 11: a log as a file")
    case .tap(let isLike, let before): addTap(isLike, before, partition.settings(of: room).like)
    case .rainStart(let before, let after, let isRemembered):
      addRainStart(event, before, after, isRemembered: isRemembered, in: partition)
    case .rainGrab(let moment):
      guard case .rainGrab(let grab) = event.body else { return }
      addGrab(grab, moment)
    case .gift(let count, let before, let after, let skipped):
      addGift(event, count, before, after, skipped, in: partition)
    case .wish(let before, let after):
      guard case .wish(let wish) = event.body else { return }
      addWish(wish, before, after, in: partition)
    case .like(let before, let after):
      addLike(before, after)
    case .equalWish(let before, let after): addEqualWish(before, after)
    case .spot(let before, let after):
      guard case .spot(let spot) = event.body else { return }
      addSpot(spot, before, after, partition)
    }
  }
}

extension Reason {
  /// - Parameter settings: the settings in force then.
  init(of command: RoomCommand, in step: RoomStep, _ settings: EngineSettings) {
    if let reason = Reason(ofModeration: command, in: step) {
      self = reason
      return
    }
    switch command.body {
    case .giftShow(let show): self = .show(show, step, settings.gift)
    case .giftBump(let bump): self = .bump(bump, step, settings.gift)
    case .giftHide(let hide): self = .hide(hide, step)
    case .wishFly(let fly): self = .fly(fly, step, settings.wish)
    case .wishLikes(let likes): self = .likes(likes, step)
    case .wishGone: self = Reason(9, "taking back", "it was taken back")
    case .likeBurst: self = .burst(step)
    case .rainCountdown(let countdown): self = .countdown(countdown, step)
    case .rainDrop(let drop): self = .drop(drop)
    case .rainTally(let tally): self = .tally(tally, step)
    case .rainEnd: self = .rainEnd(step)
    case .spotShow(let show): self = .spot(show, step)
    case .spotGone: self = Reason(9, "taking back", "it was taken back")
    case .crowdShow(let show): self = .crowd(show, step, settings.crowd)
    case .pinShow: self = Reason(12, "pins", "a pin came, or is told again")
    case .pinGone(let gone): self = Reason(12, "pins", "it goes: \(gone.reason)")
    case .goalShow: self = Reason(13, "goals and battles", "the goal began, was changed, or is told again")
    case .goalCount: self = Reason(13, "goals and battles", "its progress or a total changed")
    case .goalEnd(let end): self = Reason(13, "goals and battles", "it ends: \(end.reason)")
    case .retracted: self = Reason(9, "taking back", "a retract came; this comes always, and first")
    case .crowdHide: self = Reason(8, "crowds", "the crowd's turn is over, and no crowd has anything untold")
    case .skipped(let skipped): self = .skipped(skipped, step, settings)
    case .roomEnd: self = Reason(9, "the end", "the room ended")
    }
  }
}

extension Origins {
  /// The events that led to the command, where they are more than its cause.
  func lines(behind command: RoomCommand, partitionName: String) -> [String] {
    switch command.body {
    case .giftShow(let show): lines(ofCombo: show.comboOffset, partitionName)
    case .giftBump(let bump): lines(ofCombo: bump.comboOffset, partitionName)
    case .giftHide(let hide): lines(ofCombo: hide.comboOffset, partitionName)
    case .wishFly(let fly): lines(ofWish: ID(fly.wishId))
    case .wishLikes(let likes): lines(ofWish: ID(likes.wishId))
    case .wishGone(let gone): lines(ofWish: ID(gone.wishId))
    case .likeBurst: likes.map { lines($0) } ?? []
    case .rainCountdown(let countdown): lines(ofRain: ID(countdown.rainId))
    case .rainDrop(let drop): lines(ofRain: ID(drop.rainId))
    case .rainTally(let tally): grabs[ID(tally.rainId)].map { lines($0) } ?? []
    case .rainEnd(let end): lines(ofRain: ID(end.rainId))
    case .spotShow(let show): lines(ofSpot: show, partitionName)
    case .spotGone: []
    case .crowdShow(let show): lines(ofCrowd: show.crowdOffset, partitionName)
    case .crowdHide, .pinShow, .pinGone, .goalShow, .goalCount, .goalEnd, .retracted: []
    case .roomEnd: []
    case .skipped(let skipped): lines(ofSkips: Self.index(skipped.stage, skipped.reason))
    }
  }
}
