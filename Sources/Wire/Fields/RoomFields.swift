import RoomModel
import RoomScreen

extension Retracted: CommandBody {
  static var name: StaticString { "retracted" }
  static var number: UInt32 { 26 }
  static var blankShown: Command.Retracted { Command.Retracted() }

  static func list(_ fields: inout some FieldCoder<Retracted>) {
    fields.id("wishId", 1, \.wishId, \.wishId)
    fields.id("comboId", 2, \.comboId, \.comboId)
    fields.id("spotId", 3, \.spotId, \.spotId)
    fields.id("pinId", 4, \.pinId, \.pinId)
    fields.id("goalId", 5, \.goalId, \.goalId)
    fields.id("userId", 6, \.userId, \.userId)
  }
}

extension RoomEnded: CommandBody {
  static var name: StaticString { "roomEnd" }
  static var number: UInt32 { 16 }
  static var blankShown: Command.RoomEnded { Command.RoomEnded() }

  /// It says all by being there.
  static func list(_ fields: inout some FieldCoder<RoomEnded>) {}
}
