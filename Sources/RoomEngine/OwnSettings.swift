package import RoomModel

/// The settings that a room has of its own (STAGES.md, section 9), and what is in force there with it. Few rooms have
/// such, so it is found by one look whether it is there.
final class OwnSettings {
  /// The time when they run out.
  let endsAt: LogTime
  private let shared: SharedOwnSettings

  /// - Parameter worker: the settings in force where a room has none of its own.
  init(_ set: [RoomSetting.Value], endsAt: LogTime, over worker: borrowing Rules) {
    self.endsAt = endsAt
    shared = worker.ownSettings.find(set) {
      var settings = worker.settings
      for value in set where !worker.overruled.contains(value.setting) { settings.set(value) }
      return worker.with(settings, epoch: worker.epoch)
    }
  }

  /// Bytes of one room, beside what it shares.
  static var byteCount: Int { 32 }

  var set: [RoomSetting.Value] { shared.set }
  var rules: Rules {
    @inline(__always) unsafeAddress { UnsafePointer(shared.rules) }
  }
}

/// Settings that any number of rooms have of their own: a platform gives many rooms the same, and each set takes
/// kilobytes.
final class SharedOwnSettings {
  let set: [RoomSetting.Value]
  fileprivate let rules: UnsafeMutablePointer<Rules>

  fileprivate init(_ set: [RoomSetting.Value], _ rules: consuming Rules) {
    self.set = set
    self.rules = .allocate(capacity: 1)
    self.rules.initialize(to: rules)
  }

  deinit {
    rules.deinitialize(count: 1)
    rules.deallocate()
  }

  fileprivate var byteCount: Int {
    MemoryLayout<Rules>.stride + MemoryLayout<EngineSettings>.stride
      + set.count * MemoryLayout<RoomSetting.Value>.stride
  }
}

/// The sets of own settings that rooms of a partition have over one set of the worker's.
final class OwnSettingsPool {
  private struct Entry { weak var shared: SharedOwnSettings? }

  /// Shared settings by names and values, in their order.
  private var entries: [[UInt8]: Entry] = [:]
  /// The number of entries above which those that no room has any more are taken out.
  private var mostEntries = 16

  fileprivate func find(_ set: [RoomSetting.Value], orMake rules: () -> Rules) -> SharedOwnSettings {
    let key = set.flatMap { "\($0.setting.rawValue)=\($0);".utf8 }
    if let known = entries[key]?.shared { return known }
    let new = SharedOwnSettings(set, rules())
    if entries.count >= mostEntries {
      entries = entries.filter { $0.value.shared != nil }
      mostEntries = max(16, 2 * entries.count)
    }
    entries[key] = Entry(shared: new)
    return new
  }

  var byteCount: Int {
    entries.reduce(0) { $0 + $1.key.count + MemoryLayout<Entry>.stride + ($1.value.shared?.byteCount ?? 0) }
  }
}

extension EngineSettings {
  /// Sets a room's own setting. Settings that depend on each other come together, so the result is valid.
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
    case .wishMergeMs: \.wish.mergeMs
    case .likeDoubleTapMs: \.like.doubleTapMs
    case .likeStreakMs: \.like.streakMs
    case .likePaceMs: \.like.paceMs
    case .likeMost: \.like.most
    case .rainFallMinMs: \.rain.fallMinMs
    case .rainFallSpreadMs: \.rain.fallSpreadMs
    case .rainTallyMs: \.rain.tallyMs
    case .rainGraceMs: \.rain.graceMs
    case .spotTier: \.spot.tier
    case .spotDurationMs: \.spot.durationMs
    case .spotGapMs: \.spot.gapMs
    case .spotMaxWaitMs: \.spot.maxWaitMs
    case .crowdShowMs: \.crowd.showMs
    case .crowdPaceMs: \.crowd.paceMs
    case .crowdWaitMs: \.crowd.waitMs
    case .pinDurationMs: \.pin.durationMs
    case .pinRefreshMs: \.pin.refreshMs
    case .goalPaceMs: \.goal.paceMs
    case .goalRefreshMs: \.goal.refreshMs
    case .goalGraceMs: \.goal.graceMs
    case .giftPlacement, .giftOrder, .giftTiers: preconditionFailure("a setting that is an integer")
    }
  }
}
