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
}
