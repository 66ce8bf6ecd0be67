package import RoomScreen

/// A room as time goes by: its clock, its screen, and commands that have come but whose time has not.
///
/// It is shown behind the log, as the gateway tells or the app wants. That is what a command may take to come and still be
/// acted upon at its very moment, so that what moves begins at its beginning and numbers pop evenly.
package struct PacedRoom: Sendable {
  package private(set) var screen: Screen
  private var clock: LogClock
  /// Whether the gateway tells the lag.
  private let followsPace: Bool
  /// Commands that wait, in the order in which they came.
  private var pending: [Command] = []

  /// - Parameter lag: the app's own; nil: the gateway tells it.
  package init(_ roomId: ID, lag: Duration?, time: Timekeeper) {
    screen = Screen(roomId)
    clock = LogClock(time: time)
    followsPace = lag == nil
    if let lag { clock.setLag(max(lag.milliseconds, 0)) }
  }

  /// Log time; nil before anything was said.
  var logMs: Int64? { clock.currentMs }

  /// Log time as it is shown; 0 before anything was said.
  package var nowMs: Int64 { clock.nowMs }

  /// The time until the next command is due, or an item is over for want of one; nil if neither will be.
  var nextDue: Duration? {
    let nowMs = nowMs
    let due = pending.map(\.atMs).min().map { max($0.minus(nowMs), 0) }
    // No time passes while the screen says that an item is over already.
    let stale = screen.nextStaleMs < .max ? max(screen.nextStaleMs.minus(nowMs), 1) : nil
    return [due, stale].compactMap(\.self).min().map { .milliseconds($0) }
  }

  package mutating func reset(to snapshot: Snapshot) {
    pending.removeAll(keepingCapacity: true)
    clock.anchor(snapshot.nowMs)
    follow(lagMs: snapshot.lagMs)
    screen.reset(to: snapshot)
  }

  /// The gateway tells how far behind the log the room is to be shown.
  package mutating func follow(lagMs: Int64?) {
    if followsPace, let lagMs, lagMs >= 0 { clock.setLag(lagMs) }
  }

  package mutating func receive(_ command: Command) {
    clock.observe(command.atMs)
    pending.append(command)
  }

  /// Lets the screen be what it is by now.
  ///
  /// - Returns: the commands that changed it, and whether it changed: items may be over for want of a command, too.
  @discardableResult mutating func settle() -> (drawn: [Command], isChanged: Bool) {
    let (nowMs, staleCount) = (nowMs, screen.staleCount)
    // The times of a log only grow, so its order is kept.
    let due = pending.filter { $0.atMs <= nowMs }
    if !due.isEmpty {
      for command in due { screen.apply(command) }
      pending.removeAll { $0.atMs <= nowMs }
    }
    screen.advance(to: nowMs)
    return (due, !due.isEmpty || screen.staleCount != staleCount)
  }
}
