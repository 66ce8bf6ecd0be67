import RoomModel

/// The tiers in force, as gifts ask for them: in memory of their own, since what lies within the settings is copied as
/// a whole to be looked at.
struct TierTable: ~Copyable {
  private var tiers = Block<GiftTiers.Tier>()
  /// The hold of a combo of no tier.
  private let holdMs: Milliseconds

  init(_ settings: GiftSettings) {
    holdMs = settings.holdMs
    for place in 0..<settings.tiers.count { tiers.append(settings.tiers.entries[place]) }
  }

  /// The tier by `value` × `total`; 0 is the lowest. Neither factor is below 0.
  @inline(__always)
  func tier(value: Int64, total: Int64) -> Int64 {
    if tiers.isEmpty { return 0 }
    let (worth, overflow) = value.multipliedReportingOverflow(by: total)
    if overflow { return Int64(tiers.count) }
    var tier = 0
    while tier < tiers.count, tiers[tier].worth <= worth { tier += 1 }
    return Int64(tier)
  }

  /// The time that a combo of that tier stays that says none of its own.
  @inline(__always)
  func hold(ofTier tier: Int64) -> Milliseconds { tier == 0 ? holdMs : tiers[Int(tier) - 1].holdMs }
}
