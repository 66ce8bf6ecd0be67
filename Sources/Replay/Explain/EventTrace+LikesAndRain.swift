import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// The stories of taps, rains and grabs.
extension EventTrace {
  mutating func addTap(_ isLike: Bool, _ before: LogTime?, _ settings: LikeSettings) {
    let rule = Rule.likes
    guard isLike else {
      let why =
        before.map { "it came too late: one before \($0.clock) would have been one" }
        ?? "it is the user's first for a while"
      return add(
        at, "not a like: \(why). The next is one if it comes less than doubleTapMs (\(settings.doubleTapMs)) later",
        rule)
    }
    add(at, "a like: it came soon enough after the user's last tap, before \(before!.clock)", rule)
    following = .burst(likes: 1)
  }

  mutating func addRainStart(_ start: Lent<RainStart>, _ step: RoomStep, in partition: PartitionReplay) {
    let rule = Rule.rainStarts
    let why: String
    switch step.item?.fate {
    case .isShown: why = "a rain of that id runs already"
    case .remembered:
      let span = partition.spans[.rainId, id: ID(start.rainId)].inParentheses
      why = "a rain of that id began less than rememberMs\(span) before"
    case .tooMany(let limit): why = "as many rains run as may (limit, \(limit))"
    default:
      let picture = room.withText { partition.engine.picture(of: $0) }
      guard let rain = picture.rains.first(where: { ID($0.rainId) == ID(start.rainId) }) else { return }
      add(
        at,
        "a rain of \(counted(rain.packets, "packet")): starts \(rain.startsAt.clock), ends \(rain.endsAt.clock), pays up "
          + "to \(rain.coinsLeft)", rule)
      following = .rain(ID(start.rainId))
      return
    }
    add(at, "\(why): this one is ignored", rule)
  }

  mutating func addGrab(_ grab: RainGrab, _ fate: Decision.GrabFate) {
    let rule = Rule.grabs
    let packet = "packet \(grab.packet)"
    let flight =
      if case .falls(let from, let to, _) = fate.packet { "\(from.clock) to \(to.clock)" } else { "" }
    switch fate.outcome {
    case .missed: add(at, "missed: \(why(fate, packet))", rule)
    case .again: add(at, "again: this user had opened \(packet) before", rule)
    case .won:
      let coins = counted(fate.coins, "coin")
      add(at, "won \(coins): \(packet) was in the air, from \(flight); \(fate.coinsLeft) left to pay", rule)
    case .empty:
      let why = fate.coinsLeft == 0 ? "nothing is left to pay" : "it is not one that pays"
      add(at, "opened, and empty: \(packet) was in the air, from \(flight); \(why)", rule)
    }
    if fate.outcome == .won || fate.outcome == .empty { following = .tally(ID(grab.rainId), opened: fate.opened) }
  }

  private func why(_ fate: Decision.GrabFate, _ packet: String) -> String {
    switch fate.packet {
    case .noRain: "no rain of that id runs"
    case .noPacket: "the rain has \(counted(fate.packets, "packet")), and no \(packet)"
    case .falls(let from, _, _) where at < from: "\(packet) drops \(from.clock), which is yet to come"
    case .falls(_, let to, let closesAt):
      "\(packet) landed \(to.clock), and could be opened before \(closesAt.clock)"
    }
  }

  /// `0.4 s later`, `at once`.
  func later(_ command: RoomCommand) -> String {
    command.atMs > at ? "\((command.atMs - at).secondsWords) later" : "at once"
  }

  mutating func followLikesAndRain(_ command: RoomCommand, _ name: CommandName) {
    switch (following, command.body) {
    case (.burst(let likes), .likeBurst(let burst)):
      ending = "told \(later(command)), with \(counted(burst.count, "like")) in all"
      add(
        command.atMs,
        "likeBurst tells \(counted(burst.count, "like")), \(likes == 1 ? "this one" : "these") among them",
        .bursts, name)
      following = .nothing
    case (.tally(let id, let opened), .rainTally(let tally))
    where id == tally.rainId && tally.opened >= opened:
      add(
        command.atMs,
        "rainTally tells \(tally.opened) opened, this one among them; \(tally.winners) won, \(tally.coins) paid",
        .tallies, name)
      following = .nothing
    case (.rain(let id), .rainCountdown(let countdown)) where id == countdown.rainId:
      guard command.atMs == at else { return }
      add(command.atMs, "rainCountdown from \(countdown.left)", .rainStarts, name)
    case (.rain(let id), .rainDrop(let drop)) where id == drop.rainId && drop.packet == 0:
      add(command.atMs, "rainDrop of its first packet", .packets, name)
    case (.rain(let id), .rainTally(let tally)) where id == tally.rainId:
      paid =
        "in the end \(counted(tally.coins, "coin")) paid to \(counted(tally.winners, "winner")), "
        + "\(counted(tally.opened, "packet")) opened"
    case (.rain(let id), .rainEnd(let end)) where id == end.rainId:
      ending = paid ?? "in the end nothing paid, since nobody opened a packet"
      add(command.atMs, "rainEnd: nothing can be opened any more", .packets, name)
      following = .nothing
    default: break
    }
  }
}
