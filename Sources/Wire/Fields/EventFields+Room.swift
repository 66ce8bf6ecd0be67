import RoomModel

/// A retract as it is written: with all of its ids.
struct WrittenRetract: EventBody {
  private var wishId = Text.empty
  private var comboId = Text.empty
  private var spotId = Text.empty
  private var pinId = Text.empty
  private var goalId = Text.empty
  private var userId = Text.empty
  private var muteMs: Milliseconds = 0

  init() {}

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

  static var name: StaticString { "retract" }
  static var number: UInt32 { 9 }

  static func list(_ fields: inout some EventFieldCoder<WrittenRetract>) {
    fields.id("wishId", 1, \.wishId, .optionalId)
    fields.id("comboId", 2, \.comboId, .upTo(RoomEvent.comboIdLimit, .optional))
    fields.id("userId", 3, \.userId, .optionalId)
    fields.integer("muteMs", 4, \.muteMs, .within(0...31_536_000_000, .optional))
    fields.id("spotId", 5, \.spotId, .upTo(RoomEvent.comboIdLimit, .optional))
    fields.id("pinId", 6, \.pinId, .optionalId)
    fields.id("goalId", 7, \.goalId, .optionalId)
  }

  /// One of the ids must be there.
  func retract() throws(NotUnderstood) -> Retract {
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

extension RoomSettings: EventBody {
  static var name: StaticString { "roomSettings" }
  static var number: UInt32 { 10 }

  init() { self.init(set: UnsafeBufferPointer(start: nil, count: 0), forMs: 0) }

  static func list(_ fields: inout some EventFieldCoder<RoomSettings>) {
    fields.settings("set", 1, \.set)
    fields.integer("forMs", 2, \.forMs, .within(0...1_000_000_000, zero: 86_400_000))
  }
}

/// A room's end as it is written. It says all by being there.
struct RoomEnding: EventBody {
  static var name: StaticString { "roomEnd" }
  static var number: UInt32 { 11 }

  static func list(_ fields: inout some EventFieldCoder<RoomEnding>) {}
}
