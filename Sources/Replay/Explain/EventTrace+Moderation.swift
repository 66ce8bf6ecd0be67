import RoomEngine
import RoomModel
import RoomScreen

/// The story of events that moderate a room, and of gifts and wishes that they moderate.
extension EventTrace {
  /// - Parameters:
  ///   - stage: that by which it is skipped; nil: it is ignored.
  ///   - why: the retract that keeps it away, in words.
  mutating func addTakenBack(_ event: RoomEvent, _ stage: Skipped.Stage?, _ units: Int64, _ why: String) {
    let rule = Rule.takingBack
    switch stage {
    case .gift:
      outcome = .skipped("retracted", why: why)
      add(at, "skipped (retracted): \(why); \(counted(units, "gift")) of it not shown", rule)
      following = .skipped(.gift, .retracted)
    case .wish:
      outcome = .skipped("retracted", why: why)
      add(at, "skipped (retracted): \(why)", rule)
      following = .skipped(.wish, .retracted)
    case .spot, .pin:
      outcome = .skipped("retracted", why: why)
      add(at, "skipped (retracted): \(why)", rule)
      following = .skipped(stage!, .retracted)
    case nil:
      if case .gift = event.body {
        return addSwallowedGift()
      }
      add(at, "\(why): it is ignored", rule)
    }
  }

  mutating func addRetract(_ removed: RemovedItems) {
    let rule = Rule.takingBack
    let items = Self.counts(removed)
    outcome = .tookBack(items ?? "nothing, since nothing of that was there", keptAway: nil)
    if items == nil { return add(at, "nothing of that is there", rule) }
    for combo in removed.combos { add(at, "takes back \(combo.standing(partitionName)); \(combo.words)", rule) }
    for wish in removed.wishes { add(at, "takes back wish \(wish.wishId.printable), \(wish.words)", rule) }
    for spot in removed.spots { add(at, "takes back item \(spot.words)", rule) }
    for pin in removed.pins {
      add(at, "takes back pin \(pin.pinId.printable), \(named(pin.name, pin.userId)): \(pin.text.printable)", rule)
    }
    for goal in removed.goals {
      let name = goal.text.isEmpty ? "" : ", \(goal.text.printable)"
      add(at, "takes back goal \(goal.goalId.printable)\(name): \(goal.sum)", rule)
    }
    for crowd in removed.crowds { add(at, "takes the name out of crowd \(partitionName)/\(crowd)", rule) }
  }

  /// `2 combos (5 gifts not shown), 1 wish`; nil: nothing.
  static func counts(_ removed: RemovedItems) -> String? {
    let (combos, wishes, spots) = (removed.combos, removed.wishes, removed.spots)
    let gifts = combos.reduce(0) { $0 + $1.gap }
    let items = [
      combos.isEmpty
        ? nil : counted(combos.count, "combo") + (gifts > 0 ? " (\(counted(gifts, "gift")) not shown)" : ""),
      wishes.isEmpty ? nil : counted(wishes.count, "wish"), spots.isEmpty ? nil : counted(spots.count, "item"),
      removed.pins.isEmpty ? nil : counted(removed.pins.count, "pin"),
      removed.goals.isEmpty ? nil : counted(removed.goals.count, "goal"),
      removed.crowds.isEmpty
        ? nil : removed.crowds.count == 1 ? "1 name in a crowd" : "names in \(removed.crowds.count) crowds",
    ].compactMap { $0 }
    return items.isEmpty ? nil : items.joined(separator: ", ")
  }

  mutating func addSettings(_ event: RoomEvent, _ before: OwnSettingsPicture?) {
    guard case .roomSettings(let settings) = event.body else { return }
    let rule = Rule.ownSettings
    let old = before.map { " in place of \($0.words)" } ?? ""
    if settings.set.isEmpty { return add(at, "the worker's settings are in force again\(old)", rule) }
    let set = settings.set.map { "\($0.setting.rawValue) \($0)" }.joined(separator: ", ")
    add(at, "in force until \((at + settings.forMs).dateAndClock): \(set)\(old)", rule)
  }

  /// Notes that a retract or the room's end takes the combo or wish that is followed.
  mutating func addModeration(_ cause: RoomStep.Cause, at now: LogTime, in partition: PartitionReplay) {
    guard case .event(let event, let cause, let arrival) = cause, cause.offset != record.offset else { return }
    let (taken, reason, rule): (RemovedItems, Skipped.Reason, Rule)
    switch arrival {
    case .retract(let items): (taken, reason, rule) = (items, .retracted, .takingBack)
    case .roomEnd(let items): (taken, reason, rule) = (items, .ended, .end)
    // No other event takes back items.
    default: return
    }
    let why = "\(event.words) (\(cause.name))"
    switch following {
    case .combo(let offset, let from, let to, _, let isCounted):
      guard let own = taken.combos.first(where: { $0.offset == offset }) else { return }
      endWait(at: now, in: partition)
      // Its units that are not shown may all be of later gifts.
      let isCut = own.gap > 0 && !isCounted
      let skipped = isCut ? "; skipped (\(reason.words)): \(counted(own.gap, "gift")) of it not shown" : ""
      add(now, why + skipped, rule)
      if isCut {
        outcome =
          own.shown > from
          ? .cut("Shown up to ×\(own.shown) of ×\(to)", by: reason.end) : .skipped(reason.words, why: why)
      }
      following = isCut ? .skipped(.gift, reason) : .nothing
    case .wish(let id), .like(let id, _):
      guard let own = taken.wishes.first(where: { ID($0.wishId) == id }) else { return }
      add(now, why, rule)
      if case .wish = following, case .queued = own.place {
        endWait(at: now, in: partition)
        outcome = .skipped(reason.words, why: why)
        following = .skipped(.wish, reason)
      } else {
        if case .wish = following, case .flying(let track, let startedAt, _) = own.place {
          outcome = .cut("Flew on track \(track)", by: "\(reason.end) after \((now - startedAt).secondsWords)")
        }
        following = .nothing
      }
    case .spot(let id):
      guard taken.spots.contains(where: { ID($0.spotId) == id }) else { return }
      endWait(at: now, in: partition)
      outcome = .skipped(reason.words, why: why)
      add(now, why, rule)
      following = .skipped(.spot, reason)
    // Its command tells the rest.
    case .pin(let id, _):
      if taken.pins.contains(where: { ID($0.pinId) == id }) { add(now, why, rule) }
    case .goal(let id, _):
      if taken.goals.contains(where: { ID($0.goalId) == id }) { add(now, why, rule) }
    case .crowd where reason == .ended:
      endWait(at: now, in: partition)
      let untold = "\(why) before its crowd was told"
      outcome = .skipped(reason.words, why: untold)
      add(now, untold, rule)
      following = .skipped(.gift, .ended)
    // A crowd that a combo joined stays as it is where a retract takes its sender back.
    case .crowd, .skipped, .burst, .tally, .rain, .keeping, .nothing: break
    }
  }
}

extension EventTrace {
  /// Notes the items that a retract keeps away, until it is forgotten.
  mutating func followKeeping(_ step: RoomStep) {
    guard case .keeping(var kept) = following else { return }
    if step.at >= kept.until { return endKeeping(at: kept.until) }
    guard case .event(let event, let later, let arrival) = step.cause, later.offset != record.offset else { return }
    if let taken = step.takenBack {
      kept.note(event, units: taken.units, later)
      following = .keeping(kept)
    } else if case .retract = arrival, case .retract(let retract) = event.body, kept.isReplaced(by: retract) {
      endKeeping(at: step.at)
      add(step.at, "another takes its place: \(event.words) (\(later.name))", .takingBack)
    }
  }

  /// - Parameter isOver: false: the log ends before it is over.
  mutating func endKeeping(at now: LogTime, isOver: Bool = true) {
    guard case .keeping(let kept) = following else { return }
    add(now, kept.words(upTo: now, isOver: isOver), .takingBack)
    if case .tookBack(let taken, _) = outcome {
      outcome = .tookBack(taken, keptAway: kept.countWords.map { isOver ? $0 : "\($0) so far" })
    }
    following = .nothing
  }
}

extension OwnSettingsPicture {
  var words: String { self.set.map { "\($0.name) \($0.value)" }.joined(separator: ", ") }
}

extension Skipped.Reason {
  /// The way in which it ends what is on the screen.
  fileprivate var end: String {
    switch self {
    case .retracted: "taken back"
    case .ended: "the room ended"
    case .overflow, .expired: words
    }
  }
}
