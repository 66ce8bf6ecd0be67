import RoomModel

extension Pin: EventBody {
  static var name: StaticString { "pin" }
  static var number: UInt32 { 14 }

  @inline(__always) init() { self.init(sender: Sender(), pinId: .empty, text: .empty) }

  static func list(_ fields: inout some EventFieldCoder<Pin>) {
    fields.message("sender", 1, \.sender)
    fields.id("pinId", 2, \.pinId, .optionalId)
    fields.text("text", 3, \.text, .upTo(4096, .required, drawn: .lines))
    fields.text("style", 4, \.style, .upTo(256, .optional))
    fields.integer("value", 5, \.value, .within(0...EventRules.valueLimit, .optional))
    fields.integer("first", 6, \.first, .within(0...1, .optional))
    fields.integer("durationMs", 7, \.durationMs, .within(0...EventRules.longestMs, .optional))
    fields.text("extra", 8, \.extra, .extra)
  }

  mutating func complete(eventId: Text) throws(NotUnderstood) {
    if durationMs > 0 { try EventRules.range(durationMs, 1000...EventRules.longestMs, FieldPath("pin", "durationMs")) }
    if !pinId.isEmpty { return }
    if eventId.isEmpty { throw NotUnderstood(.missing, "pin.pinId or eventId must be there, and not be empty") }
    pinId = eventId
  }
}

/// A goal as it is written: with the word that it counts by.
struct WrittenGoal: EventBody {
  private var goal = Goal(goalId: .empty)
  private var by = Text.empty

  init() {}

  init(_ goal: Goal) {
    self.goal = goal
    if goal.by != .value { by = goal.by.word }
  }

  static var name: StaticString { "goal" }
  static var number: UInt32 { 15 }

  static func list(_ fields: inout some EventFieldCoder<WrittenGoal>) {
    fields.id("goalId", 1, \.goal.goalId, .requiredId)
    fields.text("text", 2, \.goal.text, .upTo(1024, .optional, drawn: .text))
    fields.text("by", 3, \.by, .upTo(256, .optional))
    fields.id("giftId", 4, \.goal.giftId, .optionalId)
    fields.id("receiverId", 5, \.goal.receiverId, .optionalId)
    fields.integer("target", 6, \.goal.target, .within(0...1_000_000_000_000_000, .optional))
    fields.ids("sides", 7, \.goal.sides)
    fields.id("home", 8, \.goal.home, .optionalId)
    fields.integer("durationMs", 9, \.goal.durationMs, .within(0...EventRules.longestMs, .optional))
    fields.text("extra", 10, \.goal.extra, .extra)
  }

  /// The goal, if its fields go together.
  func whole() throws(NotUnderstood) -> Goal {
    var goal = goal
    if goal.durationMs > 0 {
      try EventRules.range(goal.durationMs, 1000...EventRules.longestMs, FieldPath("goal", "durationMs"))
    }
    if !by.isEmpty {
      guard let known = Goal.By.allCases.first(where: { $0.word == by }) else {
        throw NotUnderstood(.wrongType, "goal.by: \(by.quoted) is none of value, units, likes, none")
      }
      goal.by = known
    }
    if goal.sides.isEmpty {
      if !goal.home.isEmpty { throw NotUnderstood(.sides, "goal.home: a goal without sides has no home") }
    } else {
      try checkSides(of: goal)
    }
    return goal
  }

  private func checkSides(of goal: Goal) throws(NotUnderstood) {
    let sides = goal.sides
    if sides.count == 1 { throw NotUnderstood(.sides, "goal.sides: one side is none; there must be 2 to 8") }
    for place in sides.indices where sides[..<place].contains(where: { $0 == sides[place] }) {
      throw NotUnderstood(.sides, "goal.sides: \(sides[place].quoted) is there twice")
    }
    if !goal.receiverId.isEmpty { throw NotUnderstood(.sides, "goal.receiverId: a goal with sides has none") }
    if goal.by == .likes { throw NotUnderstood(.sides, "goal.by: likes have no sides") }
    if !goal.home.isEmpty, !sides.contains(where: { $0 == goal.home }) {
      throw NotUnderstood(.sides, "goal.home: \(goal.home.quoted) is none of its sides")
    }
  }
}

extension Score: EventBody {
  static var name: StaticString { "score" }
  static var number: UInt32 { 16 }

  @inline(__always) init() { self.init(goalId: .empty, total: 0) }

  static func list(_ fields: inout some EventFieldCoder<Score>) {
    fields.id("goalId", 1, \.goalId, .requiredId)
    fields.id("side", 2, \.side, .optionalId)
    fields.integer("total", 3, \.total, .within(0...Goal.most))
  }
}
