/// The field numbers of Schemas/flyscreen.proto, as far as they stand in no list (`FieldList`).
enum Fields {
  enum Event: UInt32 {
    case eventId = 1, roomId, gift, wish, wishLike, tap, rainStart, rainGrab, retract, roomSettings, roomEnd
  }
  enum Sender: UInt32 { case userId = 1, name, avatarUrl }
  enum Gift: UInt32 { case sender = 1, receiverId, giftId, giftName, count, value, streakId, holdMs }
  enum Wish: UInt32 { case sender = 1, text, wishId, style }
  enum WishLike: UInt32 { case userId = 1, wishId }
  enum Tap: UInt32 { case userId = 1, x, y }
  enum RainStart: UInt32 {
    case rainId = 1, durationMs, perSecond, countdown, budget, winEvery, prizes
  }
  enum RainGrab: UInt32 { case rainId = 1, packet, userId }
  enum Retract: UInt32 { case wishId = 1, comboId, userId, muteMs }
  enum RoomSettings: UInt32 { case set = 1, forMs }
  enum MapEntry: UInt32 { case key = 1, value }

  /// Beside the body.
  enum Command: UInt32 { case roomId = 1, id, atMs }

  enum Result: UInt32 { case id = 1, roomId, eventId, rainId, packet, userId, outcome, coins }
}
