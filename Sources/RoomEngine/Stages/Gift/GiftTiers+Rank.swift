import RoomModel

extension GiftTiers {
  /// The tier of what is worth `value` × `total`; 0 for what costs little. Neither is below 0.
  @inline(__always)
  func tier(value: Int64, total: Int64) -> Int64 {
    if count == 0 { return 0 }
    let (worth, overflow) = value.multipliedReportingOverflow(by: total)
    if overflow { return Int64(count) }
    var tier = 0
    while tier < count, entries[tier].worth <= worth { tier += 1 }
    return Int64(tier)
  }
}

extension GiftSettings {
  /// How long a combo of that tier stays that says nothing of its own.
  func hold(ofTier tier: Int64) -> Milliseconds { tier == 0 ? holdMs : tiers.entries[Int(tier) - 1].holdMs }
}
