import RoomModel

extension GiftStage {
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
