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
  var items = ScreenItems()
  /// Counts of items that were not shown since this screen began, by stage and reason.
  public internal(set) var skips: [SkipCount] = []
  /// An item that only a command ends is over when no command has told of it for so long; 0: no such span is known.
  public private(set) var staleAfterMs: Int64 = 0
  /// The log stands still: an item was over for want of a command, or none told of pins and goals in time; and no command
  /// has come since.
  public internal(set) var isStalled = false
  /// It grows with each item that was over so, and each time that the screen is stalled.
  package private(set) var staleCount = 0
  /// The time of the latest command that was drawn.
  private var lastMs: Int64 = 0
  /// The log time at which an item may be over for want of a command.
  package private(set) var nextStaleMs = Int64.max
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

  package init(_ roomId: ID, staleAfterMs: Int64) {
    self.roomId = roomId
    self.staleAfterMs = staleAfterMs
  }

  /// Draws a command of this room. One that came before, by its id, changes nothing.
  ///
  /// - Returns: whether it is new.
  @discardableResult
  public mutating func apply(_ command: Command) -> Bool {
    guard applied.insert(command.id, atMs: command.atMs) else { return false }
    advance(to: command.atMs)
    draw(command)
    dropStale()
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
    self = Screen(roomId, staleAfterMs: max(0, snapshot.staleAfterMs ?? 0))
    nowMs = snapshot.nowMs
    for mark in snapshot.position ?? [] { _ = applied.insert(mark.id, atMs: mark.atMs) }
    for command in snapshot.commands {
      _ = applied.insert(command.id, atMs: command.atMs)
      draw(command)
    }
    dropStale()
  }

  /// Whether a command has not come yet, nor one after it of the same log.
  public func isNew(_ command: Command) -> Bool { applied.isNew(command.id, atMs: command.atMs) }

  /// The last command that came of each input partition, by id.
  package var position: [Snapshot.Mark] { applied.position }

  /// The commands that draw this screen on another, at this moment.
  public var snapshot: Snapshot {
    var items = items
    var collector = ScreenItemCommands(roomId: roomId)
    items.visit(&collector)
    let commands = collector.commands
    // Sorts by time; of one time as `ScreenItems` lists them.
    let order = commands.indices.sorted { (commands[$0].atMs, $0) < (commands[$1].atMs, $1) }
    // The end goes last: whatever came after it would undo it.
    return Snapshot(
      roomId: roomId, nowMs: nowMs, staleAfterMs: staleAfterMs > 0 ? staleAfterMs : nil,
      commands: order.map { commands[$0] } + (roomEnd.map { [$0] } ?? []))
  }

  // MARK: Time

  /// Something that is drawn is over at `atMs`. False if it is already.
  mutating func ends(at atMs: Int64) -> Bool {
    guard atMs > nowMs else { return false }
    changes(at: atMs)
    return true
  }

  private mutating func changes(at atMs: Int64) { nextChangeMs = min(nextChangeMs, atMs) }

  /// A command of `atMs` tells of an item.
  mutating func tells(at atMs: Int64) {
    isStalled = false
    lastMs = max(lastMs, atMs)
    guard staleAfterMs > 0 else { return }
    nextStaleMs = min(nextStaleMs, atMs.plus(staleAfterMs))
    changes(at: nextStaleMs)
  }

  /// What a late command told may be over already.
  private mutating func dropStale() { if nextStaleMs <= nowMs { sweep() } }

  private mutating func sweep() {
    var stale = StaleItemFilter(nowMs: nowMs, staleAfterMs: staleAfterMs)
    if staleAfterMs > 0 {
      items.visit(&stale)
      // Pins, and goals that run, end by time, and commands tell them again within the span.
      let isTold = items.pins.contains { $0.endMs > nowMs } || items.goals.contains { $0.endMs > nowMs }
      if isTold, !isStalled, stale.found == 0 { _ = stale.isStale(toldMs: lastMs) }
    }
    if stale.found > 0 { isStalled = true }
    staleCount += stale.found
    nextStaleMs = stale.nextMs
    var nextChangeMs = stale.nextMs
    removeParts { [nowMs] _, endMs in
      guard let endMs else { return true }
      if endMs <= nowMs { return false }
      nextChangeMs = min(nextChangeMs, endMs)
      return true
    }
    self.nextChangeMs = nextChangeMs
  }

  // MARK: Items

  mutating func removeParts(unless stays: (_ command: ID, _ endMs: Int64?) -> Bool) {
    withoutActuallyEscaping(stays) { stays in
      var filter = ScreenItemFilter(stays: stays)
      items.visit(&filter)
    }
  }
}
