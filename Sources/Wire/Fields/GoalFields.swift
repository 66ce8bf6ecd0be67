import RoomModel
import RoomScreen

extension PinShow: CommandBody {
  static var name: StaticString { "pinShow" }
  static var number: UInt32 { 21 }
  static var blankShown: Command.PinShow { Command.PinShow() }

  static func list(_ fields: inout some FieldCoder<PinShow>) {
    fields.id("pinId", 1, \.pinId, \.pinId)
    fields.message("sender", 2, \.sender, \.sender)
    fields.text("text", 3, \.text, \.text)
    fields.text("style", 4, \.style, \.style)
    fields.integer("value", 5, \.value, \.value)
    fields.integer("first", 6, \.first, \.first)
    fields.integer("startMs", 7, \.startMs, \.startMs)
    fields.integer("endMs", 8, \.endMs, \.endMs)
    fields.text("extra", 9, \.extra, \.extra)
  }
}

extension PinGone: CommandBody {
  static var name: StaticString { "pinGone" }
  static var number: UInt32 { 22 }
  static var blankShown: Command.PinGone { Command.PinGone() }

  static func list(_ fields: inout some FieldCoder<PinGone>) {
    fields.id("pinId", 1, \.pinId, \.pinId)
    fields.word("reason", 2, \.reason, \.reason)
  }
}

extension GoalSide: FieldList {
  static var blankShown: Command.GoalSide { Command.GoalSide() }

  static func list(_ fields: inout some FieldCoder<GoalSide>) {
    fields.id("id", 1, \.id, \.id)
    fields.integer("total", 2, \.total, \.total)
  }
}

extension GoalShow: CommandBody {
  static var name: StaticString { "goalShow" }
  static var number: UInt32 { 23 }
  static var blankShown: Command.GoalShow { Command.GoalShow() }

  static func list(_ fields: inout some FieldCoder<GoalShow>) {
    fields.id("goalId", 1, \.goalId, \.goalId)
    fields.text("text", 2, \.text, \.text)
    fields.word("by", 3, \.by, \.by)
    fields.id("giftId", 4, \.giftId, \.giftId)
    fields.id("receiverId", 5, \.receiverId, \.receiverId)
    fields.integer("target", 6, \.target, \.target)
    fields.integer("progress", 7, \.progress, \.progress)
    fields.integer("reached", 8, \.reached, \.reached)
    fields.messages("sides", 9, \.sides, \.sides)
    fields.integer("startMs", 10, \.startMs, \.startMs)
    fields.integer("endMs", 11, \.endMs, \.endMs)
    fields.text("extra", 12, \.extra, \.extra)
  }
}

extension GoalCount: CommandBody {
  static var name: StaticString { "goalCount" }
  static var number: UInt32 { 24 }
  static var blankShown: Command.GoalCount { Command.GoalCount() }

  static func list(_ fields: inout some FieldCoder<GoalCount>) {
    fields.id("goalId", 1, \.goalId, \.goalId)
    fields.integer("progress", 2, \.progress, \.progress)
    fields.integer("reached", 3, \.reached, \.reached)
    fields.messages("sides", 4, \.sides, \.sides)
  }
}

extension GoalEnd: CommandBody {
  static var name: StaticString { "goalEnd" }
  static var number: UInt32 { 25 }
  static var blankShown: Command.GoalEnd { Command.GoalEnd() }

  static func list(_ fields: inout some FieldCoder<GoalEnd>) {
    fields.id("goalId", 1, \.goalId, \.goalId)
    fields.integer("progress", 2, \.progress, \.progress)
    fields.integer("reached", 3, \.reached, \.reached)
    fields.messages("sides", 4, \.sides, \.sides)
    fields.word("reason", 5, \.reason, \.reason)
  }
}

extension Goal.By: SchemaWord {
  var number: Int64 {
    switch self {
    case .value: 1
    case .units: 2
    case .likes: 3
    case .none: 4
    }
  }

  var word: Text {
    switch self {
    case .value: Text("value")
    case .units: Text("units")
    case .likes: Text("likes")
    case .none: Text("none")
    }
  }
}

extension PinGone.Reason: SchemaWord {
  var number: Int64 {
    switch self {
    case .limit: 1
    case .retracted: 2
    case .ended: 3
    }
  }

  var word: Text {
    switch self {
    case .limit: Text("limit")
    case .retracted: Text("retracted")
    case .ended: Text("ended")
    }
  }
}

extension GoalEnd.Reason: SchemaWord {
  var number: Int64 {
    switch self {
    case .over: 1
    case .retracted: 2
    case .ended: 3
    }
  }

  var word: Text {
    switch self {
    case .over: Text("over")
    case .retracted: Text("retracted")
    case .ended: Text("ended")
    }
  }
}
