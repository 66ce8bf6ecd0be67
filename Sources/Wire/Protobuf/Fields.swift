/// The field numbers of Schemas/flyscreen.proto, as far as messages are read or written here.
enum Fields {
  enum Event: UInt32 {
    case eventId = 1, roomId, gift, wish, wishLike, tap, rainStart, rainGrab
  }
  enum Sender: UInt32 { case userId = 1, name, avatarUrl }
  enum Gift: UInt32 { case sender = 1, receiverId, giftId, giftName, count, value, streakId }
  enum Wish: UInt32 { case sender = 1, text, wishId, style }
  enum WishLike: UInt32 { case userId = 1, wishId }
  enum Tap: UInt32 { case userId = 1, x, y }
  enum RainStart: UInt32 {
    case rainId = 1, durationMs, perSecond, countdown, budget, winEvery, prizes
  }
  enum RainGrab: UInt32 { case rainId = 1, packet, userId }

  enum Command: UInt32 {
    case roomId = 1, id, atMs, giftShow, giftBump, giftHide, wishFly, wishLikes, likeBurst
    case rainCountdown, rainDrop, rainTally, rainEnd, skipped
  }
  enum GiftShow: UInt32 {
    case comboId = 1, lane, sender, receiverId, giftId, giftName, value, from, total, enterMs
  }
  enum GiftBump: UInt32 { case comboId = 1, lane, count, tickMs }
  enum GiftHide: UInt32 { case comboId = 1, lane, count, exitMs }
  enum WishFly: UInt32 { case wishId = 1, track, sender, text, style, width, durationMs, likes }
  enum WishLikes: UInt32 { case wishId = 1, likes }
  enum LikeBurst: UInt32 { case count = 1, points }
  enum Point: UInt32 { case x = 1, y }
  enum RainCountdown: UInt32 { case rainId = 1, left, startMs, durationMs }
  enum RainDrop: UInt32 { case rainId = 1, packet, x, fallMs, angle, spin }
  enum RainTally: UInt32 { case rainId = 1, opened, winners, coins }
  enum RainEnd: UInt32 { case rainId = 1 }
  enum Skipped: UInt32 { case stage = 1, reason, items, units }

  enum Result: UInt32 { case id = 1, roomId, eventId, rainId, packet, userId, outcome, coins }
}
