import RoomModel

/// A room's own settings.
extension EventRules {
  static var settingLimit: Int { 1024 }

  /// Reads `set` as it was written to `storage`. Of a name that comes twice the last counts.
  static func settings(
    keeping storage: inout EventStorage
  ) throws(NotUnderstood) -> UnsafeBufferPointer<RoomSetting.Value> {
    var last: [RoomSetting: WrittenSetting.Value] = [:]
    for written in storage.writtenSettings {
      guard let setting = RoomSetting(written.name) else {
        throw NotUnderstood(
          .unknownSetting, "roomSettings.set: \(written.name.quoted) is no setting that a room can have of its own")
      }
      last[setting] = written.value
    }
    if last.count > RoomSetting.limit {
      throw NotUnderstood(.tooLong, "roomSettings.set: \(last.count) names are more than \(RoomSetting.limit)")
    }
    var values: [RoomSetting.Value] = []
    for setting in RoomSetting.allCases {
      if let written = last[setting] { values.append(try value(written, of: setting)) }
    }
    try checkGap(values)
    return storage.keep(values)
  }

  private static func value(
    _ written: WrittenSetting.Value, of setting: RoomSetting
  ) throws(NotUnderstood) -> RoomSetting.Value {
    if case .text(let text) = written, text.count > settingLimit {
      throw NotUnderstood(
        .tooLong, "\(path(setting)): \(text.count) bytes of UTF-8 are more than \(settingLimit)")
    }
    switch (setting.kind, written) {
    case (.integer, .integer(let number)), (.integerOrNever, .integer(let number)):
      return try integer(number, setting)
    case (.integer, .text(let text)), (.integerOrNever, .text(let text)):
      guard let number = text.integer else { break }
      return try integer(number, setting)
    case (_, .text(let text)):
      if let value = setting.value(text) { return value }
    default: break
    }
    let found =
      switch written {
      case .integer(let number): "\(number)"
      case .text(let text): text.quoted
      case .other(let described): described
      }
    throw NotUnderstood(.wrongType, "\(path(setting)): \(found) is none of its values: \(values(of: setting))")
  }

  private static func integer(
    _ number: Int64, _ setting: RoomSetting
  ) throws(NotUnderstood) -> RoomSetting.Value {
    guard setting.allows(number) else {
      throw NotUnderstood(.outOfRange, "\(path(setting)): \(number) is not in \(values(of: setting))")
    }
    return RoomSetting.Value(setting, .integer(number))
  }

  private static func checkGap(_ values: [RoomSetting.Value]) throws(NotUnderstood) {
    func number(_ setting: RoomSetting) -> Int64? {
      for value in values where value.setting == setting {
        if case .integer(let number) = value.content { return number }
      }
      return nil
    }
    switch (number(.wishGap), number(.wishStageWidth)) {
    case (nil, nil): break
    case (let gap?, let width?):
      if gap >= width {
        throw NotUnderstood(
          .outOfRange, "roomSettings.set: wish.gap, \(gap), must be less than wish.stageWidth, \(width)")
      }
    default:
      throw NotUnderstood(.missing, "roomSettings.set: wish.gap and wish.stageWidth come both or neither")
    }
  }

  private static func path(_ setting: RoomSetting) -> String { "roomSettings.set.\(setting.rawValue)" }

  private static func values(of setting: RoomSetting) -> String {
    switch setting.kind {
    case .integer(let range): "\(range.lowerBound)…\(range.upperBound)"
    case .integerOrNever(let range): "0, \(range.lowerBound)…\(range.upperBound)"
    case .word(let words): words.joined(separator: ", ")
    case .tiers: "up to 16 times worth:holdMs, the worths rising, holdMs up to 600000, with commas between"
    }
  }
}
