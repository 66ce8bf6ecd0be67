import RoomModel
import Wire

/// A kind of event, as `flyscreen send KIND` makes it from flags. Each field of its list has a flag.
struct SentKind {
  let kind: EventKind
  let summary: String
  let fields: [SentField]
  /// Whether flags of settings are the event's own `set`.
  let hasSettings: Bool

  static let all = EventKind.allCases.map(SentKind.init)

  private init(_ kind: EventKind) {
    self.kind = kind
    summary = Self.summaries[kind] ?? "sends an event \(kind.rawValue)"
    hasSettings = kind.fields.contains { $0.value == .settings }
    let fields = kind.fields.filter { $0.value != .settings }.map { field in
      let name = field.path.joined(separator: ".")
      return SentField(field, meaning: Self.meanings["\(kind.rawValue).\(name)"] ?? Self.meanings[name])
    }
    self.fields = fields.filter(\.isNeeded) + fields.filter { !$0.isNeeded }
  }

  // MARK: Words for the help. A kind or a field that has none here is called by its name.

  private static let summaries: [EventKind: String] = [
    .gift: "sends a gift: flyscreen send gift --room r1 --user 7 --name 阿花 --gift rose --value 10",
    .wish: "sends a wish, a banner's text",
    .wishLike: "likes a wish",
    .tap: "taps on the stage: two in a short time are a like",
    .taps: "sends likes that were gathered: flyscreen send taps --room r1 --user 7 --run a --count 12",
    .rainStart: "starts a rain of red packets",
    .rainGrab: "opens a red packet",
    .spot: "fills the screen: flyscreen send spot --room r1 --user 7 --name 阿花 --kind entrance --duration 3s",
    .pin: "pins a message: flyscreen send pin --room r1 --user 7 --name 阿花 --text 'Hi!' --value 500 --duration 5m",
    .goal:
      "starts a goal or a battle: flyscreen send goal --room r1 --goal g1 --text 'Ten roses' --by units --target 10",
    .score: "tells what is counted elsewhere for a goal: flyscreen send score --room r1 --goal g1 --total 500",
    .retract:
      "takes back a wish, a combo, an item of the spot, a pin, a goal, or all that a user sent: flyscreen send retract --room r1 --user 7 --mute 10m",
    .roomSettings: "gives a room settings of its own: flyscreen send roomSettings --room r1 --gift.lanes 3 --for 2h",
    .roomEnd: "ends what is on a room's screen and in its queues",
  ]

  /// The meanings of fields: of one kind, or of all kinds that have a field of that name.
  private static let meanings: [String: String] = [
    "sender.userId": "the sender",
    "sender.name": "the sender's name on the screen",
    "sender.avatarUrl": "the sender's picture",
    "userId": "the user",
    "style": "its look, by a word that clients know",
    "extra": "the platform's own, which clients get as it is",
    "gift.giftId": "the gift",
    "gift.giftName": "its name on the screen",
    "gift.count": "the number of gifts; with --streak, of that streak so far [1]",
    "gift.value": "the price of one, in coins",
    "gift.receiverId": "the receiver in the room",
    "gift.receiverName": "the receiver's name on the screen",
    "gift.apart": "1: a combo of its own, which no other gift joins [0]",
    "gift.streakId": "the streak that it belongs to",
    "gift.holdMs": "the time it stays once it has counted, as 3s [by its worth]",
    "wish.wishId": "its id [the event's]",
    "wishLike.wishId": "the wish",
    "tap.x": "thousandths of the stage's width",
    "tap.y": "thousandths of its height",
    "taps.runId": "the run that they are of",
    "taps.count": "the likes of that run so far",
    "taps.points": "the places of some, as 500:300,510:290",
    "rainStart.rainId": "its id, a new one",
    "rainStart.durationMs": "the time for which packets drop, as 30s",
    "rainStart.perSecond": "packets a second",
    "rainStart.countdown": "seconds before it starts",
    "rainStart.budget": "the coins that it pays in all at most",
    "rainStart.winEvery": "one packet in so many pays",
    "rainStart.prizes": "the prizes of packets in coins, in place of --win-every",
    "rainGrab.rainId": "the rain",
    "rainGrab.packet": "the packet",
    "spot.kind": "its kind, by a word that clients know",
    "spot.spotId": "its id [the event's]",
    "spot.value": "its worth in coins: the dearest comes first [0]",
    "spot.durationMs": "the time it fills the screen, as 3s [spot.durationMs]",
    "pin.pinId": "its id [the event's]",
    "pin.value": "the price that was paid for it [0]",
    "pin.first": "1: it stands before those that were paid for [0]",
    "pin.durationMs": "the time that it stands, as 5m [pin.durationMs]",
    "goal.goalId": "its id; one that runs is changed",
    "goal.text": "its title",
    "goal.by": "the unit that it counts in: value, units, likes or none [value]",
    "goal.giftId": "the only gift that counts [all]",
    "goal.receiverId": "the only receiver whose gifts count [all]",
    "goal.target": "the number at which it is reached [none]",
    "goal.sides": "the sides of a battle, as a,b",
    "goal.home": "the side of gifts that are for no side [none]",
    "goal.durationMs": "the time that it runs [1h]",
    "score.goalId": "the goal",
    "score.side": "its side, if it has sides",
    "score.total": "the sum so far",
    "retract.wishId": "the wish",
    "retract.comboId": "the combo, as its giftShow names it",
    "retract.spotId": "the item of the spot, as its spotShow names it",
    "retract.pinId": "the pin",
    "retract.goalId": "the goal",
    "retract.userId": "the user whose combos, wishes, items and pins it takes back",
    "retract.muteMs": "the time for which nothing that the user sends is drawn, as 10m [0s]",
    "roomSettings.forMs": "the time for which they hold",
  ]
}
