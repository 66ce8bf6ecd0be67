import RoomEngine
import RoomModel

/// `阿花 (7)`; the id alone where there is no other name.
func named(_ name: String, _ id: String) -> String {
  name.isEmpty || name == id ? id.printable : "\(name.printable) (\(id.printable))"
}

/// `1 gift`, `3 gifts`, `2 wishes`.
func counted(_ count: some BinaryInteger, _ noun: String) -> String { "\(count) \(count == 1 ? noun : plural(noun))" }

/// `gifts`, `wishes`.
func plural(_ noun: String) -> String { noun + (noun.hasSuffix("sh") ? "es" : "s") }

extension ComboPicture {
  /// `阿花 (7): 玫瑰 (rose) to host`.
  var words: String {
    "\(named(name, userId)): \(named(giftName, giftId))" + (receiverId.isEmpty ? "" : " to \(receiverId.printable)")
  }
}

extension WishPicture {
  /// `阿花 (7): 生日快乐`.
  var words: String { "\(named(name, userId)): \(text.printable)" }
}

extension SkippedItem {
  /// `阿花 (7): 玫瑰 (rose), 3 gifts not shown`, `阿花 (7): 生日快乐`.
  var words: String {
    let who = named(name.description, userId.description)
    let gift = named(giftName.description, giftId.description)
    switch stage {
    case .gift:
      let receiver = receiverId.isEmpty ? "" : " to \(receiverId.description.printable)"
      let whose = userId.isEmpty ? "a crowd" : who
      return "\(whose): \(gift)\(receiver), \(counted(units, "gift")) not shown"
    case .wish: return "\(who): \(text.description.printable)"
    case .spot: return "\(who): \(giftId.isEmpty ? id.description.printable : gift)"
    }
  }
}

extension SpotPicture {
  /// `阿花 (7): entrance (e1)`.
  var words: String {
    guard let item else { return "\(userId.printable): \(spotId.printable)" }
    let what = item.giftId.isEmpty ? item.kind.printable : named(item.giftName, item.giftId)
    return "\(named(item.name, userId)): \(what) (\(spotId.printable)), worth \(item.worth)"
  }
}

extension CrowdPicture {
  /// `玫瑰 (rose) to host: 12 gifts of 5 combos, 3 untold`.
  var words: String {
    let receiver = receiverId.isEmpty ? "" : " to \(receiverId.printable)"
    let untold = untoldUnits > 0 ? ", \(counted(untoldUnits, "gift")) untold since \(untoldSince!.clock)" : ""
    let names = names.map { named($0.name, $0.userId) }.joined(separator: ", ")
    return "\(named(giftName, giftId))\(receiver): \(counted(units, "gift")) of \(counted(items, "combo"))\(untold); "
      + "names \(names.isEmpty ? "nobody" : names)"
  }
}

extension RoomEvent {
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
    case .rainStart(let start): return "rain \(start.rainId.description.printable) starts"
    case .rainGrab(let grab):
      return "\(grab.userId.description.printable) opens packet \(grab.packet) of rain "
        + grab.rainId.description.printable
    case .spot(let spot):
      let who = named(spot.sender.name.description, spot.sender.userId.description)
      let text = spot.text.isEmpty ? "" : ": \(spot.text.description.printable)"
      return
        "\(who) comes to the spot with \(spot.kind.description.printable) (\(spot.spotId.description.printable))\(text)"
    case .retract(let retract):
      switch retract.what {
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

extension RoomTimer.Kind {
  /// The name in STAGES.md.
  var words: String {
    switch self {
    case .ownSettingsRunOut: "the room's own settings run out"
    case .laneBecomesFree: "lane becomes free"
    case .holdRunsOut: "hold runs out"
    case .tick: "tick"
    case .restRunsOut: "rest runs out"
    case .giftWaitRunsOut: "wait of a combo runs out"
    case .bannerLands: "banner lands"
    case .pacedLikes: "paced likes"
    case .nextBannerStarts: "next banner starts"
    case .wishWaitRunsOut: "wait of a wish runs out"
    case .pacedBurst: "paced burst"
    case .rainCountsDown: "countdown"
    case .packetDrops: "drop"
    case .pacedTally: "tally"
    case .rainEnds: "end"
    case .spotBecomesFree: "the spot becomes free"
    case .spotWaitRunsOut: "wait for the spot runs out"
    case .crowdTurnIsOver: "the turn of a crowd is over"
    case .pacedCrowdShow: "paced crowdShow"
    case .giftOverflowSkips: "gift overflow (paced skips)"
    case .giftExpiredSkips: "gift expired (paced skips)"
    case .giftRetractedSkips: "gift retracted (paced skips)"
    case .wishOverflowSkips: "wish overflow (paced skips)"
    case .wishExpiredSkips: "wish expired (paced skips)"
    case .wishRetractedSkips: "wish retracted (paced skips)"
    case .spotOverflowSkips: "spot overflow (paced skips)"
    case .spotExpiredSkips: "spot expired (paced skips)"
    case .spotRetractedSkips: "spot retracted (paced skips)"
    }
  }
}

extension Skipped.Stage {
  var words: String {
    switch self {
    case .gift: "gift"
    case .wish: "wish"
    case .spot: "spot"
    }
  }

  /// One of what is skipped of it.
  var item: String {
    switch self {
    case .gift: "combo"
    case .wish: "wish"
    case .spot: "item"
    }
  }
}

extension Skipped.Reason {
  var words: String {
    switch self {
    case .overflow: "overflow"
    case .expired: "expired"
    case .retracted: "retracted"
    case .ended: "ended"
    }
  }
}
