package import RoomModel

extension RoomEvent {
  package static func gift(
    _ user: String, _ gift: String = "rose", count: Int64 = 1, value: Int64 = 10, to receiver: String = "",
    receiverName: String = "", streak: String = "", apart: Bool = false, hold: Milliseconds = 0, extra: String = "",
    id: String = "", room: String = "r1"
  ) -> RoomEvent {
    RoomEvent(
      eventId: Text(id), roomId: Text(room),
      body: .gift(
        Lent(
          forever: Gift(
            sender: Sender(userId: Text(user), name: Text(user)), receiverId: Text(receiver),
            receiverName: Text(receiverName), giftId: Text(gift), giftName: Text(gift), count: count, value: value,
            streakId: Text(streak), apart: apart ? 1 : 0, holdMs: hold, extra: Text(extra)))))
  }

  package static func wish(
    _ user: String, _ wishId: String, _ text: String = "hi", id: String = "", room: String = "r1"
  ) -> RoomEvent {
    RoomEvent(
      eventId: Text(id), roomId: Text(room),
      body: .wish(
        Lent(
          forever: Wish(
            sender: Sender(userId: Text(user), name: Text(user)), text: Text(text), wishId: Text(wishId)))))
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
        Lent(
          forever: RainStart(
            rainId: Text(rainId), durationMs: durationMs, perSecond: perSecond, countdown: countdown, budget: budget,
            winEvery: winEvery, prizes: UnsafeBufferPointer(kept)))))
  }

  package static func grab(
    _ user: String, _ rainId: String, _ packet: Int64, id: String = "", room: String = "r1"
  ) -> RoomEvent {
    RoomEvent(
      eventId: Text(id), roomId: Text(room),
      body: .rainGrab(RainGrab(rainId: Text(rainId), packet: packet, userId: Text(user))))
  }

  package static func takeBack(user: String, muteMs: Milliseconds = 0, id: String = "", room: String = "r1")
    -> RoomEvent
  {
    RoomEvent(eventId: Text(id), roomId: Text(room), body: .retract(Retract(.user(Text(user), muteMs: muteMs))))
  }

  package static func takeBack(wish: String, id: String = "", room: String = "r1") -> RoomEvent {
    RoomEvent(eventId: Text(id), roomId: Text(room), body: .retract(Retract(.wish(Text(wish)))))
  }

  package static func spot(
    _ user: String, _ spotId: String, kind: String = "entrance", value: Int64 = 0, durationMs: Milliseconds = 0,
    extra: String = "", id: String = "", room: String = "r1"
  ) -> RoomEvent {
    RoomEvent(
      eventId: Text(id), roomId: Text(room),
      body: .spot(
        Lent(
          forever: Spot(
            sender: Sender(userId: Text(user), name: Text(user)), kind: Text(kind), spotId: Text(spotId), value: value,
            durationMs: durationMs, extra: Text(extra)))))
  }

  package static func takeBack(spot: String, id: String = "", room: String = "r1") -> RoomEvent {
    RoomEvent(eventId: Text(id), roomId: Text(room), body: .retract(Retract(.spot(Text(spot)))))
  }

  package static func takeBack(combo: String, id: String = "", room: String = "r1") -> RoomEvent {
    RoomEvent(eventId: Text(id), roomId: Text(room), body: .retract(Retract(.combo(Text(combo)))))
  }

  package static func takeBack(pin: String, id: String = "", room: String = "r1") -> RoomEvent {
    RoomEvent(eventId: Text(id), roomId: Text(room), body: .retract(Retract(.pin(Text(pin)))))
  }

  package static func takeBack(goal: String, id: String = "", room: String = "r1") -> RoomEvent {
    RoomEvent(eventId: Text(id), roomId: Text(room), body: .retract(Retract(.goal(Text(goal)))))
  }

  package static func taps(
    _ user: String, _ run: String, _ count: Int64, points: [Point] = [], id: String = "", room: String = "r1"
  ) -> RoomEvent {
    let taps = Taps(userId: Text(user), runId: Text(run), count: count, points: forever(points))
    return RoomEvent(eventId: Text(id), roomId: Text(room), body: .taps(Lent(forever: taps)))
  }

  package static func pin(
    _ user: String, _ pinId: String, _ text: String = "hi", value: Int64 = 0, first: Bool = false,
    durationMs: Milliseconds = 0, id: String = "", room: String = "r1"
  ) -> RoomEvent {
    let pin = Pin(
      sender: Sender(userId: Text(user), name: Text(user)), pinId: Text(pinId), text: Text(text), value: value,
      first: first ? 1 : 0, durationMs: durationMs)
    return RoomEvent(eventId: Text(id), roomId: Text(room), body: .pin(Lent(forever: pin)))
  }

  package static func goal(
    _ goalId: String, _ text: String = "", by: Goal.By = .value, gift: String = "", to receiver: String = "",
    target: Int64 = 0, sides: [String] = [], home: String = "", durationMs: Milliseconds = 0, id: String = "",
    room: String = "r1"
  ) -> RoomEvent {
    let goal = Goal(
      goalId: Text(goalId), text: Text(text), by: by, giftId: Text(gift), receiverId: Text(receiver), target: target,
      sides: forever(sides.map { Text($0) }), home: Text(home), durationMs: durationMs)
    return RoomEvent(eventId: Text(id), roomId: Text(room), body: .goal(Lent(forever: goal)))
  }

  package static func score(
    _ goalId: String, _ side: String = "", _ total: Int64, id: String = "", room: String = "r1"
  ) -> RoomEvent {
    RoomEvent(
      eventId: Text(id), roomId: Text(room),
      body: .score(Score(goalId: Text(goalId), side: Text(side), total: total)))
  }

  /// For tests: it is never given back.
  private static func forever<Element>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
    let kept = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = kept.initialize(from: elements)
    return UnsafeBufferPointer(kept)
  }

  /// Names and values of settings, as people write them.
  package static func own(
    _ set: [(String, String)], forMs: Milliseconds = 86_400_000, id: String = "", room: String = "r1"
  ) -> RoomEvent {
    let values = set.map { name, text in
      let setting = RoomSetting(Text(name))!
      return setting.value(Text(text)) ?? RoomSetting.Value(setting, .integer(Int64(text)!))
    }
    // For tests: they are never given back.
    let kept = UnsafeMutableBufferPointer<RoomSetting.Value>.allocate(capacity: values.count)
    _ = kept.initialize(from: values)
    return RoomEvent(
      eventId: Text(id), roomId: Text(room),
      body: .roomSettings(RoomSettings(set: UnsafeBufferPointer(kept), forMs: forMs)))
  }

  package static func end(id: String = "", room: String = "r1") -> RoomEvent {
    RoomEvent(eventId: Text(id), roomId: Text(room), body: .roomEnd)
  }
}
