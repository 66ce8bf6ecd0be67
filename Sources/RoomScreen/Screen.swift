/// One room's screen: its commands, folded.
///
/// A client that draws this needs no logic of its own. Commands come in the room's order; the time that passes
/// between them is told by `advance(to:)`, since what flies lands and what leaves is gone without a command.
///
/// A screen that began with a snapshot shows what one shows that has seen every command, but for what is over in a
/// moment: views that were leaving, bursts, numbers that had just popped; and it counts skips from there.
public struct Screen: Sendable, Hashable {
  /// The room.
  public let roomId: ID
  /// The log time that is known to have come.
  public private(set) var nowMs: Int64 = 0
  /// Gift views by lane, from the top; a lane that has none is free.
  public internal(set) var gifts: [GiftView] = []
  /// Banners in the order in which they started.
  public internal(set) var banners: [Banner] = []
  /// Rains by their ids: a late joiner has them in the same order.
  public internal(set) var rains: [Rain] = []
  /// The last of `Screen.burstMs`, the latest last.
  public internal(set) var bursts: [Burst] = []
  /// The item that fills the screen; nil: nothing does.
  public internal(set) var spot: SpotView?
  /// The crowd that the bar shows; nil: it is free.
  public internal(set) var crowd: CrowdView?
  /// Counts of items that were not shown since this screen began, by stage and reason.
  public internal(set) var skips: [SkipCount] = []
  /// The room has ended, and nothing has come since.
  public var isEnded: Bool { roomEnd != nil }

  /// The command by which it ended; nil: something has come since.
  var roomEnd: Command?

  private var applied = AppliedCommands()
  /// The time before which nothing lands, leaves or fades: most commands pass without a look at everything.
  private var nextChangeMs = Int64.max

  /// The time that a burst is kept, and the number of them at most.
  public static let burstMs: Int64 = 2000
  static let burstLimit = 64

  /// A screen with nothing on it, at time 0.
  public init(_ roomId: ID) { self.roomId = roomId }

  /// Draws a command of this room. One that came before, by its id, changes nothing.
  ///
  /// - Returns: whether it is new.
  @discardableResult
  public mutating func apply(_ command: Command) -> Bool {
    guard applied.insert(command.id, atMs: command.atMs) else { return false }
    advance(to: command.atMs)
    draw(command)
    return true
  }

  /// Lets time pass: banners and packets land, and lanes whose view has left are free. Time never goes back.
  public mutating func advance(to nowMs: Int64) {
    guard nowMs > self.nowMs else { return }
    self.nowMs = nowMs
    if nowMs >= nextChangeMs { sweep() }
  }

  /// Shows the snapshot, and nothing from before.
  public mutating func reset(to snapshot: Snapshot) {
    self = Screen(roomId)
    nowMs = snapshot.nowMs
    for command in snapshot.commands {
      _ = applied.insert(command.id, atMs: command.atMs)
      draw(command)
    }
  }

  /// The commands that draw this screen on another, at this moment.
  public var snapshot: Snapshot {
    var screen = self
    var items = ScreenItemCommands(roomId: roomId)
    screen.visitItems(&items)
    let commands = items.commands
    // Sorts by time; of one time as `visitItems` lists them.
    let order = commands.indices.sorted { (commands[$0].atMs, $0) < (commands[$1].atMs, $1) }
    // The end goes last: whatever came after it would undo it.
    return Snapshot(
      roomId: roomId, nowMs: nowMs, commands: order.map { commands[$0] } + (roomEnd.map { [$0] } ?? []))
  }

  // MARK: Commands

  private mutating func draw(_ command: Command) {
    roomEnd = nil
    switch command.body {
    case .giftShow(let show): draw(show, command)
    case .giftBump(let bump): draw(bump, command)
    case .giftHide(let hide): draw(hide, command)
    case .wishFly(let fly): draw(fly, command)
    case .wishLikes(let likes): draw(likes, command)
    case .wishGone(let gone): draw(gone, command)
    case .likeBurst(let burst): draw(burst, command)
    case .rainCountdown(let countdown):
      rains[rain(countdown.rainId)].lastCountdown = .init(command: command.id, atMs: command.atMs, body: countdown)
    case .rainDrop(let drop): draw(drop, command)
    case .rainTally(let tally):
      rains[rain(tally.rainId)].lastTally = .init(command: command.id, atMs: command.atMs, body: tally)
    case .rainEnd(let end): rains.removeAll { $0.id == end.rainId }
    case .spotShow(let show): draw(show, command)
    case .spotGone(let gone): if spot?.id == gone.spotId { spot = nil }
    case .crowdShow(let show): crowd = CrowdView(command: command.id, show: show, toldAtMs: command.atMs)
    case .crowdHide(let hide): if crowd?.id == hide.crowdId { crowd = nil }
    case .skipped(let skipped): draw(skipped, command)
    case .roomEnd: end(with: command)
    case .unknown: break
    }
  }

  // MARK: Time

  /// Something that is drawn is over at `atMs`. False if it is already.
  mutating func ends(at atMs: Int64) -> Bool {
    guard atMs > nowMs else { return false }
    nextChangeMs = min(nextChangeMs, atMs)
    return true
  }

  private mutating func sweep() {
    var nextChangeMs = Int64.max
    removeParts { [nowMs] _, endMs in
      guard let endMs else { return true }
      if endMs <= nowMs { return false }
      nextChangeMs = min(nextChangeMs, endMs)
      return true
    }
    self.nextChangeMs = nextChangeMs
  }

  // MARK: Items

  /// All that is on the screen, kind by kind, in the order of snapshots. Whatever else shows, ends or is told again
  /// follows from this list.
  mutating func visitItems(_ visitor: inout some ScreenItemVisitor) {
    visitor.visit(&gifts)
    visitor.visit(&banners)
    visitor.visit(&rains)
    visitor.visit(&spot)
    visitor.visit(&crowd)
    visitor.visit(&bursts)
  }

  mutating func removeParts(unless stays: (_ command: ID, _ endMs: Int64?) -> Bool) {
    withoutActuallyEscaping(stays) { stays in
      var filter = ScreenItemFilter(stays: stays)
      visitItems(&filter)
    }
  }
}
