import RoomModel
import RoomScreen

extension Skipped: CommandBody {
  static var name: StaticString { "skipped" }
  static var number: UInt32 { 14 }
  static var blankShown: Command.Skipped { Command.Skipped() }

  static func list(_ fields: inout some FieldCoder<Skipped>) {
    fields.word("stage", 1, \.stage, \.stage)
    fields.word("reason", 2, \.reason, \.reason)
    fields.integer("items", 3, \.items, \.items)
    fields.integer("units", 4, \.units, \.units)
  }
}

extension Skipped.Stage: SchemaWord {
  var number: Int64 {
    switch self {
    case .gift: 1
    case .wish: 2
    case .spot: 3
    case .pin: 4
    }
  }

  var word: Text {
    switch self {
    case .gift: Text("gift")
    case .wish: Text("wish")
    case .spot: Text("spot")
    case .pin: Text("pin")
    }
  }
}

extension Skipped.Reason: SchemaWord {
  var number: Int64 {
    switch self {
    case .overflow: 1
    case .expired: 2
    case .retracted: 3
    case .ended: 4
    }
  }

  var word: Text {
    switch self {
    case .overflow: Text("overflow")
    case .expired: Text("expired")
    case .retracted: Text("retracted")
    case .ended: Text("ended")
    }
  }
}
