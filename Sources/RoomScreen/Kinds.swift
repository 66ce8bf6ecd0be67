// Kinds of commands are told apart here: the effect of each on a screen, and its place there.

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
