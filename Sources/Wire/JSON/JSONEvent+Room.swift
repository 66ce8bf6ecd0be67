import RoomModel

/// The JSON form of what happens to a room as a whole.
extension JSONValue {
  func retract(keeping storage: inout EventStorage) throws(NotUnderstood) -> Retract {
    var wishId = 0, comboId = 0, userId = 0, muteMs = 0
    for member in try members(of: "retract") {
      switch JSONName(of: member) {
      case "wishId": wishId = member.place
      case "comboId": comboId = member.place
      case "userId": userId = member.place
      case "muteMs": muteMs = member.place
      default: break
      }
    }
    return try EventRules.retract(
      wishId: try id(at: wishId, FieldPath("retract", "wishId"), &storage),
      comboId: try id(at: comboId, FieldPath("retract", "comboId"), &storage),
      userId: try id(at: userId, FieldPath("retract", "userId"), &storage),
      muteMs: try integer(at: muteMs, FieldPath("retract", "muteMs")))
  }

  func roomSettings(keeping storage: inout EventStorage) throws(NotUnderstood) -> RoomSettings {
    var set = 0, forMs = 0
    for member in try members(of: "roomSettings") {
      switch JSONName(of: member) {
      case "set": set = member.place
      case "forMs": forMs = member.place
      default: break
      }
    }
    if set != 0 {
      for member in try at(set).members(of: "roomSettings.set") {
        storage.append(WrittenSetting(name: member.name, value: member.value.settingValue))
      }
    }
    return try EventRules.roomSettings(
      forMs: try integer(at: forMs, FieldPath("roomSettings", "forMs")), keeping: &storage)
  }

  private var settingValue: WrittenSetting.Value {
    if let integer { return .integer(integer) }
    return text.map { .text($0) } ?? .other(described)
  }

  /// It says all by being there.
  func roomEnd() throws(NotUnderstood) -> RoomEvent.Body {
    _ = try members(of: "roomEnd")
    return .roomEnd
  }
}
