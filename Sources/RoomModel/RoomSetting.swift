/// The settings that a room can have of its own (STAGES.md, sections 2 and 11), by their names: those of the stages but
/// for what bounds how much a room keeps.
public enum RoomSetting: String, CaseIterable, Sendable {
  case giftLanes = "gift.lanes"
  case giftPlacement = "gift.placement"
  case giftOrder = "gift.order"
  case giftTiers = "gift.tiers"
  case giftEnterMs = "gift.enterMs"
  case giftTickMs = "gift.tickMs"
  case giftHoldMs = "gift.holdMs"
  case giftExitMs = "gift.exitMs"
  case giftComboWindowMs = "gift.comboWindowMs"
  case giftCatchUpTicks = "gift.catchUpTicks"
  case giftLeastMs = "gift.leastMs"
  case giftTurnMs = "gift.turnMs"
  case giftRefreshMs = "gift.refreshMs"
  case giftMaxWaitMs = "gift.maxWaitMs"
  case wishTracks = "wish.tracks"
  case wishStageWidth = "wish.stageWidth"
  case wishDurationMs = "wish.durationMs"
  case wishGap = "wish.gap"
  case wishIntervalMs = "wish.intervalMs"
  case wishPadding = "wish.padding"
  case wishEm = "wish.em"
  case wishMaxWaitMs = "wish.maxWaitMs"
  case wishMaxLength = "wish.maxLength"
  case wishMaxName = "wish.maxName"
  case wishLikesMs = "wish.likesMs"
  case wishMergeMs = "wish.mergeMs"
  case likeDoubleTapMs = "like.doubleTapMs"
  case likeStreakMs = "like.streakMs"
  case likePaceMs = "like.paceMs"
  case likeMost = "like.most"
  case rainFallMinMs = "rain.fallMinMs"
  case rainFallSpreadMs = "rain.fallSpreadMs"
  case rainTallyMs = "rain.tallyMs"
  case rainGraceMs = "rain.graceMs"
  case spotTier = "spot.tier"
  case spotDurationMs = "spot.durationMs"
  case spotGapMs = "spot.gapMs"
  case spotMaxWaitMs = "spot.maxWaitMs"
  case crowdShowMs = "crowd.showMs"
  case crowdPaceMs = "crowd.paceMs"
  case crowdWaitMs = "crowd.waitMs"
  case pinDurationMs = "pin.durationMs"
  case pinRefreshMs = "pin.refreshMs"
  case goalPaceMs = "goal.paceMs"
  case goalRefreshMs = "goal.refreshMs"
  case goalGraceMs = "goal.graceMs"

  /// The most that one room may have at once.
  public static let limit = 32

  /// The values that it takes.
  public enum Kind: Sendable {
    case integer(ClosedRange<Int64>)
    /// 0, which means never, is beside the range.
    case integerOrNever(ClosedRange<Int64>)
    case word([String])
    case tiers
  }

  public var kind: Kind {
    switch self {
    case .giftPlacement: .word(["bottomFirst", "byUser"])
    case .giftOrder: .word(["tier", "fifo", "value"])
    case .giftTiers: .tiers
    case .giftLanes, .wishTracks: .integer(1...8)
    case .giftTickMs, .wishLikesMs, .likePaceMs, .rainTallyMs, .spotDurationMs, .crowdShowMs, .crowdPaceMs,
      .goalPaceMs:
      .integer(100...Self.longestMs)
    case .giftRefreshMs: .integerOrNever(1000...Self.longestMs)
    case .pinDurationMs: .integer(1000...Self.longestMs)
    case .pinRefreshMs, .goalRefreshMs: .integer(5000...Self.longestMs)
    case .likeMost: .integer(0...1000)
    case .rainFallSpreadMs: .integer(10...Self.longestMs)
    case .wishDurationMs: .integer(1...Self.longestMs)
    case .giftEnterMs, .giftHoldMs, .giftExitMs, .giftComboWindowMs, .giftLeastMs, .giftTurnMs, .giftMaxWaitMs,
      .wishIntervalMs, .wishMaxWaitMs, .wishMergeMs, .likeDoubleTapMs, .likeStreakMs, .rainFallMinMs, .rainGraceMs,
      .spotGapMs, .spotMaxWaitMs, .crowdWaitMs, .goalGraceMs:
      .integer(0...Self.longestMs)
    case .spotTier: .integer(0...16)
    case .wishStageWidth, .wishEm: .integer(1...1_000_000_000)
    case .wishMaxLength, .wishMaxName: .integer(2...1_000_000_000)
    case .giftCatchUpTicks, .wishGap, .wishPadding: .integer(0...1_000_000_000)
    }
  }

  /// No span of a room's own is longer.
  static let longestMs: Milliseconds = 600_000

  /// Whether it is an integer that has this value.
  public func allows(_ number: Int64) -> Bool {
    switch kind {
    case .integer(let range): range.contains(number)
    case .integerOrNever(let range): number == 0 || range.contains(number)
    case .word, .tiers: false
    }
  }

  /// A setting and what it is to be, within its range.
  public struct Value: Sendable {
    public enum Content: Sendable {
      case integer(Int64)
      /// The number of its word.
      case word(Int)
      case tiers(GiftTiers)
    }

    public var setting: RoomSetting
    public var content: Content

    public init(_ setting: RoomSetting, _ content: Content) {
      self.setting = setting
      self.content = content
    }
  }
}

extension RoomSetting.Value: CustomStringConvertible {
  /// The value as the setting spells it.
  public var description: String {
    switch content {
    case .integer(let number): return "\(number)"
    case .tiers(let tiers): return "\(tiers)"
    case .word(let place):
      guard case .word(let words) = setting.kind else { preconditionFailure("a setting of words") }
      return words[place]
    }
  }
}

extension RoomSetting {
  /// Nil: no setting that a room can have has this name.
  public init?(_ name: Text) {
    guard let setting = Self.allCases.first(where: { name.bytes.elementsEqual($0.rawValue.utf8) }) else { return nil }
    self = setting
  }

  /// The value that a word or tiers are; nil if the setting is an integer, or has no such value.
  public func value(_ text: Text) -> Value? {
    switch kind {
    case .integer, .integerOrNever: nil
    case .word(let words): words.firstIndex { text.bytes.elementsEqual($0.utf8) }.map { Value(self, .word($0)) }
    case .tiers:
      GiftTiers(text).flatMap { tiers in
        (0..<tiers.count).allSatisfy { tiers.entries[$0].holdMs <= Self.longestMs } ? Value(self, .tiers(tiers)) : nil
      }
    }
  }
}
