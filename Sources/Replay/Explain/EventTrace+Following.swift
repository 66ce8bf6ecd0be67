import RoomEngine
import RoomModel
import RoomScreen

/// The later story of an event, after its record.
extension EventTrace {
  mutating func follow(_ step: RoomStep, in partition: PartitionReplay) {
    if case .keeping = following { return followKeeping(step) }
    let (commands, cause, now) = (step.commands, step.cause, step.at)
    followChange(step, in: partition)
    addSkipIfDue(step, in: partition)
    addModeration(cause, at: now, in: partition)
    followGoal(step)
    if case .timer(let timer) = cause { addRequeue(by: timer, in: partition) }
    let isTierQueued = tier != nil
    let first = lines.count
    followTier(step, in: partition)
    note(commands, linesFrom: first, partition)
    for command in commands {
      let first = lines.count
      if isTierQueued, case .spotShow = command.body { continue }
      follow(command, step, partition)
      note([command], linesFrom: first, partition)
    }
    if case .timer(let timer) = cause { addLanding(by: timer) }
    endPin(step)
    if case .event(let end, let seen, .roomEnd) = cause, seen.offset != record.offset {
      following = .nothing
      endTier(at: now, "was not shown: \(end.words)", in: partition)
    }
  }

  /// Other settings may let it take other lanes, or part its start from the last one otherwise.
  private mutating func followChange(_ step: RoomStep, in partition: PartitionReplay) {
    switch step.cause {
    case .settings, .event(_, _, .roomSettings): break
    case .timer(let timer) where timer.kind == .ownSettingsRunOut: break
    case .timer, .event: return
    }
    let picture = room.withText { partition.engine.picture(of: $0) }
    guard let words = waiting?.change(to: partition.settings(of: room), at: step.at, picture) else { return }
    add(step.at, words, .settingsChange)
  }

  /// Gives lines the commands that they tell of.
  private mutating func note(_ commands: [RoomCommand], linesFrom first: Int, _ partition: PartitionReplay) {
    for index in first..<lines.count {
      guard let name = lines[index].command,
        let command = commands.first(where: { CommandName(partition, $0) == name })
      else { continue }
      lines[index].replayed = ReplayedCommand(name: name, atMs: command.atMs, json: partition.json(of: command))
    }
  }

  private mutating func addSkipIfDue(_ step: RoomStep, in partition: PartitionReplay) {
    if case .timer(let timer) = step.cause, timer.kind == .giftWaitRunsOut,
      case .combo(let combo, _, _, _, _) = following,
      let own = timer.combo, own.offset == combo, own.tier > 0
    {
      return add(step.at, "its wait runs out; of tier \(own.tier), it waits on", .giftWait)
    }
    for item in step.skips where item.reason == .overflow || item.reason == .expired {
      addSkip(item, step, in: partition)
    }
  }

  private mutating func addSkip(_ item: SkippedItem, _ step: RoomStep, in partition: PartitionReplay) {
    let now = step.at
    switch (following, item.stage) {
    case (.combo(let combo, _, _, let isBegun, _), .gift) where item.offset == combo:
      endWait(at: now, in: partition)
      let own = SkippedCombo(item)
      add(
        now,
        "\(words(of: own, item.reason, in: partition)); \(counted(own.units, "gift")) of the combo not shown"
          + (isBegun ? ", some of this event's were drawn before" : ", this event's among them"),
        item.reason == .overflow ? .giftArrives : .giftWait)
      follow(own, item.reason, at: now, in: partition)
    case (.wish(let id), .wish) where id == item.id:
      let why = "it was queued for maxWaitMs\(step.spans[.wishWait, id: id].inParentheses)"
      add(now, "skipped (expired): \(why)", .bannersStart)
      endWait(at: now, in: partition)
      outcome = .skipped("expired", why: why)
      following = .skipped(.wish, .expired)
    case (.like(let id, _), .wish) where id == item.id:
      ending = "the wish was skipped (expired), and its likes with it"
      add(now, "the wish is skipped (expired), and its likes with it", .bannersStart)
      following = .nothing
    case (.spot(let id), .spot) where id == item.id:
      let why = why(item, step)
      endWait(at: now, in: partition)
      add(now, "skipped (\(item.reason.words)): \(why)", .itemComes)
      outcome = .skipped(item.reason.words, why: why)
      following = .skipped(.spot, item.reason)
    // It is another's, or is skipped as it arrives.
    default: break
    }
  }

  private mutating func follow(_ command: RoomCommand, _ step: RoomStep, _ partition: PartitionReplay) {
    let name = CommandName(partition, command)
    switch (following, command.body) {
    case (.combo(let combo, _, _, _, _), .giftShow(let show)) where show.comboOffset == combo:
      if case .timer(let timer) = step.cause, timer.kind == .tick {
        return addTier(show.tier, of: combo, at: command.atMs, in: partition)
      }
      endWait(at: command.atMs, on: Int(show.lane), in: partition)
      add(
        command.atMs, "giftShow on lane \(show.lane), from ×\(show.from), ×\(show.total) in all",
        .givingLanes, name)
      addTier(show.tier, of: combo, at: command.atMs, in: partition)
    case (.combo(let combo, let from, let to, let isBegun, false), .giftBump(let bump)) where bump.comboOffset == combo:
      guard bump.count > from else { return }
      let isCounted = bump.count >= to
      let words =
        isCounted
        ? "giftBump draws ×\(bump.count): \(isBegun ? "the last" : "all") of its gifts (up to ×\(to))"
        : "giftBump draws ×\(bump.count): the first of its gifts (from ×\(from + 1))"
      if isCounted || !isBegun { add(command.atMs, words, .onLane, name) }
      outcome = .shown(from: from, to: to, upTo: bump.count)
      following = .combo(combo, from: from, to: to, isBegun: true, isCounted: isCounted)
    case (.combo(let combo, _, let to, _, let isCounted), .giftHide(let hide)) where hide.comboOffset == combo:
      let words =
        isCounted ? "giftHide with ×\(hide.count): all of it was shown" : "giftHide with ×\(hide.count) of ×\(to)"
      add(
        command.atMs, "\(words); \(step.hideCause.words)\(whom(step, partition))", .onLane,
        name)
      if isCounted { following = .nothing } else { leaving = (Int(hide.lane), command.atMs) }
    case (.combo(let combo, _, _, _, _), .spotShow(let show))
    where show.comboId.bytes.elementsEqual("\(partitionName)/\(combo)".utf8):
      add(command.atMs, "spotShow of its tier \(show.tier), for \(show.durationMs) ms", .items, name)
    case (.crowd(let crowd, let userId), .crowdShow(let show)) where show.crowdOffset == crowd:
      endWait(at: command.atMs, in: partition)
      let isNamed = show.names.contains { userId == $0.userId }
      let names = show.names.map { named($0.name.description, $0.userId.description) }.joined(separator: ", ")
      add(
        command.atMs,
        "crowdShow tells it: \(counted(show.units, "gift")) of \(counted(show.items, "combo")); "
          + (isNamed ? "it names this sender" : "it names not this sender but \(names.isEmpty ? "nobody" : names)"),
        .bar, name)
      if case .joined(let name, let why) = outcome {
        outcome = .told(crowd: name, units: show.units, isNamed: isNamed, why: why)
      }
      following = .nothing
    case (.spot(let id), .spotShow(let show)) where id == show.spotId:
      endWait(at: command.atMs, in: partition)
      add(command.atMs, "spotShow, for \(show.durationMs) ms", .shown, name)
      outcome = .filledScreen(durationMs: show.durationMs)
      following = .nothing
    case (.wish(let id), .wishFly(let fly)) where id == fly.wishId:
      endWait(at: command.atMs, on: Int(fly.track), in: partition)
      outcome = .flew(track: fly.track)
      add(
        command.atMs, "wishFly on track \(fly.track), lands \((command.atMs + fly.durationMs).clock)",
        .bannersStart, name)
    case (.like(let id, _), .wishFly(let fly)) where id == fly.wishId:
      ending = "told \(later(command)) with the wish, as it flew"
      add(command.atMs, "wishFly carries ♥\(fly.likes), this one among them", .wishLikes, name)
      following = .nothing
    case (.like(let id, let likes), .wishLikes(let told)) where id == told.wishId && told.likes >= likes:
      ending = "told \(later(command))"
      add(command.atMs, "wishLikes tells ♥\(told.likes), this one among them", .wishLikes, name)
      following = .nothing
    case (.skipped(let stage, let reason), .skipped(let told)) where told.stage == stage && told.reason == reason:
      add(
        command.atMs, "the command skipped tells it, with \(told.items) of that kind (units \(told.units)) in all",
        .skips, name)
      following = .nothing
    case (.pin, _): followPin(command, step, name)
    case (.goal, _): followGoal(command, name)
    case (.burst, _), (.tally, _), (.rain, _): followLikesAndRain(command, name)
    // It is another's.
    default: break
    }
  }

  /// The combo that a view made room for, in parentheses.
  private func whom(_ step: RoomStep, _ partition: PartitionReplay) -> String {
    guard let offset = step.awaited else { return "" }
    let picture = room.withText { partition.engine.picture(of: $0) }
    return picture.queue.first { $0.offset == offset }.map { " (\($0.words))" } ?? ""
  }

  private mutating func addRequeue(by timer: TimerPicture, in partition: PartitionReplay) {
    guard case .combo(let combo, _, _, _, false) = following, timer.kind == .laneBecomesFree, let own = timer.combo,
      own.offset == combo
    else { return }
    add(
      timer.deadline, "its lane becomes free; ×\(own.gap) of it not shown, so it is queued again, as the last",
      .itHides)
    let picture = room.withText { partition.engine.picture(of: $0) }
    if picture.queue.contains(where: { $0.offset == combo }) {
      beginWait(combo, at: timer.deadline, picture, partition)
    }
  }

  private mutating func addLanding(by timer: TimerPicture) {
    guard case .wish(let id) = following, timer.kind == .bannerLands, timer.wish.map({ ID($0.wishId) }) == id else {
      return
    }
    add(timer.deadline, "the banner lands: all of it was shown", .bannersStart)
    following = .nothing
  }
}
