// Every kind of event and of command, and the traits of each. Their values stand in files of their own.

/// The kinds of events, by their names in the schema and in settings.
public enum EventKind: String, CaseIterable, Sendable {
  case gift, wish, wishLike, tap, taps, rainStart, rainGrab, spot, pin, goal, score, retract, roomSettings, roomEnd

  /// The rules that hold for every event of a kind, where no setting says otherwise.
  public struct Traits: Sendable {
    public let user: User
    public let destination: Destination
    /// Events that one client may send to one room in a second. Nil: only all kinds together are limited.
    public let perSecond: Int?

    init(_ user: User, to destination: Destination, perSecond: Int? = nil) {
      self.user = user
      self.destination = destination
      self.perSecond = perSecond
    }
  }

  /// The place where an event says who does it.
  public enum User: Sendable {
    /// Its `sender`.
    case sender
    /// Its own `userId`.
    case own
    /// None: a platform does it.
    case none
  }

  /// The input topics that events made here are sent to.
  public enum Destination: Sendable {
    case gifts
    case wishes
    /// Each of them: the event concerns all that a room has.
    case all
  }

  public var traits: Traits {
    switch self {
    case .gift: Traits(.sender, to: .gifts, perSecond: 10)
    case .wish: Traits(.sender, to: .wishes, perSecond: 1)
    case .wishLike: Traits(.own, to: .wishes, perSecond: 5)
    case .tap: Traits(.own, to: .gifts, perSecond: 10)
    case .taps: Traits(.own, to: .gifts, perSecond: 1)
    case .rainStart: Traits(.none, to: .gifts)
    case .rainGrab: Traits(.own, to: .gifts, perSecond: 5)
    case .spot: Traits(.sender, to: .gifts, perSecond: 1)
    case .pin: Traits(.sender, to: .gifts, perSecond: 1)
    case .goal: Traits(.none, to: .gifts)
    case .score: Traits(.none, to: .gifts)
    case .retract: Traits(.none, to: .all)
    case .roomSettings: Traits(.none, to: .all)
    case .roomEnd: Traits(.none, to: .all)
    }
  }

  /// It says who does it.
  public var hasUser: Bool {
    switch traits.user {
    case .sender, .own: true
    case .none: false
    }
  }
}

extension RoomEvent {
  public enum Body {
    case gift(Lent<Gift>)
    case wish(Lent<Wish>)
    case wishLike(WishLike)
    case tap(Tap)
    case taps(Lent<Taps>)
    case rainStart(Lent<RainStart>)
    case rainGrab(RainGrab)
    case spot(Lent<Spot>)
    case pin(Lent<Pin>)
    case goal(Lent<Goal>)
    case score(Score)
    case retract(Retract)
    case roomSettings(RoomSettings)
    case roomEnd
  }
}

extension RoomEvent.Body {
  @inlinable @inline(__always) public var kind: EventKind {
    switch self {
    case .gift: .gift
    case .wish: .wish
    case .wishLike: .wishLike
    case .tap: .tap
    case .taps: .taps
    case .rainStart: .rainStart
    case .rainGrab: .rainGrab
    case .spot: .spot
    case .pin: .pin
    case .goal: .goal
    case .score: .score
    case .retract: .retract
    case .roomSettings: .roomSettings
    case .roomEnd: .roomEnd
    }
  }

  /// The user who did it; nil if it doesn't say.
  @inlinable @inline(__always) public var user: Text? {
    switch self {
    case .gift(let gift): gift.sender.userId
    case .wish(let wish): wish.sender.userId
    case .wishLike(let like): like.userId
    case .tap(let tap): tap.userId
    case .taps(let taps): taps.userId
    case .rainGrab(let grab): grab.userId
    case .spot(let spot): spot.sender.userId
    case .pin(let pin): pin.sender.userId
    case .rainStart, .goal, .score, .retract, .roomSettings, .roomEnd: nil
    }
  }

  /// The name of the user who did it, as it is drawn; nil if such an event doesn't say.
  public var senderName: Text? {
    switch self {
    case .gift(let gift): gift.sender.name
    case .wish(let wish): wish.sender.name
    case .spot(let spot): spot.sender.name
    case .pin(let pin): pin.sender.name
    case .wishLike, .tap, .taps, .rainStart, .rainGrab, .goal, .score, .retract, .roomSettings, .roomEnd: nil
    }
  }
}

extension RoomCommand {
  public enum Body {
    case giftShow(Lent<GiftShow>)
    case giftBump(GiftBump)
    case giftHide(GiftHide)
    case wishFly(Lent<WishFly>)
    case wishLikes(WishLikes)
    case wishGone(WishGone)
    case likeBurst(LikeBurst)
    case rainCountdown(Lent<RainCountdown>)
    case rainDrop(Lent<RainDrop>)
    case rainTally(RainTally)
    case rainEnd(RainEnd)
    case spotShow(Lent<SpotShow>)
    case spotGone(SpotGone)
    case crowdShow(Lent<CrowdShow>)
    case crowdHide(CrowdHide)
    case pinShow(Lent<PinShow>)
    case pinGone(PinGone)
    case goalShow(Lent<GoalShow>)
    case goalCount(Lent<GoalCount>)
    case goalEnd(Lent<GoalEnd>)
    case retracted(Lent<Retracted>)
    case skipped(Skipped)
    /// Nothing of this room's that came from this partition is on the screen any more.
    case roomEnd(RoomEnded)

    /// The kinds, in the order of STAGES.md.
    public enum Kind: UInt8, CaseIterable, Sendable {
      case giftShow, giftBump, giftHide, wishFly, wishLikes, wishGone, likeBurst
      case rainCountdown, rainDrop, rainTally, rainEnd, spotShow, spotGone, crowdShow, crowdHide
      case pinShow, pinGone, goalShow, goalCount, goalEnd, retracted, skipped, roomEnd
    }

    @inlinable @inline(__always) public var kind: Kind {
      switch self {
      case .giftShow: .giftShow
      case .giftBump: .giftBump
      case .giftHide: .giftHide
      case .wishFly: .wishFly
      case .wishLikes: .wishLikes
      case .wishGone: .wishGone
      case .likeBurst: .likeBurst
      case .rainCountdown: .rainCountdown
      case .rainDrop: .rainDrop
      case .rainTally: .rainTally
      case .rainEnd: .rainEnd
      case .spotShow: .spotShow
      case .spotGone: .spotGone
      case .crowdShow: .crowdShow
      case .crowdHide: .crowdHide
      case .pinShow: .pinShow
      case .pinGone: .pinGone
      case .goalShow: .goalShow
      case .goalCount: .goalCount
      case .goalEnd: .goalEnd
      case .retracted: .retracted
      case .skipped: .skipped
      case .roomEnd: .roomEnd
      }
    }
  }
}
