import RoomModel
import RoomScreen

extension WishFly: CommandBody {
  static var name: StaticString { "wishFly" }
  static var number: UInt32 { 7 }
  static var blankShown: Command.WishFly { Command.WishFly() }

  static func list(_ fields: inout some FieldCoder<WishFly>) {
    fields.id("wishId", 1, \.wishId, \.wishId)
    fields.integer("track", 2, \.track, \.track)
    fields.message("sender", 3, \.sender, \.sender)
    fields.text("text", 4, \.text, \.text)
    fields.text("style", 5, \.style, \.style)
    fields.integer("width", 6, \.width, \.width)
    fields.integer("durationMs", 7, \.durationMs, \.durationMs)
    fields.integer("likes", 8, \.likes, \.likes)
    fields.text("extra", 9, \.extra, \.extra)
  }
}

extension WishLikes: CommandBody {
  static var name: StaticString { "wishLikes" }
  static var number: UInt32 { 8 }
  static var blankShown: Command.WishLikes { Command.WishLikes() }

  static func list(_ fields: inout some FieldCoder<WishLikes>) {
    fields.id("wishId", 1, \.wishId, \.wishId)
    fields.integer("likes", 2, \.likes, \.likes)
  }
}

extension WishGone: CommandBody {
  static var name: StaticString { "wishGone" }
  static var number: UInt32 { 15 }
  static var blankShown: Command.WishGone { Command.WishGone() }

  static func list(_ fields: inout some FieldCoder<WishGone>) {
    fields.id("wishId", 1, \.wishId, \.wishId)
  }
}
