import RoomEngine
import RoomModel

/// `阿花 (7)`; the id alone where there is no other name.
func named(_ name: String, _ id: String) -> String {
  name.isEmpty || name == id ? id.printable : "\(name.printable) (\(id.printable))"
}

/// `1 gift`, `3 gifts`, `2 wishes`.
func counted(_ count: some BinaryInteger, _ noun: String) -> String { "\(count) \(count == 1 ? noun : plural(noun))" }

/// `gifts`, `wishes`, `taps` of what is called so already.
func plural(_ noun: String) -> String { noun.hasSuffix("s") ? noun : noun + (noun.hasSuffix("sh") ? "es" : "s") }

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
  /// `the room had 2 crowds (crowd.kinds, 1)`
  var crowdWords: String { "the room had \(counted(crowdCount, "crowd")) (crowd.kinds, \(crowdLimit))" }

  /// `3 others were queued (queueLimit, 2)`
  var othersWords: String {
    "\(counted(count, "other")) \(count == 1 ? "was" : "were") queued (queueLimit, \(limit))"
  }

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
    case .pin: return "\(who): \(text.description.printable)"
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
    case .pinEnds: "a pin ends"
    case .pinIsToldAgain: "pinShow again"
    case .goalEnds: "a goal ends"
    case .pacedGoalCount: "paced goalCount"
    case .goalIsToldAgain: "goalShow again"
    case .giftOverflowSkips: "gift overflow (paced skips)"
    case .giftExpiredSkips: "gift expired (paced skips)"
    case .giftRetractedSkips: "gift retracted (paced skips)"
    case .wishOverflowSkips: "wish overflow (paced skips)"
    case .wishExpiredSkips: "wish expired (paced skips)"
    case .wishRetractedSkips: "wish retracted (paced skips)"
    case .spotOverflowSkips: "spot overflow (paced skips)"
    case .spotExpiredSkips: "spot expired (paced skips)"
    case .spotRetractedSkips: "spot retracted (paced skips)"
    case .pinOverflowSkips: "pin overflow (paced skips)"
    case .pinExpiredSkips: "pin expired (paced skips)"
    case .pinRetractedSkips: "pin retracted (paced skips)"
    }
  }
}

extension Skipped.Stage {
  var words: String {
    switch self {
    case .gift: "gift"
    case .wish: "wish"
    case .spot: "spot"
    case .pin: "pin"
    }
  }

  /// One of what is skipped of it.
  var item: String {
    switch self {
    case .gift: "combo"
    case .wish: "wish"
    case .spot: "item"
    case .pin: "pin"
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
