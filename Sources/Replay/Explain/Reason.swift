import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// The reason for a command: the rule, and its words for this command.
struct Reason: Equatable {
  let rule: Rule
  let words: String

  init(_ rule: Rule, _ words: String) { (self.rule, self.words) = (rule, words) }

  static func show(_ show: Lent<GiftShow>, _ step: RoomStep, _ settings: GiftSettings) -> Reason {
    if case .timer(let timer) = step.cause, timer.kind == .tick {
      if case .onLane(_, _, _, _, _, let told)? = timer.combo?.place, told != show.tier {
        return Reason(
          .onLane,
          "with what it got this combo is of tier \(show.tier), and its last giftShow told \(told), so a tick tells it; "
            + "nothing moves")
      }
      return Reason(
        .onLane,
        "this combo's last giftShow was refreshMs\(step.spans[.refresh, show.lane].inParentheses) ago or more, so a tick tells again what is "
          + "on the lane; nothing moves")
    }
    let whose = settings.placement == .byUser ? "of those queued for lane \(show.lane) " : ""
    let turn =
      switch settings.order {
      case .tier: "\(whose)it was the longest queued of the highest tier"
      case .fifo: "\(whose)it was the longest queued"
      case .value: "\(whose.isEmpty ? "of the queued " : whose)it was worth most"
      }
    let lane =
      settings.placement == .bottomFirst
      ? "of the free lanes \(show.lane) has the highest number" : "lane \(show.lane) is its own (placement byUser)"
    switch step.cause {
    case .event where step.gift?.combo == show.comboOffset:
      return Reason(.givingLanes, "its gift had it queued, and a lane was free: \(turn), and \(lane)")
    case .timer(let timer) where timer.kind == .laneBecomesFree:
      let freed: Int64 = if case .leaving(let lane, _, _)? = timer.combo?.place { Int64(lane) } else { show.lane }
      return Reason(
        .givingLanes,
        "a lane became free, exitMs\(step.spans[.exit, freed].inParentheses) after its view was hidden: \(turn), and \(lane)"
      )
    case .event, .timer, .settings:
      return Reason(.givingLanes, "it was queued, and a lane was free: \(turn), and \(lane)")
    }
  }

  static func bump(_ bump: GiftBump, _ step: RoomStep, _ settings: GiftSettings) -> Reason {
    guard case .timer(let timer) = step.cause, let combo = timer.combo else {
      return Reason(.onLane, "a tick found more than was shown")
    }
    let part =
      settings.catchUpTicks == 0
      ? "by 1 (catchUpTicks 0)"
      : "by the last step, or by 1/\(settings.catchUpTicks) of that, rounded up, if that is more"
    return Reason(
      .onLane,
      "a tick (every tickMs\(step.spans[.tick, bump.lane].afterComma)) found \(combo.gap) of \(combo.total) not yet shown and counts up \(part): "
        + "from \(combo.shown) to \(bump.count)")
  }

  static func hide(_ hide: GiftHide, _ step: RoomStep) -> Reason {
    switch step.hideCause {
    case .dearer:
      guard case .timer(let timer) = step.cause, let combo = timer.combo else { break }
      let whom = awaited(step).map { " (\($0.words), tier \($0.tier))" } ?? ""
      return Reason(
        .onLane,
        "it had been there for leastMs\(step.spans[.least, hide.lane].inParentheses) or more, it is of tier \(combo.tier), "
          + "and a queued combo of a higher tier could take the lane\(whom)")
    case .turn:
      return Reason(
        .onLane,
        "it had its turn, turnMs\(step.spans[.turn, hide.lane].inParentheses) or more since it was shown, and another "
          + "queued combo could take the lane\(awaited(step).map { " (\($0.words))" } ?? "")")
    case .hold, .retracted, .ended: break
    }
    let span = step.spans[.hold, hide.lane]
    let name =
      switch span.origin {
      case .own: "its own"
      case .tier(let tier): "that of tier \(tier)"
      case .setting: "holdMs"
      }
    // Nothing tells which of these one was that began before this piece of the log.
    let hold = span.ms == nil ? "" : " (\(name)\(span.afterComma))"
    return Reason(.onLane, "all it got was shown, and its hold\(hold) ran out without another gift")
  }

  /// The combo that a view makes room for.
  private static func awaited(_ step: RoomStep) -> ComboPicture? {
    step.awaited.flatMap { offset in step.before?.queue.first { $0.offset == offset } }
  }

  static func fly(_ fly: Lent<WishFly>, _ step: RoomStep, _ settings: WishSettings) -> Reason {
    let track = "of the tracks that take it \(fly.track) has the lowest number"
    if case .event = step.cause {
      return Reason(.bannersStart, "no wish was queued before it, \(Self.since(step, settings)), and \(track)")
    }
    return Reason(
      .bannersStart,
      "it was the first in the queue, and now the time came: intervalMs (\(settings.intervalMs)) since the last start are "
        + "over, and \(track)")
  }

  private static func since(_ step: RoomStep, _ settings: WishSettings) -> String {
    for case .bannerStarted(let ms?) in step.decisions {
      return "the last banner had started \(ms) ms ago (intervalMs, \(settings.intervalMs))"
    }
    return "no banner before it held it up"
  }

  static func likes(_ likes: WishLikes, _ step: RoomStep) -> Reason {
    let pace = "likesMs\(step.spans[.wishLikes, id: ID(likes.wishId)].afterComma)"
    guard case .timer(let timer) = step.cause else {
      return Reason(.wishLikes, "it was liked, and the last total was sent its pace (\(pace)) ago or more")
    }
    return timer.kind == .bannerLands
      ? Reason(.wishLikes, "likes waited for their pace (\(pace)) when the banner landed: the landing sends them")
      : Reason(.wishLikes, "likes came within the pace (\(pace)) of the last total; it is over now")
  }

  static func skipped(_ skipped: Skipped, _ step: RoomStep) -> Reason {
    let item = step.skips.first { $0.stage == skipped.stage && $0.reason == skipped.reason && $0.crowdOffset == nil }
    guard case .timer(let timer) = step.cause else {
      let limit = item.map { " (\($0.limit))" } ?? ""
      switch skipped.stage {
      case .gift:
        return Reason(
          .giftArrives,
          "more than queueLimit\(limit) combos were queued: of the lowest tier that of the least worth, the last queued "
            + "of equals, is skipped; and \(item?.crowdWords ?? "no crowd took it")")
      case .wish:
        return Reason(
          .bannersStart,
          "the wish could not start, and \(item?.othersWords ?? "too many were queued")")
      case .pin:
        return Reason(.pinComes, "limit\(limit) pins or more were shown, and the new one was the least")
      case .spot:
        return Reason(
          .itemComes,
          "more than queueLimit\(limit) items were queued: that of the least worth, the last queued of equals, is skipped"
        )
      }
    }
    let wait = step.skips.first.map { step.spans.wait(of: $0).inParentheses } ?? ""
    switch timer.kind {
    case .giftWaitRunsOut:
      return Reason(.giftWait, "a combo was queued for maxWaitMs\(wait)")
    case .spotWaitRunsOut:
      return Reason(.shown, "an item was queued for maxWaitMs\(wait)")
    case .wishWaitRunsOut:
      return Reason(.bannersStart, "a wish was queued for maxWaitMs\(wait)")
    default:
      return Reason(
        .skips,
        "\(plural(skipped.stage.words)) were skipped (\(skipped.reason.words)) within 1000 ms of the last such command; they are "
          + "over now, and this tells all since")
    }
  }
}
