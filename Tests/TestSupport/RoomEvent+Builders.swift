package import RoomModel

extension RoomEvent {
  package static func gift(
    _ user: String, _ gift: String = "rose", count: Int64 = 1, value: Int64 = 10, to receiver: String = "",
    streak: String = "", id: String = "", room: String = "r1"
  ) -> RoomEvent {
    RoomEvent(
      eventId: Text(id), roomId: Text(room),
      body: .gift(
        Gift(
          sender: Sender(userId: Text(user), name: Text(user)), receiverId: Text(receiver), giftId: Text(gift),
          giftName: Text(gift), count: count, value: value, streakId: Text(streak))))
  }

  package static func wish(
    _ user: String, _ wishId: String, _ text: String = "hi", id: String = "", room: String = "r1"
  ) -> RoomEvent {
    RoomEvent(
      eventId: Text(id), roomId: Text(room),
      body: .wish(
        Wish(sender: Sender(userId: Text(user), name: Text(user)), text: Text(text), wishId: Text(wishId))))
  }

  package static func like(_ user: String, _ wishId: String, id: String = "", room: String = "r1") -> RoomEvent {
    RoomEvent(
      eventId: Text(id), roomId: Text(room), body: .wishLike(WishLike(userId: Text(user), wishId: Text(wishId))))
  }

  package static func tap(
    _ user: String, x: Int64 = 500, y: Int64 = 500, id: String = "", room: String = "r1"
  ) -> RoomEvent {
    RoomEvent(eventId: Text(id), roomId: Text(room), body: .tap(Tap(userId: Text(user), x: x, y: y)))
  }

  package static func rain(
    _ rainId: String, durationMs: Milliseconds = 2000, perSecond: Int64 = 4, countdown: Int64 = 0, budget: Int64 = 1000,
    winEvery: Int64 = 3, prizes: [Int64] = [], id: String = "", room: String = "r1"
  ) -> RoomEvent {
    // For tests: they are never given back.
    let kept = UnsafeMutableBufferPointer<Int64>.allocate(capacity: prizes.count)
    _ = kept.initialize(from: prizes)
    return RoomEvent(
      eventId: Text(id), roomId: Text(room),
      body: .rainStart(
        RainStart(
          rainId: Text(rainId), durationMs: durationMs, perSecond: perSecond, countdown: countdown, budget: budget,
          winEvery: winEvery, prizes: UnsafeBufferPointer(kept))))
  }

  package static func grab(
    _ user: String, _ rainId: String, _ packet: Int64, id: String = "", room: String = "r1"
  ) -> RoomEvent {
    RoomEvent(
      eventId: Text(id), roomId: Text(room),
      body: .rainGrab(RainGrab(rainId: Text(rainId), packet: packet, userId: Text(user))))
  }
}
