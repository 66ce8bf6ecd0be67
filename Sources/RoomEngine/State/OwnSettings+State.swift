import RoomModel

extension OwnSettings {
  static func write(_ own: OwnSettings?, into state: inout StateWriter) {
    state.number(Int64(own?.set.count ?? 0))
    guard let own else { return }
    for value in own.set {
      state.text(value.setting.rawValue)
      switch value.content {
      case .integer(let number): state.number(number)
      case .word, .tiers: state.text(value.description)
      }
    }
    state.time(own.endsAt)
  }

  /// Nil: the room has none.
  static func read(from state: inout StateReader, over rules: borrowing Rules) throws(StateError) -> OwnSettings? {
    let count = try state.count()
    if count == 0 { return nil }
    var set: [RoomSetting.Value] = []
    for _ in 0..<count {
      guard let setting = RoomSetting(try state.text()),
        !set.contains(where: { $0.setting == setting })
      else { throw .damaged }
      set.append(try value(of: setting, from: &state))
    }
    let own = OwnSettings(set, endsAt: try state.time(), over: rules)
    guard own.areGapAndWidthTogether else { throw .damaged }
    return own
  }

  private static func value(
    of setting: RoomSetting, from state: inout StateReader
  ) throws(StateError) -> RoomSetting.Value {
    switch setting.kind {
    case .integer, .integerOrNever:
      let number = try state.number()
      guard setting.allows(number) else { throw .damaged }
      return RoomSetting.Value(setting, .integer(number))
    case .word, .tiers:
      guard let value = setting.value(try state.text()) else { throw .damaged }
      return value
    }
  }

  /// The pair as events have it, so that the gap is less than the width whatever the worker's are.
  private var areGapAndWidthTogether: Bool {
    let gap = set.contains { $0.setting == .wishGap }
    return gap == set.contains { $0.setting == .wishStageWidth }
      && (!gap || rules.settings.wish.gap < rules.settings.wish.stageWidth)
  }
}
