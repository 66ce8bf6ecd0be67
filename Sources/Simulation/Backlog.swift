package import RoomModel

/// The backlog that benchmarks work off: gifts of count 1, about 200 bytes each as JSON, in 200 rooms, from 5,000
/// users, 20 kinds of gift, drawn with weights 1/rank^0.9, 1/rank^0.8 and 1/rank^0.9; 60 % of them repeat one of the
/// last 64 of all, which makes combos.
///
/// The texts of its events are good until `forget()`, which whoever takes many of them calls now and then.
package struct Backlog: ~Copyable {
  package static var rooms: Int { 200 }
  package static var users: Int { 5000 }
  package static var gifts: Int { 20 }
  /// The time of the first.
  package static var startMs: LogTime { 1_700_000_000_000 }

  /// The pace of log time while the backlog arrives.
  package enum Pace: String, CaseIterable, Sendable {
    /// All of it at once: seconds, in which most of it is aggregated.
    case flood
    /// Spread over 10,000 s.
    case evening

    package var spanMs: Milliseconds {
      switch self {
      case .flood: 3000
      case .evening: 10_000_000
      }
    }
  }

  private struct Choice {
    var room = 0
    var user = 0
    var gift = 0
  }

  package let count: Int
  package let pace: Pace
  package private(set) var made = 0
  private let startMs: LogTime
  private var generator: SeededGenerator
  private let room = WeightedChoice(count: rooms, exponent: 0.9)
  private let user = WeightedChoice(count: users, exponent: 0.8)
  private let gift = WeightedChoice(count: gifts, exponent: 0.9)
  private var last = InlineArray<64, Choice>(repeating: Choice())
  private var names = TextArena()
  private var eventIds = TextArena()
  private var roomIds: [Text] = []
  private var senders: [Sender] = []
  private var giftIds: [Text] = []
  private var giftNames: [Text] = []

  package init(count: Int = 2_000_000, pace: Pace, seed: UInt64 = 1, startMs: LogTime = Self.startMs) {
    self.count = count
    self.pace = pace
    self.startMs = startMs
    generator = SeededGenerator(seed: seed)
    for room in 0..<Self.rooms { roomIds.append(names.keep("room-\(room)")) }
    for user in 0..<Self.users {
      let id = 100_000 + user
      senders.append(
        Sender(
          userId: names.keep("\(id)"), name: names.keep("观众 \(id)"),
          avatarUrl: names.keep("https://i.example/\(id).png")))
    }
    for gift in 0..<Self.gifts {
      giftIds.append(names.keep("gift-\(gift)"))
      giftNames.append(names.keep("礼物 \(gift)"))
    }
  }

  /// The next gift and its time, or nothing when all were made.
  package mutating func next() -> (atMs: LogTime, event: RoomEvent)? {
    guard made < count else { return nil }
    let choice = choose()
    last[made % 64] = choice
    let atMs = startMs + pace.spanMs * Int64(made) / Int64(count)
    made += 1
    return (
      atMs,
      RoomEvent(
        eventId: eventIds.keep(Text("e"), 100_000_000 + made), roomId: roomIds[choice.room],
        body: .gift(
          eventIds.lend(
            Gift(
              sender: senders[choice.user], giftId: giftIds[choice.gift], giftName: giftNames[choice.gift], count: 1,
              value: Int64(choice.gift * choice.gift + 1)))))
    )
  }

  /// The events so far are no longer needed.
  package mutating func forget() { eventIds.removeAll() }

  private mutating func choose() -> Choice {
    if made >= 64, generator.chance(0.6) { return last[generator.below(64)] }
    return Choice(room: room.draw(&generator), user: user.draw(&generator), gift: gift.draw(&generator))
  }
}
