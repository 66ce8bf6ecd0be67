import RoomModel
import RoomScreen

extension LikeBurst: CommandBody {
  static var name: StaticString { "likeBurst" }
  static var number: UInt32 { 9 }
  static var blankShown: Command.LikeBurst { Command.LikeBurst() }

  static func list(_ fields: inout some FieldCoder<LikeBurst>) {
    fields.integer("count", 1, \.count, \.count)
    fields.messages("points", 2, \.points, \.points)
  }
}

extension Point: FieldList {
  static var blankShown: Command.LikeBurst.Point { Command.LikeBurst.Point() }

  static func list(_ fields: inout some FieldCoder<Point>) {
    fields.integer("x", 1, \.x, \.x)
    fields.integer("y", 2, \.y, \.y)
  }
}
