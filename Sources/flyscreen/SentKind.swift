import RoomModel

/// A kind of event, as `flyscreen send KIND` makes it from flags.
struct SentKind {
  let kind: EventKind
  let summary: String
  let fields: [SentField]
  /// Whether flags of settings are the event's own `set`.
  let hasSettings: Bool

  private init(_ kind: EventKind, _ summary: String, hasSettings: Bool = false, _ fields: [SentField]) {
    self.kind = kind
    self.summary = summary
    self.hasSettings = hasSettings
    self.fields = fields
  }

  static let all = EventKind.allCases.map(of)

  private static func of(_ kind: EventKind) -> SentKind {
    switch kind {
    case .gift:
      SentKind(
        kind, "sends a gift: flyscreen send gift --room r1 --user 7 --name 阿花 --gift rose --value 10",
        sender + [
          SentField("gift", "GIFT-ID", "giftId", isNeeded: true, "which gift"),
          SentField("gift-name", "NAME", "giftName", "what it is called on the screen"),
          SentField("count", "N", "count", as: .integer, "how many; with --streak, how many of that streak so far [1]"),
          SentField("value", "COINS", "value", as: .integer, "the price of one [0]"),
          SentField("receiver", "USER-ID", "receiverId", "whom in the room it is for"),
          SentField("streak", "STREAK-ID", "streakId", "the streak that it belongs to"),
          SentField(
            "hold", "SPAN", "holdMs", as: .span, "how long it stays once it has counted, as 3s [as its worth says]"),
          extra,
        ])
    case .wish:
      SentKind(
        kind, "sends a wish, a banner's text",
        sender + [
          SentField("text", "TEXT", "text", isNeeded: true, "what it says"),
          SentField("wish", "WISH-ID", "wishId", "its id [the event's]"),
          SentField("style", "STYLE", "style", "how clients draw it"), extra,
        ])
    case .wishLike:
      SentKind(
        kind, "likes a wish",
        [user, SentField("wish", "WISH-ID", "wishId", isNeeded: true, "the wish")])
    case .tap:
      SentKind(
        kind, "taps on the stage: two in a short time are a like",
        [
          user, SentField("x", "N", "x", as: .integer, "thousandths of the stage's width [0]"),
          SentField("y", "N", "y", as: .integer, "thousandths of its height [0]"),
        ])
    case .rainStart:
      SentKind(
        kind, "starts a rain of red packets",
        [
          SentField("rain", "RAIN-ID", "rainId", isNeeded: true, "its id, a new one"),
          SentField("duration", "SPAN", "durationMs", as: .span, "how long packets drop, as 30s [0s]"),
          SentField("per-second", "N", "perSecond", as: .integer, "packets a second [4]"),
          SentField("countdown", "N", "countdown", as: .integer, "seconds before it starts [5]"),
          SentField("budget", "COINS", "budget", as: .integer, "all that it may pay [0]"),
          SentField("win-every", "N", "winEvery", as: .integer, "every so many packets pay [3]"),
          SentField("prizes", "COINS,…", "prizes", as: .integers, "what each packet pays, in place of --win-every"),
          extra,
        ])
    case .rainGrab:
      SentKind(
        kind, "opens a red packet",
        [
          user, SentField("rain", "RAIN-ID", "rainId", isNeeded: true, "the rain"),
          SentField("packet", "N", "packet", as: .integer, isNeeded: true, "which packet, from 0"),
        ])
    case .spot:
      SentKind(
        kind, "fills the screen: flyscreen send spot --room r1 --user 7 --name 阿花 --kind entrance --duration 3s",
        sender + [
          SentField("kind", "KIND", "kind", isNeeded: true, "what it is, as clients know it"),
          SentField("spot", "SPOT-ID", "spotId", "its id [the event's]"),
          SentField("text", "TEXT", "text", "what it says"),
          SentField("style", "STYLE", "style", "how clients draw it"),
          SentField("value", "COINS", "value", as: .integer, "by which it comes before others [0]"),
          SentField(
            "duration", "SPAN", "durationMs", as: .span, "how long it fills the screen, as 3s [spot.durationMs]"),
          extra,
        ])
    case .retract:
      SentKind(
        kind,
        "takes back a wish, a combo, an item of the spot, or all that a user sent: flyscreen send retract --room r1 --user 7 --mute 10m",
        [
          SentField("wish", "WISH-ID", "wishId", "the wish"),
          SentField("combo", "COMBO-ID", "comboId", "the combo, as its giftShow names it"),
          SentField("spot", "SPOT-ID", "spotId", "the item of the spot, as its spotShow names it"),
          SentField("user", "USER-ID", "userId", "whose combos, wishes and items"),
          SentField(
            "mute", "SPAN", "muteMs", as: .span, "nor is anything drawn that the user sends for so long, as 10m [0s]"),
        ])
    case .roomSettings:
      SentKind(
        kind, "gives a room settings of its own: flyscreen send roomSettings --room r1 --gift.lanes 3 --for 2h",
        hasSettings: true, [SentField("for", "SPAN", "forMs", as: .span, "how long they hold [1d]")])
    case .roomEnd:
      SentKind(kind, "ends what is on a room's screen and in its queues", [])
    }
  }

  private static let extra = SentField("extra", "TEXT", "extra", "the platform's own, which clients get as it is")
  private static let user = SentField("user", "USER-ID", "userId", isNeeded: true, "who")
  private static let sender = [
    SentField("user", "USER-ID", "sender.userId", isNeeded: true, "who sends it"),
    SentField("name", "NAME", "sender.name", "what they are called on the screen"),
    SentField("avatar", "URL", "sender.avatarUrl", "their picture"),
  ]
}
