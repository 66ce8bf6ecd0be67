import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// The stories of pins, goals, scores and gathered taps.
extension EventTrace {
  mutating func addDecided(
    _ event: RoomEvent, tapUntil: LogTime?, _ step: RoomStep, in partition: PartitionReplay
  ) {
    switch event.body {
    case .gift: addGift(step, in: partition)
    case .wish(let wish): addWish(wish, step, in: partition)
    case .wishLike: addLike(step, in: partition)
    case .spot(let spot): addSpot(spot, step, partition)
    case .rainStart(let start): addRainStart(start, step, in: partition)
    // The others have decisions of their own.
    default: break
    }
    for decision in step.decisions {
      switch (event.body, decision) {
      case (.rainGrab(let grab), .grab(let fate)): addGrab(grab, fate)
      case (.pin(let pin), .pin(let fate)) where fate.id == pin.pinId: addPin(fate, in: partition)
      case (.goal(let goal), .goal(let fate)) where fate.id == goal.goalId: addGoal(goal, fate)
      case (.tap, .tap(let isLike)): addTap(isLike, tapUntil, partition.settings(of: room).like)
      case (.taps(let taps), .taps(let before, let told, let counted, let most)):
        addTaps(taps.runId, before: before, told: told, counted: counted, most: most)
      // Others are of other events' items.
      default: break
      }
    }
  }

  // MARK: Pins

  private mutating func addPin(_ pin: Decision.PinFate, in partition: PartitionReplay) {
    let rule = Rule.pinComes
    switch pin.fate {
    case .shown(let ms, let isOwn):
      following = .pin(ID(pin.id), unsaid: "(\(isOwn ? "its own" : "durationMs"), \(ms))")
    case .isThere:
      add(at, "pin \(pin.id.description.printable) is shown already: this one is ignored", rule)
    case .least(let limit):
      let picture = room.withText { partition.engine.picture(of: $0) }
      let other = picture.pins.first { pin.other.bytes.elementsEqual($0.pinId.utf8) }
      let why =
        other.map { "limit (\(limit)) pins or more were shown, and the least of them, \($0.words), goes before it" }
        ?? "limit is \(limit)"
      add(at, "skipped (overflow): \(why)", rule)
      outcome = .skipped("overflow", why: why)
      following = .skipped(.pin, .overflow)
    // Its own time begins only now.
    case .over, .pushedOut: break
    }
  }

  /// The pin that is followed is told, or goes.
  mutating func followPin(_ command: RoomCommand, _ step: RoomStep, _ name: CommandName) {
    guard case .pin(let id, let unsaid) = following else { return }
    let rule = Rule.pinComes
    let shown = "Shown for \((command.atMs - at).secondsWords)"
    switch command.body {
    case .pinShow(let show) where id == show.pinId && !unsaid.isEmpty:
      add(command.atMs, "pinShow: shown until \(show.endMs.clock) \(unsaid)", rule, name)
      following = .pin(id, unsaid: "")
    case .pinGone(let gone) where id == gone.pinId:
      following = .nothing
      if let (limit, other) = step.pushing(out: gone.pinId) {
        add(
          command.atMs,
          "pinGone (limit): limit (\(limit)) pins or more were shown, and \(other), came, before which this one goes",
          rule, name)
        outcome = .cut(shown, by: "pushed out by \(other)")
      } else {
        add(command.atMs, "pinGone (\(gone.reason))", .takingBack, name)
        outcome = .cut(shown, by: gone.reason == .ended ? "the room ended" : "taken back")
      }
    default: break
    }
  }

  /// Its time is over, of which no command tells.
  mutating func endPin(_ step: RoomStep) {
    guard case .pin(let id, _) = following, case .over? = id.withText({ step.fate(ofPin: $0)?.fate }) else { return }
    add(step.at, "its time is over", .pinEnds)
    outcome = .stayed(ms: step.at - at)
    following = .nothing
  }

  // MARK: Goals

  private mutating func addGoal(_ goal: Lent<Goal>, _ fate: Decision.GoalFate) {
    let rule = Rule.goalBegins
    let name = "goal \(fate.id.description.printable)"
    switch fate.fate {
    case .began(let until):
      var what = "\(goal.by)"
      if goal.by == .value || goal.by == .units {
        what += " of gifts" + (goal.giftId.isEmpty ? "" : " \(goal.giftId.description.printable)")
        if !goal.receiverId.isEmpty { what += " for \(goal.receiverId.description.printable)" }
        if !goal.sides.isEmpty { what += " for \(goal.sides.map { $0.description.printable }.joined(separator: ", "))" }
      }
      if goal.by == .none { what = "scores alone" }
      add(at, "\(name) begins: \(what), until \(until.clock); nothing before it counts", rule)
      following = .goal(ID(fate.id), GoalStory(progress: 0, target: goal.target))
    case .changed(let until):
      add(at, "\(name) runs already, and this changes it: it runs until \(until.clock)", rule)
    case .refused(let limit):
      add(at, "limit (\(limit)) goals or more run: this one is ignored", rule)
    default: break
    }
  }

  /// Tells which goals count the event, and why others don't.
  mutating func addGoals(_ step: RoomStep) {
    guard case .event(let event, _, _) = step.cause else { return }
    if case .goal = event.body { return }
    for fate in step.goals { add(at, fate.words, .counting) }
  }

  /// Notes what the goal that is followed counts.
  mutating func followGoal(_ step: RoomStep) {
    guard case .goal(let id, var story) = following, case .event(let event, let seen, _) = step.cause,
      seen.offset != record.offset
    else { return }
    for fate in step.goals where id == fate.id { story.note(fate, event) }
    following = .goal(id, story)
  }

  /// The goal that is followed ends.
  mutating func followGoal(_ command: RoomCommand, _ name: CommandName) {
    guard case .goal(let id, let story) = following, case .goalEnd(let end) = command.body, id == end.goalId else {
      return
    }
    let of = story.target > 0 ? " of \(story.target)" : ""
    add(command.atMs, "goalEnd (\(end.reason)) with \(end.progress)\(of)", .goalEnds, name)
    let result = story.target > 0 ? (end.reached == 1 ? "Reached: " : "Not reached: ") : "Ended with "
    let why =
      switch end.reason {
      case .over: "its time was over"
      case .retracted: "taken back"
      case .ended: "the room ended"
      }
    outcome = .counted("\(result)\(story.words); \(why)")
    following = .nothing
  }

  // MARK: Taps

  private mutating func addTaps(_ run: Text, before: Int64, told: Int64, counted: Int64, most: Int64) {
    let rule = Rule.gatheredTaps
    let runId = run.description.printable
    guard told > before else {
      return add(at, "none of these \(told) is new: \(before) of run \(runId) came before", rule)
    }
    let new = told - before
    let all =
      before == 0
      ? "all \(told) of run \(runId) are new"
      : "\(new) of these \(told) are new, since \(before) of run \(runId) came before"
    add(
      at,
      new > counted ? "\(all); like.most (\(most)) of them count, \(new - counted) are lost" : "\(all), and count",
      rule)
    if counted > 0 { following = .burst(likes: counted) }
  }
}

extension RoomStep {
  /// The limit, and the pin that came, where that pushed the other one out.
  func pushing(out pinId: Text) -> (limit: Int64, other: String)? {
    guard let fate = fate(ofPin: pinId), case .pushedOut(let limit) = fate.fate, case .event(let event, _, _) = cause,
      case .pin(let pin) = event.body
    else { return nil }
    return (limit, pin.words)
  }
}

extension Decision.GoalFate {
  /// The goal, and whether it counts the event of the step.
  var words: String {
    let name = "goal \(id.description.printable)"
    let whose = side.isEmpty ? "" : " for side \(side.description.printable)"
    let sum = "\(progress)" + (target > 0 ? " of \(target)" : "")
    switch fate {
    case .counted: return "\(name) counts it\(whose): +\(amount), \(sum)"
    case .countedUnseen: return "\(name) counts it\(whose), but \(why): \(sum)"
    case .noGoal: return "no \(name) runs: the score is ignored"
    case .began, .changed, .refused: return name
    default: return "\(name) does not count it: \(why)"
    }
  }

  private var why: String {
    switch fate {
    case .countedUnseen: side.isEmpty ? "no goal counts more" : "the side's score is more"
    case .otherGift: "another gift"
    case .otherReceiver: "for another receiver"
    case .noSide: "for none of its sides"
    case .otherUnit(let by):
      by == .likes ? "it counts likes" : by == .none ? "it counts scores alone" : "it counts gifts"
    case .muted: "its user is muted"
    case .afterEnd: "its end was before"
    case .lowerScore: "no more than was told before"
    case .unknownSide: side.isEmpty ? "it has sides" : "it has no side \(side.description.printable)"
    case .began, .changed, .refused, .counted, .noGoal: ""
    }
  }

  /// The reason why a goal doesn't count something, for its own story; nil: it counts it, or is none to count that.
  fileprivate var left: String? {
    switch fate {
    case .countedUnseen: side.isEmpty ? "no goal counts more" : "its side's score is more"
    case .otherGift: "another gift"
    case .otherReceiver: "for another receiver"
    case .noSide: "for none of its sides"
    case .muted: "of a muted user"
    case .afterEnd: "after its end"
    case .lowerScore: "no more than told before"
    case .unknownSide: "of no side of it"
    case .began, .changed, .refused, .counted, .otherUnit, .noGoal: nil
    }
  }
}

extension RoomEvent {
  fileprivate var isOfTaps: Bool {
    switch body {
    case .tap, .taps: true
    default: false
    }
  }
}

/// What a goal counted, and what it didn't, by kinds of events.
struct GoalStory {
  private var progress: Int64
  private(set) var target: Int64
  private var counted: [(kind: String, count: Int64, amount: Int64)] = []
  private var left: [(kind: String, why: String, count: Int)] = []

  init(progress: Int64, target: Int64) { (self.progress, self.target) = (progress, target) }

  mutating func note(_ fate: Decision.GoalFate, _ event: RoomEvent) {
    switch (event.body, fate.fate) {
    case (.goal(let goal), .changed): target = goal.target
    case (_, .counted):
      progress = fate.progress
      let kind = event.isOfTaps ? "like" : event.kindWords
      let count = kind == "like" ? fate.amount : 1
      if let index = counted.firstIndex(where: { $0.kind == kind }) {
        counted[index].count += count
        counted[index].amount += fate.amount
      } else {
        counted.append((kind, count, fate.amount))
      }
    default:
      guard let why = fate.left else { return }
      let kind = event.isOfTaps ? "tap event" : event.kindWords
      if let index = left.firstIndex(where: { ($0.kind, $0.why) == (kind, why) }) {
        left[index].count += 1
      } else {
        left.append((kind, why, 1))
      }
    }
  }

  /// `47 of 30, from 2 gifts (40), 1 score (7); did not count 1 gift (another gift)`
  var words: String {
    let from = counted.map { counted in
      Replay.counted(counted.count, counted.kind) + (counted.kind == "like" ? "" : " (\(counted.amount))")
    }
    let not = left.map { "\(Replay.counted($0.count, $0.kind)) (\($0.why))" }
    return "\(progress)" + (target > 0 ? " of \(target)" : "")
      + ", from \(from.isEmpty ? "nothing" : from.joined(separator: ", "))"
      + (not.isEmpty ? "" : "; did not count \(not.joined(separator: ", "))")
  }
}
