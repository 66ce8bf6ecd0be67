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
          SentField("gift", "GIFT-ID", "giftId", isNeeded: true, "the gift"),
          SentField("gift-name", "NAME", "giftName", "its name on the screen"),
          SentField(
            "count", "N", "count", as: .integer, "the number of gifts; with --streak, of that streak so far [1]"),
          SentField("value", "COINS", "value", as: .integer, "the price of one [0]"),
          SentField("receiver", "USER-ID", "receiverId", "the receiver in the room"),
          SentField("streak", "STREAK-ID", "streakId", "the streak that it belongs to"),
          SentField(
            "hold", "SPAN", "holdMs", as: .span, "the time it stays once it has counted, as 3s [by its worth]"),
          extra,
        ])
    case .wish:
      SentKind(
        kind, "sends a wish, a banner's text",
        sender + [
          SentField("text", "TEXT", "text", isNeeded: true, "its text"),
          SentField("wish", "WISH-ID", "wishId", "its id [the event's]"),
          SentField("style", "STYLE", "style", "its look, by a word that clients know"), extra,
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
          SentField("duration", "SPAN", "durationMs", as: .span, "the time for which packets drop, as 30s [0s]"),
          SentField("per-second", "N", "perSecond", as: .integer, "packets a second [4]"),
          SentField("countdown", "N", "countdown", as: .integer, "seconds before it starts [5]"),
          SentField("budget", "COINS", "budget", as: .integer, "the most that it pays in all [0]"),
          SentField("win-every", "N", "winEvery", as: .integer, "one packet in so many pays [3]"),
          SentField("prizes", "COINS,…", "prizes", as: .integers, "the prizes of packets, in place of --win-every"),
          extra,
        ])
    case .rainGrab:
      SentKind(
        kind, "opens a red packet",
        [
          user, SentField("rain", "RAIN-ID", "rainId", isNeeded: true, "the rain"),
          SentField("packet", "N", "packet", as: .integer, isNeeded: true, "the packet, from 0"),
        ])
    case .spot:
      SentKind(
        kind, "fills the screen: flyscreen send spot --room r1 --user 7 --name 阿花 --kind entrance --duration 3s",
        sender + [
          SentField("kind", "KIND", "kind", isNeeded: true, "its kind, by a word that clients know"),
          SentField("spot", "SPOT-ID", "spotId", "its id [the event's]"),
          SentField("text", "TEXT", "text", "its text"),
          SentField("style", "STYLE", "style", "its look, by a word that clients know"),
          SentField("value", "COINS", "value", as: .integer, "its worth: the dearest comes first [0]"),
          SentField(
            "duration", "SPAN", "durationMs", as: .span, "the time it fills the screen, as 3s [spot.durationMs]"),
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
          SentField("user", "USER-ID", "userId", "the user whose combos, wishes and items it takes back"),
          SentField(
            "mute", "SPAN", "muteMs", as: .span, "the time for which nothing that the user sends is drawn, as 10m [0s]"),
        ])
    case .roomSettings:
      SentKind(
        kind, "gives a room settings of its own: flyscreen send roomSettings --room r1 --gift.lanes 3 --for 2h",
        hasSettings: true, [SentField("for", "SPAN", "forMs", as: .span, "the time for which they hold [1d]")])
    case .roomEnd:
      SentKind(kind, "ends what is on a room's screen and in its queues", [])
    }
  }

  private static let extra = SentField("extra", "TEXT", "extra", "the platform's own, which clients get as it is")
  private static let user = SentField("user", "USER-ID", "userId", isNeeded: true, "the user")
  private static let sender = [
    SentField("user", "USER-ID", "sender.userId", isNeeded: true, "the sender"),
    SentField("name", "NAME", "sender.name", "the sender's name on the screen"),
    SentField("avatar", "URL", "sender.avatarUrl", "the sender's picture"),
  ]
}
