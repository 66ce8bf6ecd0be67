import RoomModel

// Rules of events that the words of the schema can't tell.

extension Gift {
  @inline(__always) mutating func complete(eventId: Text) throws(NotUnderstood) {
    var path: FieldPath { FieldPath("gift", "count") }
    if streakId.isEmpty {
      try EventRules.range(count, 0...1_000_000, path)
      if count == 0 { count = 1 }
    } else {
      try EventRules.range(count, 0...1_000_000_000, path)
      if count == 0 {
        throw NotUnderstood(.streakWithoutCount, "\(path): with a streakId it says how many so far, 1 or more")
      }
    }
  }
}

extension Wish {
  @inline(__always) mutating func complete(eventId: Text) throws(NotUnderstood) {
    if !wishId.isEmpty { return }
    if eventId.isEmpty { throw NotUnderstood(.missing, "wish.wishId or eventId must be there, and not be empty") }
    wishId = eventId
  }
}

extension Spot {
  @inline(__always) mutating func complete(eventId: Text) throws(NotUnderstood) {
    if durationMs > 0 { try EventRules.range(durationMs, 100...60_000, FieldPath("spot", "durationMs")) }
    if !spotId.isEmpty { return }
    if eventId.isEmpty { throw NotUnderstood(.missing, "spot.spotId or eventId must be there, and not be empty") }
    spotId = eventId
  }
}

extension Pin {
  mutating func complete(eventId: Text) throws(NotUnderstood) {
    if durationMs > 0 { try EventRules.range(durationMs, 1000...EventRules.longestMs, FieldPath("pin", "durationMs")) }
    if !pinId.isEmpty { return }
    if eventId.isEmpty { throw NotUnderstood(.missing, "pin.pinId or eventId must be there, and not be empty") }
    pinId = eventId
  }
}

extension WrittenGoal {
  init(_ goal: Goal) {
    self.init(
      goalId: goal.goalId, text: goal.text, by: goal.by == .value ? .empty : goal.by.word, giftId: goal.giftId,
      receiverId: goal.receiverId, target: goal.target, sides: goal.sides, home: goal.home,
      durationMs: goal.durationMs, extra: goal.extra)
  }

  /// The goal, if its fields go together.
  func checked() throws(NotUnderstood) -> Goal {
    if durationMs > 0 {
      try EventRules.range(durationMs, 1000...EventRules.longestMs, FieldPath("goal", "durationMs"))
    }
    guard let known = by.isEmpty ? .value : Goal.By.allCases.first(where: { $0.word == by }) else {
      throw NotUnderstood(.wrongType, "goal.by: \(by.quoted) is none of value, units, likes, none")
    }
    if sides.isEmpty {
      if !home.isEmpty { throw NotUnderstood(.sides, "goal.home: a goal without sides has no home") }
    } else {
      try checkSides(by: known)
    }
    return Goal(
      goalId: goalId, text: text, by: known, giftId: giftId, receiverId: receiverId, target: target, sides: sides,
      home: home, durationMs: durationMs, extra: extra)
  }

  private func checkSides(by: Goal.By) throws(NotUnderstood) {
    if sides.count == 1 { throw NotUnderstood(.sides, "goal.sides: one side is none; there must be 2 to 8") }
    for place in sides.indices where sides[..<place].contains(where: { $0 == sides[place] }) {
      throw NotUnderstood(.sides, "goal.sides: \(sides[place].quoted) is there twice")
    }
    if !receiverId.isEmpty { throw NotUnderstood(.sides, "goal.receiverId: a goal with sides has none") }
    if by == .likes { throw NotUnderstood(.sides, "goal.by: likes have no sides") }
    if !home.isEmpty, !sides.contains(where: { $0 == home }) {
      throw NotUnderstood(.sides, "goal.home: \(home.quoted) is none of its sides")
    }
  }
}

extension WrittenRetract {
  init(_ retract: Retract) {
    switch retract.what {
    case .wish(let id): wishId = id
    case .combo(let id): comboId = id
    case .spot(let id): spotId = id
    case .pin(let id): pinId = id
    case .goal(let id): goalId = id
    case .user(let id, let muteMs): (userId, self.muteMs) = (id, muteMs)
    }
  }

  /// One of the ids must be there.
  func checked() throws(NotUnderstood) -> Retract {
    if muteMs > 0, userId.isEmpty {
      throw NotUnderstood(.muteWithoutUser, "retract.muteMs: only a user can be muted; userId must be there")
    }
    let ids = [wishId, comboId, spotId, pinId, goalId, userId].filter { !$0.isEmpty }
    if ids.isEmpty {
      throw NotUnderstood(
        .missing, "retract: wishId, comboId, spotId, pinId, goalId or userId must be there, and not be empty")
    }
    if ids.count > 1 {
      throw NotUnderstood(
        .twoIds, "retract takes back one of wishId, comboId, spotId, pinId, goalId and userId, and this has more")
    }
    if !wishId.isEmpty { return Retract(.wish(wishId)) }
    if !comboId.isEmpty { return Retract(.combo(comboId)) }
    if !spotId.isEmpty { return Retract(.spot(spotId)) }
    if !pinId.isEmpty { return Retract(.pin(pinId)) }
    if !goalId.isEmpty { return Retract(.goal(goalId)) }
    return Retract(.user(userId, muteMs: muteMs))
  }
}
