import RoomModel

extension GiftStage {
  func whereabouts(of slot: Int32) -> Decision.ComboPlace {
    switch combos[slot].phase {
    case .queued: return .queued
    case .onLane(let lane):
      return .onLane(lane, shown: combos[slot].shown, isHeld: lanes.view(on: lane).holdEndsAt < .max)
    case .leaving:
      for lane in 0..<lanes.count { if case .leaving(slot, _) = lanes[lane] { return .leaving(lane) } }
      preconditionFailure("a combo that leaves a lane")
    case .resting: return .resting
    }
  }

  /// Called before the view is hidden.
  @inline(__always) func tellHidden(
    _ lane: Int32, _ why: Decision.HideCause, _ rules: borrowing Rules, _ out: borrowing CommandOutlet
  ) {
    guard out.isHeard else { return }
    let makesRoom = why == .turn || why == .dearer
    let other = makesRoom ? queue.awaited(on: lane, beside: lanes, in: combos, rules) : nil
    out.tell(.hidden(why, for: other.map { combos[$0].offset } ?? -1))
  }

  /// Tells the times that began with a view's tick, or as it was shown.
  @inline(never) func tell(
    _ view: Lanes.View, hadHold: Bool, isRefreshed: Bool, on lane: Int32, _ rules: borrowing Rules,
    _ out: borrowing CommandOutlet
  ) {
    let lane = Int64(lane)
    out.tell(.span(.init(.tick, lane, ms: rules.gift.tickMs, until: view.ticksAt)))
    if isRefreshed { out.tell(.span(.init(.refresh, lane, ms: rules.gift.refreshMs, until: view.refreshesAt))) }
    guard !hadHold, view.holdEndsAt < .max else { return }
    let own = combos[view.combo].holdMs
    let tier = combos[view.combo].tier(rules)
    let ms = own > 0 ? own : rules.tiers.hold(ofTier: tier)
    let origin: Decision.Span.Origin = own > 0 ? .own : tier > 0 ? .tier(tier) : .setting
    out.tell(.span(.init(.hold, lane, ms: ms, until: view.holdEndsAt, origin: origin)))
  }
}
