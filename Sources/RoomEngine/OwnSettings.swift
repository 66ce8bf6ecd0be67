package import RoomModel

/// What a room has of its own (STAGES.md, section 7), and what is in force there with it. Few rooms have such, so it is
/// found by one look whether it is there.
final class OwnSettings {
  let set: [RoomSetting.Value]
  /// When they run out.
  let endsAt: LogTime
  let rules: Rules

  /// - Parameter rules: the worker's.
  init(_ set: [RoomSetting.Value], endsAt: LogTime, over rules: borrowing Rules) {
    self.set = set
    self.endsAt = endsAt
    var settings = rules.settings
    for value in set { settings.set(value) }
    self.rules = Rules(settings: settings, epoch: rules.epoch, seed: rules.seed, log: rules.log)
  }
}

extension EngineSettings {
  /// A room's own setting. What belongs together comes together, so these are as good as any.
  package mutating func set(_ value: RoomSetting.Value) {
    switch value.content {
    case .integer(let number): self[keyPath: Self.integer(value.setting)] = number
    case .tiers(let tiers): gift.tiers = tiers
    case .word where value.setting == .giftPlacement: gift.placement = .init(rawValue: value.description)!
    case .word: gift.order = .init(rawValue: value.description)!
    }
  }

  private static func integer(_ setting: RoomSetting) -> WritableKeyPath<EngineSettings, Int64> {
    switch setting {
    case .giftLanes: \.gift.lanes
    case .giftEnterMs: \.gift.enterMs
    case .giftTickMs: \.gift.tickMs
    case .giftHoldMs: \.gift.holdMs
    case .giftExitMs: \.gift.exitMs
    case .giftComboWindowMs: \.gift.comboWindowMs
    case .giftCatchUpTicks: \.gift.catchUpTicks
    case .giftLeastMs: \.gift.leastMs
    case .giftTurnMs: \.gift.turnMs
    case .giftRefreshMs: \.gift.refreshMs
    case .giftMaxWaitMs: \.gift.maxWaitMs
    case .wishTracks: \.wish.tracks
    case .wishStageWidth: \.wish.stageWidth
    case .wishDurationMs: \.wish.durationMs
    case .wishGap: \.wish.gap
    case .wishIntervalMs: \.wish.intervalMs
    case .wishPadding: \.wish.padding
    case .wishEm: \.wish.em
    case .wishMaxWaitMs: \.wish.maxWaitMs
    case .wishMaxLength: \.wish.maxLength
    case .wishMaxName: \.wish.maxName
    case .wishLikesMs: \.wish.likesMs
    case .likeDoubleTapMs: \.like.doubleTapMs
    case .likeStreakMs: \.like.streakMs
    case .likePaceMs: \.like.paceMs
    case .rainFallMinMs: \.rain.fallMinMs
    case .rainFallSpreadMs: \.rain.fallSpreadMs
    case .rainTallyMs: \.rain.tallyMs
    case .rainGraceMs: \.rain.graceMs
    case .giftPlacement, .giftOrder, .giftTiers: preconditionFailure("a setting that is an integer")
    }
  }
}
