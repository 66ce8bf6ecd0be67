import RoomModel
import RoomScreen

extension Sender: FieldList {
  static var blankShown: Command.Sender { Command.Sender() }

  static func list(_ fields: inout some FieldCoder<Sender>) {
    fields.id("userId", 1, \.userId, \.userId)
    fields.text("name", 2, \.name, \.name)
    fields.text("avatarUrl", 3, \.avatarUrl, \.avatarUrl)
  }
}

extension GiftShow: CommandBody {
  static var name: StaticString { "giftShow" }
  static var number: UInt32 { 4 }
  static var blankShown: Command.GiftShow { Command.GiftShow() }

  static func list(_ fields: inout some FieldCoder<GiftShow>) {
    fields.id("comboId", 1, \.comboOffset, \.comboId)
    fields.integer("lane", 2, \.lane, \.lane)
    fields.message("sender", 3, \.sender, \.sender)
    fields.id("receiverId", 4, \.receiverId, \.receiverId)
    fields.text("receiverName", 13, \.receiverName, \.receiverName)
    fields.id("giftId", 5, \.giftId, \.giftId)
    fields.text("giftName", 6, \.giftName, \.giftName)
    fields.integer("value", 7, \.value, \.value)
    fields.integer("from", 8, \.from, \.from)
    fields.integer("total", 9, \.total, \.total)
    fields.integer("enterMs", 10, \.enterMs, \.enterMs)
    fields.integer("tier", 11, \.tier, \.tier)
    fields.text("extra", 12, \.extra, \.extra)
  }
}

extension GiftBump: CommandBody {
  static var name: StaticString { "giftBump" }
  static var number: UInt32 { 5 }
  static var blankShown: Command.GiftBump { Command.GiftBump() }

  static func list(_ fields: inout some FieldCoder<GiftBump>) {
    fields.id("comboId", 1, \.comboOffset, \.comboId)
    fields.integer("lane", 2, \.lane, \.lane)
    fields.integer("count", 3, \.count, \.count)
    fields.integer("tickMs", 4, \.tickMs, \.tickMs)
  }
}

extension GiftHide: CommandBody {
  static var name: StaticString { "giftHide" }
  static var number: UInt32 { 6 }
  static var blankShown: Command.GiftHide { Command.GiftHide() }

  static func list(_ fields: inout some FieldCoder<GiftHide>) {
    fields.id("comboId", 1, \.comboOffset, \.comboId)
    fields.integer("lane", 2, \.lane, \.lane)
    fields.integer("count", 3, \.count, \.count)
    fields.integer("exitMs", 4, \.exitMs, \.exitMs)
  }
}
