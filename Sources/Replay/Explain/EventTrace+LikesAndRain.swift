import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// The stories of taps, rains and grabs.
extension EventTrace {
  mutating func addTap(_ isLike: Bool, _ before: LogTime?, _ settings: LikeSettings) {
    let place = "section 5: likes"
    guard isLike else {
      let why =
        before.map { "it came too late: one before \($0.clock) would have been one" }
        ?? "it is the user's first for a while"
      return add(
        at, "not a like: \(why). The next is one if it comes less than doubleTapMs (\(settings.doubleTapMs)) later",
        place)
    }
    add(at, "a like: it came soon enough after the user's last tap, before \(before!.clock)", place)
    following = .burst
  }

  mutating func addRainStart(
    _ event: RoomEvent, _ before: RainPicture?, _ after: RainPicture?, isRemembered: Bool, in partition: PartitionReplay
  ) {
    guard case .rainStart(let start) = event.body else { return }
    let place = "section 6: rainStart"
    if before != nil { return add(at, "a rain of that id runs already: this one is ignored", place) }
    guard let after else {
      let why =
        isRemembered
        ? "a rain of that id began less than rememberMs\(partition.spans[.rainId, id: ID(start.rainId)].inParentheses) before"
        : "as many rains run as may (limit, \(partition.settings(of: room).rain.limit))"
      return add(at, "\(why): this one is ignored", place)
    }
    add(
      at,
      "a rain of \(counted(after.packets, "packet")): starts \(after.startsAt.clock), ends \(after.endsAt.clock), pays up to "
        + "\(after.coinsLeft)", place)
    following = .rain(ID(after.rainId))
  }

  mutating func addGrab(_ grab: RainGrab, _ moment: GrabMoment) {
    let place = "section 6: rainGrab"
    let packet = "packet \(grab.packet)"
    switch moment.outcome {
    case .missed:
      add(at, "missed: \(why(moment, packet))", place)
    case .again:
      add(at, "again: this user had opened \(packet) before", place)
    case .won:
      let left = moment.rain?.coinsLeft ?? 0
      add(
        at,
        "won \(counted(moment.coins, "coin")): \(packet) was in the air, from \(flight(moment)); \(left) left to pay",
        place)
    case .empty:
      let why = moment.rain?.coinsLeft == 0 ? "nothing is left to pay" : "it is not one that pays"
      add(at, "opened, and empty: \(packet) was in the air, from \(flight(moment)); \(why)", place)
    }
    if moment.outcome == .won || moment.outcome == .empty, let rain = moment.rain {
      following = .tally(ID(rain.rainId), opened: rain.opened)
    }
  }

  private func why(_ moment: GrabMoment, _ packet: String) -> String {
    guard let rain = moment.rain else { return "no rain of that id runs" }
    guard let flight = moment.packet else { return "the rain has \(counted(rain.packets, "packet")), and no \(packet)" }
    return flight.hasDropped
      ? "\(packet) landed \(flight.landsAt.clock), and could be opened before \(flight.closesAt.clock)"
      : "\(packet) drops \(flight.dropsAt.clock), which is yet to come"
  }

  private func flight(_ moment: GrabMoment) -> String {
    moment.packet.map { "\($0.dropsAt.clock) to \($0.landsAt.clock)" } ?? "its drop to its landing"
  }

  /// `0.4 s later`, `at once`.
  func later(_ command: RoomCommand) -> String {
    command.atMs > at ? "\((command.atMs - at).secondsWords) later" : "at once"
  }

  mutating func followLikesAndRain(_ command: RoomCommand, _ name: CommandName) {
    switch (following, command.body) {
    case (.burst, .likeBurst(let burst)):
      ending = "told \(later(command)), with \(counted(burst.count, "like")) in all"
      add(
        command.atMs, "likeBurst tells \(counted(burst.count, "like")), this one among them", "section 5: likes", name)
      following = .nothing
    case (.tally(let id, let opened), .rainTally(let tally))
    where id == tally.rainId && tally.opened >= opened:
      add(
        command.atMs,
        "rainTally tells \(tally.opened) opened, this one among them; \(tally.winners) won, \(tally.coins) paid",
        "section 6: rainGrab", name)
      following = .nothing
    case (.rain(let id), .rainCountdown(let countdown)) where id == countdown.rainId:
      guard command.atMs == at else { return }
      add(command.atMs, "rainCountdown from \(countdown.left)", "section 6: rainStart", name)
    case (.rain(let id), .rainDrop(let drop)) where id == drop.rainId && drop.packet == 0:
      add(command.atMs, "rainDrop of its first packet", "section 6: rainStart", name)
    case (.rain(let id), .rainTally(let tally)) where id == tally.rainId:
      paid =
        "in the end \(counted(tally.coins, "coin")) paid to \(counted(tally.winners, "winner")), "
        + "\(counted(tally.opened, "packet")) opened"
    case (.rain(let id), .rainEnd(let end)) where id == end.rainId:
      ending = paid ?? "in the end nothing paid, since nobody opened a packet"
      add(command.atMs, "rainEnd: nothing can be opened any more", "section 6: rainStart", name)
      following = .nothing
    case (.burst, _), (.tally, _), (.rain, _), (.combo, _), (.wish, _), (.like, _), (.skipped, _), (.crowd, _),
      (.spot, _), (.keeping, _), (.nothing, _):
      break
    }
  }
}
