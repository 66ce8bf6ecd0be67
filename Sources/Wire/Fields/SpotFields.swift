import RoomModel
import RoomScreen

extension SpotShow: CommandBody {
  static var name: StaticString { "spotShow" }
  static var number: UInt32 { 17 }
  static var blankShown: Command.SpotShow { Command.SpotShow() }

  static func list(_ fields: inout some FieldCoder<SpotShow>) {
    fields.id("spotId", 1, \.spotId, \.spotId)
    fields.text("kind", 2, \.kind, \.kind)
    fields.id("comboId", 3, \.comboId, \.comboId)
    fields.message("sender", 4, \.sender, \.sender)
    fields.id("receiverId", 5, \.receiverId, \.receiverId)
    fields.text("receiverName", 15, \.receiverName, \.receiverName)
    fields.id("giftId", 6, \.giftId, \.giftId)
    fields.text("giftName", 7, \.giftName, \.giftName)
    fields.integer("value", 8, \.value, \.value)
    fields.integer("total", 9, \.total, \.total)
    fields.integer("tier", 10, \.tier, \.tier)
    fields.text("text", 11, \.text, \.text)
    fields.text("style", 12, \.style, \.style)
    fields.integer("durationMs", 13, \.durationMs, \.durationMs)
    fields.text("extra", 14, \.extra, \.extra)
  }
}

extension SpotGone: CommandBody {
  static var name: StaticString { "spotGone" }
  static var number: UInt32 { 18 }
  static var blankShown: Command.SpotGone { Command.SpotGone() }

  static func list(_ fields: inout some FieldCoder<SpotGone>) {
    fields.id("spotId", 1, \.spotId, \.spotId)
  }
}
