/// An action of one viewer at one moment, as places in the cast: one event. `left` more of the same follow.
struct AudienceAction {
  enum Kind {
    case gift(giftKind: Int, receiver: Int, count: Int)
    /// A gift as IM systems send combos: `count` is how many so far.
    case streak(giftKind: Int, streak: Int, count: Int)
    case wish(text: Int, style: Int)
    /// A like for the wish that event `wish` was.
    case wishLike(wish: Int)
    case tap(x: Int, y: Int)
    /// Likes that a client gathers: `count` is how many so far.
    case taps(run: Int, count: Int)
    /// A message that stays for a while; `kind`: its place in the cast.
    case pin(kind: Int)
    /// A goal, or a battle of two in the room.
    case goal(isBattle: Bool)
    /// The total that another room's side of a battle has, which event `goal` began.
    case score(goal: Int, total: Int)
    /// Its id is that of the event.
    case rainStart(hasList: Bool)
    /// A grab in the rain that event `rain` began; `beginsMs`: when it rains from.
    case rainGrab(rain: Int, beginsMs: Double, packet: Int)
    /// A moderator takes back the wish that event `wish` was.
    case retractWish(wish: Int)
    /// A moderator takes back what the viewer sent, who is muted for a while.
    case retractUser
    /// It fills the screen: an entrance, an effect.
    case spot(Int)
    /// The room ends; those who stay are silent for a while.
    case roomEnd
    /// One of many who send at once: everybody a gift of their own.
    case flood
  }

  var kind: Kind
  var room: Int
  var viewer: Int
  var left = 0
  /// About how many ms lie between this one and the next.
  var rhythmMs = 0.0
  /// The event's number; nothing until it is sent for the first time.
  var number: Int?
}
