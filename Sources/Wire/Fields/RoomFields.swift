import RoomModel
import RoomScreen

extension RoomEnded: CommandBody {
  static var name: StaticString { "roomEnd" }
  static var number: UInt32 { 16 }
  static var blankShown: Command.RoomEnded { Command.RoomEnded() }

  /// It says all by being there.
  static func list(_ fields: inout some FieldCoder<RoomEnded>) {}
}
