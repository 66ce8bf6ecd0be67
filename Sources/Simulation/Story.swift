package import RoomModel

/// Scenes in one room, one after another: each shows one thing that a screen does.
package struct Story: ~Copyable {
  package struct Scene: Sendable {
    package let atMs: Milliseconds
    /// Tells what to look at.
    package let caption: String
    /// The event whose explanation tells why the screen looks like that.
    package let eventId: String
  }

  package private(set) var scenes: [Scene] = []
  /// In the order of their time, from the story's beginning. The first one comes before that: with the first command, the
  /// story begins.
  package private(set) var events: [Audience.TimedEvent] = []
  package static let endMs: Milliseconds = 64_000

  /// The first room of any audience.
  package var room: Text { cast.rooms[0] }

  private let cast = Cast(rooms: 1)
  private var texts = TextArena()
  private let settings = UnsafeMutableBufferPointer<RoomSetting.Value>.allocate(capacity: 1)
  private let prizes = UnsafeBufferPointer<Int64>(start: nil, count: 0)

  // Viewers of the cast, by their names.
  private static let (hua, brother, ann, bob, mia, jose) = (0, 4, 5, 6, 7, 17)

  package init() {
    // Nobody waits long, so that a crowd is told soon and no gift of one scene is drawn in the next.
    settings.initializeElement(at: 0, to: RoomSetting.Value(.giftMaxWaitMs, .integer(1500)))
    let opening = Spot(
      sender: cast.viewers[Self.brother], kind: Text("entrance"), spotId: Text("opening"), text: Text("is here"),
      durationMs: 2500)
    add("opening", -1, .spot(texts.lend(opening)))
    add("settings", 0, .roomSettings(RoomSettings(set: UnsafeBufferPointer(settings), forMs: Self.endMs)))
    combo(from: 1000)
    crowd(from: 8000)
    pin(from: 18_000)
    goal(from: 23_000)
    battle(from: 30_000)
    rain(from: 43_000)
    retract(from: 57_000)
    events.sort { $0.atMs < $1.atMs }
  }

  deinit { settings.deallocate() }

  private mutating func tell(_ atMs: Milliseconds, _ caption: String, explainedBy eventId: String) {
    scenes.append(Scene(atMs: atMs, caption: caption, eventId: eventId))
  }

  private mutating func add(_ eventId: String, _ atMs: Milliseconds, _ body: RoomEvent.Body) {
    events.append(
      Audience.TimedEvent(atMs: atMs, event: RoomEvent(eventId: texts.keep(eventId), roomId: room, body: body)))
  }

  private mutating func give(
    _ eventId: String, _ atMs: Milliseconds, _ giftId: Text, by viewer: Int, count: Int64 = 1,
    to receiver: Text = .empty
  ) {
    let kind = Cast.giftKinds.first { $0.id == giftId }!
    let gift = Gift(
      sender: cast.viewers[viewer], receiverId: receiver, receiverName: Cast.receiverName(receiver), giftId: giftId,
      giftName: kind.name, count: count, value: kind.value)
    add(eventId, atMs, .gift(texts.lend(gift)))
  }

  // MARK: Scenes

  private mutating func combo(from startMs: Milliseconds) {
    tell(startMs, "A combo: Ann's roses are one view on a lane, which counts up.", explainedBy: "rose-12")
    for number in 1...16 { give("rose-\(number)", startMs + Int64(number) * 280, Text("rose"), by: Self.ann) }
  }

  private mutating func crowd(from startMs: Milliseconds) {
    tell(
      startMs, "A crowd: 40 hearts at once, two lanes. A bar counts the others, and names some.",
      explainedBy: "heart-30")
    for number in 1...40 {
      give("heart-\(number)", startMs + Int64(number) * 30, Text("heart"), by: 12 + number)
    }
  }

  private mutating func pin(from startMs: Milliseconds) {
    tell(startMs, "A paid pin: Mia's message stays above the lanes for as long as she paid for.", explainedBy: "pin")
    let pin = Pin(
      sender: cast.viewers[Self.mia], pinId: Text("mia-1"), text: Text("Greetings from Lisbon 🇵🇹"), value: 500,
      durationMs: 60_000)
    add("pin", startMs + 500, .pin(texts.lend(pin)))
  }

  private mutating func goal(from startMs: Milliseconds) {
    tell(startMs, "A goal: ten coffees. José's fills the bar, and it says so at once.", explainedBy: "coffee-4")
    let goal = Goal(
      goalId: Text("coffees"), text: Text("Ten coffees: an encore"), by: .units, giftId: Text("coffee"), target: 10,
      durationMs: 9000)
    add("goal", startMs + 300, .goal(texts.lend(goal)))
    for (number, (viewer, count)) in [(Self.bob, 2), (Self.mia, 3), (Self.hua, 1), (Self.jose, 4)].enumerated() {
      give(
        "coffee-\(number + 1)", startMs + 1200 + Int64(number) * 1300, Text("coffee"), by: viewer, count: Int64(count))
    }
  }

  private mutating func battle(from startMs: Milliseconds) {
    tell(startMs, "A battle: gifts count for the side that gets them. A rocket turns it.", explainedBy: "blow-6")
    let battle = Goal(
      goalId: Text("battle"), text: Text("PK"), sides: cast.sides, home: cast.sides[0], durationMs: 12_000)
    add("battle", startMs + 300, .goal(texts.lend(battle)))
    let blows: [(giftId: Text, viewer: Int, side: Int)] = [
      (Text("bouquet"), Self.bob, 0), (Text("cake"), Self.jose, 1), (Text("fireworks"), Self.mia, 0),
      (Text("crown"), Self.ann, 1), (Text("car"), Self.hua, 1), (Text("rocket"), Self.brother, 0),
    ]
    for (number, blow) in blows.enumerated() {
      give(
        "blow-\(number + 1)", startMs + 1500 + Int64(number) * 1500, blow.giftId, by: blow.viewer,
        to: cast.sides[blow.side])
    }
  }

  private mutating func rain(from startMs: Milliseconds) {
    tell(
      startMs, "A rain: all see the same packets at the same places. The first to tap has one.",
      explainedBy: "grab-9")
    let rain = RainStart(
      rainId: Text("rain"), durationMs: 7000, perSecond: 4, countdown: 3, budget: 2000, winEvery: 3, prizes: prizes)
    add("rain", startMs + 300, .rainStart(texts.lend(rain)))
    for number in 1...24 {
      let grab = RainGrab(rainId: Text("rain"), packet: Int64(number), userId: cast.viewers[number * 2].userId)
      add("grab-\(number)", startMs + 5000 + Int64(number) * 250, .rainGrab(grab))
    }
  }

  private mutating func retract(from startMs: Milliseconds) {
    tell(startMs, "A retract: a moderator takes back an advertisement while it flies.", explainedBy: "advertisement")
    let wish = Wish(
      sender: cast.viewers[1], text: Text("cheap coins at coins.example, hurry!"), wishId: Text("advertisement"))
    add("advertisement", startMs + 500, .wish(texts.lend(wish)))
    add("retract", startMs + 3500, .retract(Retract(.wish(Text("advertisement")))))
  }
}
