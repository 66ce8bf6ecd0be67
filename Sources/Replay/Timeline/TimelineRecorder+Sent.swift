import RoomModel
import RoomScreen
import Wire

/// Draws commands, stage by stage. Each stage takes those that it has something to draw for.
extension TimelineRecorder {
  mutating func sent(_ command: RoomCommand, of step: RoomStep, _ part: Int, _ partition: PartitionReplay) {
    let name = CommandName(partition, command)
    sentByGifts(command, name, step, part)
    sentByWishes(command, name, step, part)
    sentByRains(command, name, part)
    sentByPinsAndGoals(command, name, part)
    sentBesides(command, name, part)
  }

  private mutating func sentByGifts(_ command: RoomCommand, _ name: CommandName, _ step: RoomStep, _ part: Int) {
    switch command.body {
    case .giftShow(let show):
      let lane = Int(show.lane)
      if parts[part].lanes[lane]?.combo == show.comboOffset {
        parts[part].lanes[lane]!.total = show.total
        parts[part].lanes[lane]!.tier = Int(show.tier)
      } else {
        let since = parts[part].combosSince.removeValue(forKey: show.comboOffset)
        parts[part].lanes[lane] = OpenView(show, at: command.atMs, id: name, queuedAt: since)
      }
    case .giftBump(let bump):
      parts[part].lanes[Int(bump.lane)]?.counts.append((command.atMs, bump.count))
    case .giftHide(let hide):
      parts[part].lanes[Int(hide.lane)]?.hide(at: command.atMs, step.hideCause)
    case .crowdShow(let show):
      if parts[part].crowd?.offset != show.crowdOffset { closeCrowd(part, at: command.atMs) }
      if parts[part].crowd == nil { parts[part].crowd = OpenCrowd(show, at: command.atMs, id: name) }
      parts[part].crowd?.tell(show, at: command.atMs)
    case .crowdHide: closeCrowd(part, at: command.atMs)
    case .roomEnd:
      // No lane is left to become free.
      for lane in parts[part].lanes.keys.sorted() { close(parts[part].lanes[lane]!, freeAt: command.atMs, part) }
      parts[part].lanes = [:]
    default: break
    }
  }

  private mutating func sentByWishes(_ command: RoomCommand, _ name: CommandName, _ step: RoomStep, _ part: Int) {
    switch command.body {
    case .wishFly(let fly):
      let since = parts[part].wishesSince.removeValue(forKey: ID(fly.wishId))
      parts[part].banners.append(OpenBanner(fly, at: command.atMs, id: name, queuedAt: since))
    case .wishLikes(let likes):
      guard let index = parts[part].banners.firstIndex(where: { $0.id == likes.wishId }) else { return }
      parts[part].banners[index].likes.append((command.atMs, likes.likes))
    case .wishGone(let gone):
      guard let index = parts[part].banners.firstIndex(where: { $0.id == gone.wishId }) else { return }
      parts[part].banners[index].landsAt = command.atMs
      parts[part].banners[index].goneBy = step.hideCause
      close(parts[part].banners.remove(at: index), part)
    default: break
    }
  }

  private mutating func sentByRains(_ command: RoomCommand, _ name: CommandName, _ part: Int) {
    func rain(_ id: Text) -> Int? { parts[part].rains.firstIndex { $0.id == id } }
    switch command.body {
    case .rainCountdown(let countdown):
      if rain(countdown.rainId) == nil {
        parts[part].rains.append(OpenRain(countdown.whole, at: command.atMs, id: name))
      }
    case .rainDrop(let drop):
      if let index = rain(drop.rainId) { parts[part].rains[index].add(drop, at: command.atMs) }
    case .rainTally(let tally):
      if let index = rain(tally.rainId) { parts[part].rains[index].add(tally, at: command.atMs) }
    case .rainEnd(let end):
      guard let index = rain(end.rainId) else { return }
      close(parts[part].rains.remove(at: index), endedAt: command.atMs, part)
    default: break
    }
  }

  private mutating func sentByPinsAndGoals(_ command: RoomCommand, _ name: CommandName, _ part: Int) {
    func goal(_ id: Text) -> Int? { parts[part].goals.firstIndex { $0.id == id } }
    switch command.body {
    case .pinShow(let show):
      if !parts[part].pins.contains(where: { $0.id == show.pinId }) { parts[part].pins.append(OpenPin(show, id: name)) }
    case .pinGone(let gone):
      guard let index = parts[part].pins.firstIndex(where: { $0.id == gone.pinId }) else { return }
      var pin = parts[part].pins.remove(at: index)
      (pin.endsAt, pin.goneBy) = (command.atMs, gone.reason)
      close(pin, part)
    case .goalShow(let show):
      if let index = goal(show.goalId) {
        parts[part].goals[index].tell(show, at: command.atMs)
      } else {
        parts[part].goals.append(OpenGoal(show, at: command.atMs, id: name))
      }
    case .goalCount(let count):
      guard let index = goal(count.goalId) else { return }
      parts[part].goals[index].count(count.progress, count.sides, at: command.atMs)
    case .goalEnd(let end):
      guard let index = goal(end.goalId) else { return }
      var goal = parts[part].goals.remove(at: index)
      goal.end(end, at: command.atMs)
      close(goal, part)
    default: break
    }
  }

  private mutating func sentBesides(_ command: RoomCommand, _ name: CommandName, _ part: Int) {
    switch command.body {
    case .likeBurst(let burst):
      put("l", part, at: command.atMs) {
        $0.member("n", burst.count)
        $0.member("id", name)
      }
    case .spotShow(let show):
      closeSpot(part)
      parts[part].spot = OpenSpot(show, at: command.atMs, id: name)
    case .spotGone:
      parts[part].spot?.endsAt = command.atMs
      closeSpot(part)
    case .skipped(let skipped):
      put("s", part, at: command.atMs) {
        $0.member("st", skipped.stage.words)
        $0.member("re", skipped.reason.words)
        $0.member("items", skipped.items)
        $0.member("units", skipped.units)
        $0.member("id", name)
      }
    default: break
    }
  }
}
