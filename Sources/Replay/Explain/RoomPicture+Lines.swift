import RoomEngine
import RoomModel
import RoomScreen

extension RoomPicture {
  /// A line for each place, the place first. Names of combos begin with the partition's (`topic/partition`).
  ///
  /// - Parameters:
  ///   - tellsFreeLanes: lanes and queue are told also where no gift is; else a partition that has only wishes says
  ///     nothing of them.
  ///   - limit: the most items of a list.
  ///   - packets: those of a rain (by its id) that are in the air, by their numbers.
  func lines(
    partitionName: String, holders: Holders, tellsFreeLanes: Bool = false, limit: Int = 12,
    packets: (String) -> [(number: Int64, packet: PacketPicture)] = { _ in [] }
  ) -> [(place: String, words: String)] {
    func list(_ place: String, _ items: [String], ifNone: String? = nil) -> [(String, String)] {
      Self.list(place, items, ifNone: ifNone, limit: limit)
    }
    var lines: [(String, String)] = []
    if tellsFreeLanes || hasGifts {
      for (number, combo) in lanes.enumerated() {
        lines.append(("lane \(number)", combo.map { "\($0.words), \($0.standing(partitionName))" } ?? "free"))
      }
      lines += list("queue", queue.map { "\($0.words), \($0.standing(partitionName))" }, ifNone: "none is queued")
    }
    lines += list("resting", resting.map { "\($0.words), \($0.standing(partitionName))" })
    for wish in flying {
      guard case .flying(let track, let startedAt, let landsAt) = wish.place else { continue }
      lines.append(
        (
          "track \(track)",
          "\(wish.words) (wish \(wish.wishId.printable)), width \(wish.width), ♥\(wish.likes); started "
            + "\(startedAt.clock), lands \(landsAt.clock)"
        ))
    }
    lines += list(
      "wishes", wishQueue.map { "\($0.words) (wish \($0.wishId.printable)), width \($0.width); \($0.waiting)" })
    if let nextBannerAt { lines.append(("", "the first of them starts \(nextBannerAt.clock)")) }
    if let burst { lines.append(("likes", "\(counted(burst.count, "like")), to be told \(burst.dueAt.clock)")) }
    for rain in rains {
      lines.append(("rain", "\(rain.rainId.printable): \(rain.standing)"))
      lines += Self.list(
        "packets", packets(rain.rainId).map { $0.packet.words($0.number) }, ifNone: nil, limit: Self.packetLimit)
    }
    if let spot { lines.append(("spot", spot.standing(holders))) }
    if spot == nil, let spotBecomesFreeAt { lines.append(("spot", "free from \(spotBecomesFreeAt.clock) on")) }
    lines += list("for the spot", spotQueue.map(\.standing))
    for crowd in crowds {
      let turn = crowd.isShown ? crowdTurnEndsAt.map { "; its turn is over \($0.clock)" } ?? "" : ""
      lines.append((crowd.isShown ? "bar" : "crowd", crowd.words + turn))
    }
    lines += pins.map { ("pin", "\($0.words); ends \($0.endsAt.clock)") }
    lines += goals.map { ("goal", "\($0.words); ends \($0.endsAt.clock)") }
    for skip in untoldSkips {
      let items = counted(skip.items, skip.stage.item)
      lines.append(
        (
          "skips",
          "\(skip.stage.words) \(skip.reason.words): \(items), units \(skip.units), to be told \(skip.dueAt.clock)"
        )
      )
    }
    return lines
  }

  /// Some hundred may be in the air, and one is as good as another.
  private static var packetLimit: Int { 12 }

  private var hasGifts: Bool { lanes.contains { $0 != nil } || !queue.isEmpty || !resting.isEmpty }

  private static func list(
    _ place: String, _ items: [String], ifNone: String?, limit: Int
  ) -> [(String, String)] {
    if items.isEmpty { return ifNone.map { [(place, $0)] } ?? [] }
    var lines = items.prefix(limit).enumerated().map { index, item in
      (index == 0 ? place : "", "\(index + 1). \(item)")
    }
    if items.count > limit { lines.append(("", "… and \(items.count - limit) more")) }
    return lines
  }
}

extension ComboPicture {
  /// Its progress, on a lane or in the queue.
  func standing(_ partitionName: String) -> String {
    let name = "combo \(partitionName)/\(offset)"
    switch place {
    case .queued:
      return "\(name): ×\(gap) to show, worth \(worth); \(tierWords)\(waitWords)"
    case .onLane(_, let ticksAt, let holdEndsAt, let turnEndsAt, _, _):
      let turn = turnEndsAt.map { ", turn ends \($0.clock)" } ?? ""
      let next = holdEndsAt.map { "hold runs out \($0.clock)" } ?? "next tick \(ticksAt.clock)"
      return "\(name): ×\(shown) of \(total) shown; \(tierWords)\(next)\(turn)"
    case .leaving(_, let freeAt, isTakenBack: true):
      return "\(name): taken back, leaving; lane free \(freeAt.clock)"
    case .leaving(_, let freeAt, _):
      return "\(name): leaving with ×\(shown) of \(total); lane free \(freeAt.clock)"
    case .resting(let until):
      return "\(name): ×\(total) shown; forgotten \(until.clock)"
    }
  }
}

extension ComboPicture {
  private var tierWords: String { tier > 0 ? "tier \(tier); " : "" }

  /// The words for the end of its wait in the queue. A wait of one that has a tier ends nothing: it waits on.
  var waitWords: String {
    if case .queued(let waitEndsAt?) = place, tier == 0 { return "wait runs out \(waitEndsAt.clock)" }
    return "waits on, since it has a tier"
  }
}

extension RainPicture {
  /// Its progress.
  var standing: String {
    let tally = tallyDueAt.map { ", to be told \($0.clock)" } ?? ""
    return
      "\(dropped) of \(counted(packets, "packet")) dropped, \(inTheAir) in the air; \(opened) opened, \(winners) won, "
      + "\(coins) paid, \(coinsLeft) left\(tally); starts \(startsAt.clock), ends \(endsAt.clock)"
  }
}

extension PacketPicture {
  /// `packet 9: dropped 20:31:04.000, lands 20:31:08.412`; one that has landed may be opened for a while.
  fileprivate func words(_ number: Int64) -> String {
    "packet \(number): dropped \(dropsAt.clock), lands \(landsAt.clock)"
      + (closesAt > landsAt ? ", can be opened until \(closesAt.clock)" : "")
  }
}

extension SpotPicture {
  /// Its progress.
  var standing: String {
    switch place {
    case .queued(let waitEndsAt): "\(words); wait runs out \(waitEndsAt.clock)"
    case .shown(let until): "\(words); ends \(until.clock)"
    }
  }

  /// The same; of one that is shown the room knows only its id and its user, and the holder of the spot the rest.
  func standing(_ holders: Holders) -> String {
    guard case .shown(let until) = place,
      let words = holders[.spot].last(where: { $0.item == ID(spotId) })?.words, !words.isEmpty
    else { return standing }
    return "\(words); ends \(until.clock)"
  }
}

extension WishPicture {
  var waiting: String {
    guard case .queued(let waitEndsAt) = place else { return "flies" }
    return "wait runs out \(waitEndsAt.clock)"
  }
}
