import RoomModel
import RoomScreen

extension RainCountdown: CommandBody {
  static var name: StaticString { "rainCountdown" }
  static var number: UInt32 { 10 }
  static var blankShown: Command.RainCountdown { Command.RainCountdown() }

  static func list(_ fields: inout some FieldCoder<RainCountdown>) {
    fields.id("rainId", 1, \.rainId, \.rainId)
    fields.integer("left", 2, \.left, \.left)
    fields.integer("startMs", 3, \.startMs, \.startMs)
    fields.integer("durationMs", 4, \.durationMs, \.durationMs)
    fields.text("extra", 5, \.extra, \.extra)
  }
}

extension RainDrop: CommandBody {
  static var name: StaticString { "rainDrop" }
  static var number: UInt32 { 11 }
  static var blankShown: Command.RainDrop { Command.RainDrop() }

  static func list(_ fields: inout some FieldCoder<RainDrop>) {
    fields.id("rainId", 1, \.rainId, \.rainId)
    fields.integer("packet", 2, \.packet, \.packet)
    fields.integer("x", 3, \.x, \.x)
    fields.integer("fallMs", 4, \.fallMs, \.fallMs)
    fields.integer("angle", 5, \.angle, \.angle)
    fields.integer("spin", 6, \.spin, \.spin)
    fields.integer("toX", 7, \.toX, \.toX)
    fields.integer("spinMs", 8, \.spinMs, \.spinMs)
  }
}

extension RainTally: CommandBody {
  static var name: StaticString { "rainTally" }
  static var number: UInt32 { 12 }
  static var blankShown: Command.RainTally { Command.RainTally() }

  static func list(_ fields: inout some FieldCoder<RainTally>) {
    fields.id("rainId", 1, \.rainId, \.rainId)
    fields.integer("opened", 2, \.opened, \.opened)
    fields.integer("winners", 3, \.winners, \.winners)
    fields.integer("coins", 4, \.coins, \.coins)
  }
}

extension RainEnd: CommandBody {
  static var name: StaticString { "rainEnd" }
  static var number: UInt32 { 13 }
  static var blankShown: Command.RainEnd { Command.RainEnd() }

  static func list(_ fields: inout some FieldCoder<RainEnd>) {
    fields.id("rainId", 1, \.rainId, \.rainId)
  }
}
