import RoomModel
import RoomScreen

extension CrowdShow: CommandBody {
  static var name: StaticString { "crowdShow" }
  static var number: UInt32 { 19 }
  static var blankShown: Command.CrowdShow { Command.CrowdShow() }

  static func list(_ fields: inout some FieldCoder<CrowdShow>) {
    fields.id("crowdId", 1, \.crowdOffset, \.crowdId)
    fields.id("receiverId", 2, \.receiverId, \.receiverId)
    fields.text("receiverName", 9, \.receiverName, \.receiverName)
    fields.id("giftId", 3, \.giftId, \.giftId)
    fields.text("giftName", 4, \.giftName, \.giftName)
    fields.integer("value", 5, \.value, \.value)
    fields.integer("items", 6, \.items, \.items)
    fields.integer("units", 7, \.units, \.units)
    fields.messages("names", 8, \.names, \.names)
  }
}

extension CrowdHide: CommandBody {
  static var name: StaticString { "crowdHide" }
  static var number: UInt32 { 20 }
  static var blankShown: Command.CrowdHide { Command.CrowdHide() }

  static func list(_ fields: inout some FieldCoder<CrowdHide>) {
    fields.id("crowdId", 1, \.crowdOffset, \.crowdId)
  }
}
