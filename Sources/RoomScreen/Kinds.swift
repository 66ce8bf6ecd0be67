// Kinds of commands are told apart here: the body of each, its JSON, its effect on a screen, and its place there.

extension Command {
  /// The thing to draw, by its kind.
  public enum Body: Sendable, Hashable {
    /// A combo enters its lane, or stands there.
    case giftShow(GiftShow)
    /// Its number pops.
    case giftBump(GiftBump)
    /// It leaves its lane.
    case giftHide(GiftHide)
    /// A banner starts.
    case wishFly(WishFly)
    /// A banner has more likes.
    case wishLikes(WishLikes)
    /// A banner is taken back.
    case wishGone(WishGone)
    /// Hearts rise.
    case likeBurst(LikeBurst)
    /// A rain is about to start.
    case rainCountdown(RainCountdown)
    /// A packet drops.
    case rainDrop(RainDrop)
    /// The sums of a rain so far.
    case rainTally(RainTally)
    /// A rain is over.
    case rainEnd(RainEnd)
    /// Something fills the screen.
    case spotShow(SpotShow)
    /// The item that fills the screen is taken back.
    case spotGone(SpotGone)
    /// The bar shows a crowd.
    case crowdShow(CrowdShow)
    /// The bar is free.
    case crowdHide(CrowdHide)
    /// A pin stands until its end.
    case pinShow(PinShow)
    /// A pin goes before its time.
    case pinGone(PinGone)
    /// A goal runs, as it is now.
    case goalShow(GoalShow)
    /// A goal's progress.
    case goalCount(GoalCount)
    /// A goal is over.
    case goalEnd(GoalEnd)
    /// Something is taken back: lists of what was shown leave it out.
    case retracted(Retracted)
    /// Items were not shown.
    case skipped(Skipped)
    /// The room has ended.
    case roomEnd(RoomEnded)
    /// A kind that a newer server knows. It draws nothing here.
    case unknown(kind: String)
  }
}

extension Command.Body {
  private enum Kind: String, CaseIterable {
    case giftShow, giftBump, giftHide, wishFly, wishLikes, wishGone, likeBurst, rainCountdown, rainDrop, rainTally,
      rainEnd, spotShow, spotGone, crowdShow, crowdHide, pinShow, pinGone, goalShow, goalCount, goalEnd, retracted,
      skipped, roomEnd

    var member: Command.Member { Command.Member(stringValue: rawValue) }
  }

  init(_ members: KeyedDecodingContainer<Command.Member>) throws {
    func body<Value: Decodable>(_ kind: Kind) throws -> Value {
      try members.decode(Value.self, forKey: kind.member)
    }
    guard let kind = Kind.allCases.first(where: { members.contains($0.member) }) else {
      let others = members.allKeys.map(\.stringValue).filter { !["roomId", "id", "atMs"].contains($0) }
      self = .unknown(kind: others.min() ?? "")
      return
    }
    self =
      switch kind {
      case .giftShow: .giftShow(try body(kind))
      case .giftBump: .giftBump(try body(kind))
      case .giftHide: .giftHide(try body(kind))
      case .wishFly: .wishFly(try body(kind))
      case .wishLikes: .wishLikes(try body(kind))
      case .wishGone: .wishGone(try body(kind))
      case .likeBurst: .likeBurst(try body(kind))
      case .rainCountdown: .rainCountdown(try body(kind))
      case .rainDrop: .rainDrop(try body(kind))
      case .rainTally: .rainTally(try body(kind))
      case .rainEnd: .rainEnd(try body(kind))
      case .spotShow: .spotShow(try body(kind))
      case .spotGone: .spotGone(try body(kind))
      case .crowdShow: .crowdShow(try body(kind))
      case .crowdHide: .crowdHide(try body(kind))
      case .pinShow: .pinShow(try body(kind))
      case .pinGone: .pinGone(try body(kind))
      case .goalShow: .goalShow(try body(kind))
      case .goalCount: .goalCount(try body(kind))
      case .goalEnd: .goalEnd(try body(kind))
      case .retracted: .retracted(try body(kind))
      case .skipped: .skipped(try body(kind))
      case .roomEnd: .roomEnd(try body(kind))
      }
  }

  func encode(to members: inout KeyedEncodingContainer<Command.Member>) throws {
    switch self {
    case .giftShow(let body): try members.encode(body, forKey: Kind.giftShow.member)
    case .giftBump(let body): try members.encode(body, forKey: Kind.giftBump.member)
    case .giftHide(let body): try members.encode(body, forKey: Kind.giftHide.member)
    case .wishFly(let body): try members.encode(body, forKey: Kind.wishFly.member)
    case .wishLikes(let body): try members.encode(body, forKey: Kind.wishLikes.member)
    case .wishGone(let body): try members.encode(body, forKey: Kind.wishGone.member)
    case .likeBurst(let body): try members.encode(body, forKey: Kind.likeBurst.member)
    case .rainCountdown(let body): try members.encode(body, forKey: Kind.rainCountdown.member)
    case .rainDrop(let body): try members.encode(body, forKey: Kind.rainDrop.member)
    case .rainTally(let body): try members.encode(body, forKey: Kind.rainTally.member)
    case .rainEnd(let body): try members.encode(body, forKey: Kind.rainEnd.member)
    case .spotShow(let body): try members.encode(body, forKey: Kind.spotShow.member)
    case .spotGone(let body): try members.encode(body, forKey: Kind.spotGone.member)
    case .crowdShow(let body): try members.encode(body, forKey: Kind.crowdShow.member)
    case .crowdHide(let body): try members.encode(body, forKey: Kind.crowdHide.member)
    case .pinShow(let body): try members.encode(body, forKey: Kind.pinShow.member)
    case .pinGone(let body): try members.encode(body, forKey: Kind.pinGone.member)
    case .goalShow(let body): try members.encode(body, forKey: Kind.goalShow.member)
    case .goalCount(let body): try members.encode(body, forKey: Kind.goalCount.member)
    case .goalEnd(let body): try members.encode(body, forKey: Kind.goalEnd.member)
    case .retracted(let body): try members.encode(body, forKey: Kind.retracted.member)
    case .skipped(let body): try members.encode(body, forKey: Kind.skipped.member)
    case .roomEnd(let body): try members.encode(body, forKey: Kind.roomEnd.member)
    case .unknown(let kind):
      // Its contents aren't known; that it was there is.
      if !kind.isEmpty { try members.encode([String: String](), forKey: Command.Member(stringValue: kind)) }
    }
  }
}

extension Screen {
  mutating func draw(_ command: Command) {
    roomEnd = nil
    tells(at: command.atMs)
    switch command.body {
    case .giftShow(let show): draw(show, command)
    case .giftBump(let bump): draw(bump, command)
    case .giftHide(let hide): draw(hide, command)
    case .wishFly(let fly): draw(fly, command)
    case .wishLikes(let likes): draw(likes, command)
    case .wishGone(let gone): draw(gone, command)
    case .likeBurst(let burst): draw(burst, command)
    case .rainCountdown(let countdown):
      items.rains[rain(countdown.rainId, toldMs: command.atMs)].lastCountdown = .init(
        command: command.id, atMs: command.atMs, body: countdown)
    case .rainDrop(let drop): draw(drop, command)
    case .rainTally(let tally):
      items.rains[rain(tally.rainId, toldMs: command.atMs)].lastTally = .init(
        command: command.id, atMs: command.atMs, body: tally)
    case .rainEnd(let end): items.rains.removeAll { $0.id == end.rainId }
    case .spotShow(let show): draw(show, command)
    case .spotGone(let gone): if items.spot?.id == gone.spotId { items.spot = nil }
    case .crowdShow(let show): items.crowd = CrowdView(command: command.id, show: show, toldAtMs: command.atMs)
    case .crowdHide(let hide): if items.crowd?.id == hide.crowdId { items.crowd = nil }
    case .pinShow(let show): draw(show, command)
    case .pinGone(let gone): items.pins.removeAll { $0.id == gone.pinId }
    case .goalShow(let show): draw(show, command)
    case .goalCount(let count): draw(count, command)
    case .goalEnd(let end): items.goals.removeAll { $0.id == end.goalId }
    // Others tell what leaves the screen. Lists of what was shown are the room's past.
    case .retracted: break
    case .skipped(let skipped): draw(skipped, command)
    case .roomEnd: end(with: command)
    case .unknown: break
    }
  }
}

extension Screen {
  /// Gift views by lane, from the top; a lane that has none is free.
  public var gifts: [GiftView] { items.gifts }
  /// Banners in the order in which they started.
  public var banners: [Banner] { items.banners }
  /// Rains by their ids: a late joiner has them in the same order.
  public var rains: [Rain] { items.rains }
  /// The last of `Screen.burstMs`, the latest last.
  public var bursts: [Burst] { items.bursts }
  /// The item that fills the screen; nil: nothing does.
  public var spot: SpotView? { items.spot }
  /// The crowd that the bar shows; nil: it is free.
  public var crowd: CrowdView? { items.crowd }
  /// Pins, in the order in which they began.
  public var pins: [PinView] { items.pins }
  /// Goals, in the order in which they began.
  public var goals: [GoalView] { items.goals }
}

/// All that is on a screen, kind by kind.
struct ScreenItems: Sendable, Hashable {
  var gifts: [GiftView] = []
  var banners: [Banner] = []
  var rains: [Rain] = []
  var bursts: [Burst] = []
  var spot: SpotView?
  var crowd: CrowdView?
  var pins: [PinView] = []
  var goals: [GoalView] = []

  /// In the order of snapshots. Whatever else shows, ends or is told again follows from this list.
  mutating func visit(_ visitor: inout some ScreenItemVisitor) {
    visitor.visit(&gifts)
    visitor.visit(&banners)
    visitor.visit(&rains)
    visitor.visit(&spot)
    visitor.visit(&crowd)
    visitor.visit(&pins)
    visitor.visit(&goals)
    visitor.visit(&bursts)
  }
}
