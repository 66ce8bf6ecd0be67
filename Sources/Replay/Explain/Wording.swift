import RoomEngine
import RoomModel

/// `阿花 (7)`; the id alone where there is no other name.
func named(_ name: String, _ id: String) -> String {
  name.isEmpty || name == id ? id.printable : "\(name.printable) (\(id.printable))"
}

/// `1 gift`, `3 gifts`.
func counted(_ count: some BinaryInteger, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

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

extension SkippedCombo {
  var words: String { "\(named(name, userId)): \(named(giftName, giftId))" }
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
    case .retract(let retract):
      switch retract.what {
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
  /// As STAGES.md calls it.
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
    case .giftOverflowSkips: "gift overflow (paced skips)"
    case .giftExpiredSkips: "gift expired (paced skips)"
    case .giftRetractedSkips: "gift retracted (paced skips)"
    case .wishOverflowSkips: "wish overflow (paced skips)"
    case .wishExpiredSkips: "wish expired (paced skips)"
    case .wishRetractedSkips: "wish retracted (paced skips)"
    }
  }
}

extension Skipped.Stage {
  var words: String { self == .gift ? "gift" : "wish" }
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
