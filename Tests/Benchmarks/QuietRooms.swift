import RoomModel

/// Rooms in which little happened, and that some time ago: what most of them are. Four users each gave a gift as part of
/// a streak, which is remembered for `gift.streakMs`; all else is over soon.
struct QuietRooms: ~Copyable {
  static let giftsEach = 4
  /// The log time from one room's gifts to those of the next: so few of them have something on the screen at a time.
  static let everyMs: LogTime = 2

  let count: Int
  private let startMs: LogTime
  private var made = 0
  private var texts = TextArena()

  init(count: Int, startMs: LogTime) {
    self.count = count
    self.startMs = startMs
  }

  /// The next gift and its time, or nothing when all were made. Its texts are good until the next room begins.
  mutating func next() -> (atMs: LogTime, event: RoomEvent)? {
    let (room, user) = made.quotientAndRemainder(dividingBy: Self.giftsEach)
    guard room < count else { return nil }
    if user == 0 { texts.removeAll() }
    made += 1
    return (
      startMs + LogTime(room) * Self.everyMs,
      RoomEvent(
        eventId: texts.keep(Text("q"), 100_000_000 + made), roomId: texts.keep(Text("quiet-room-"), room),
        body: .gift(gift(of: 1_000_000 + made)))
    )
  }

  /// The gift of another room, at another time: it makes the time of its partition pass.
  mutating func last(_ number: Int) -> RoomEvent {
    texts.removeAll()
    return RoomEvent(
      eventId: texts.keep(Text("last-"), number), roomId: texts.keep(Text("last-room-"), number),
      body: .gift(gift(of: number)))
  }

  private mutating func gift(of user: Int) -> Lent<Gift> {
    let sender = Sender(
      userId: texts.keep(Text(""), user), name: texts.keep(Text("观众 "), user), avatarUrl: .empty)
    let gift = Gift(
      sender: sender, giftId: Text("gift-7"), giftName: Text("礼物 7"), count: 1, value: 50,
      streakId: texts.keep(Text("streak-"), user))
    return texts.lend(gift)
  }
}
