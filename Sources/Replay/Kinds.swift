import JSON
import RoomEngine
import RoomModel
import RoomScreen
import Wire

// Kinds of events and of commands are told apart here: the words for an event, and the reason of a command.

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
    of event: RoomEvent, _ arrival: Arrival, _ step: RoomStep, keptAwayBy why: @autoclosure () -> String,
    in partition: PartitionReplay
  ) {
    switch arrival {
    case .duplicate: break
    case .known:
      add(at, "the state that this replay began with was written later and has it", .state)
    case .retract(let items):
      guard case .retract(let retract) = event.body else { return }
      addRetract(items)
      let windowMs = partition.settings(of: room).dedupe.windowMs
      if let kept = KeptAway(retract, took: items, at: at, rememberedMs: windowMs) { following = .keeping(kept) }
    case .roomEnd(let removed):
      let items = Self.counts(removed)
      outcome = .ended(items ?? "nothing, since nothing was there")
      add(at, "all that was there ends: \(items ?? "nothing")", .end)
    case .roomSettings(let before): addSettings(event, before)
    case .decided(let tapUntil):
      if let taken = step.takenBack { return addTakenBack(event, taken.stage, taken.units, why()) }
      addDecided(event, tapUntil: tapUntil, step, in: partition)
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
    case .wishGone: self = Reason(.takingBack, "it was taken back")
    case .likeBurst: self = .burst(step)
    case .rainCountdown(let countdown): self = .countdown(countdown, step)
    case .rainDrop(let drop): self = .drop(drop)
    case .rainTally(let tally): self = .tally(tally, step)
    case .rainEnd(let end): self = .rainEnd(end, step)
    case .spotShow(let show): self = .spot(show, step)
    case .spotGone: self = Reason(.takingBack, "it was taken back")
    case .crowdShow(let show): self = .crowd(show, step, settings.crowd)
    case .pinShow(let show): self = .pin(show, step)
    case .pinGone(let gone): self = .gone(gone, step)
    case .goalShow(let show): self = .goal(show, step)
    case .goalCount(let count): self = .count(count, step)
    case .goalEnd(let end): self = .end(end, step)
    case .retracted: self = Reason(.takingBack, "a retract came; this comes always, and first")
    case .crowdHide: self = Reason(.bar, "the crowd's turn is over, and no crowd has anything untold")
    case .skipped(let skipped): self = .skipped(skipped, step)
    case .roomEnd: self = Reason(.end, "the room ended")
    }
  }
}

extension Origins {
  /// The item that the command is of, or tells.
  func behind(_ command: RoomCommand) -> Item? {
    switch command.body {
    case .giftShow(let show): .combo(show.comboOffset)
    case .giftBump(let bump): .combo(bump.comboOffset)
    case .giftHide(let hide): .combo(hide.comboOffset)
    case .wishFly(let fly): .wish(ID(fly.wishId))
    case .wishLikes(let likes): .wish(ID(likes.wishId))
    case .wishGone(let gone): .wish(ID(gone.wishId))
    case .likeBurst: .likes
    case .rainCountdown(let countdown): .rain(ID(countdown.rainId))
    case .rainDrop(let drop): .rain(ID(drop.rainId))
    case .rainTally(let tally): .grabs(ID(tally.rainId))
    case .rainEnd(let end): .rain(ID(end.rainId))
    case .spotShow(let show): CommandID(show.comboId.bytes).map { .combo($0.offset) } ?? .spot(ID(show.spotId))
    case .crowdShow(let show): .crowd(show.crowdOffset)
    case .pinShow(let show): .pin(ID(show.pinId))
    case .pinGone(let gone): .pin(ID(gone.pinId))
    case .goalShow(let show): .goal(ID(show.goalId))
    case .goalCount(let count): .counts(ID(count.goalId))
    case .goalEnd(let end): .goal(ID(end.goalId))
    case .skipped(let skipped): .skips(skipped.stage, skipped.reason)
    case .spotGone, .crowdHide, .retracted, .roomEnd: nil
    }
  }

  /// The items that end with the command, or are told with it.
  func told(by command: RoomCommand) -> [Item] {
    switch command.body {
    case .likeBurst, .rainTally, .rainEnd, .crowdShow, .pinGone, .goalCount, .skipped: return [behind(command)!]
    case .spotShow(let show): return [.spot(ID(show.spotId))]
    case .goalShow(let show): return [.counts(ID(show.goalId))]
    case .goalEnd(let end): return [.goal(ID(end.goalId)), .counts(ID(end.goalId))]
    // The item of any other goes on, or ends with a timer or an event.
    default: return []
    }
  }
}
