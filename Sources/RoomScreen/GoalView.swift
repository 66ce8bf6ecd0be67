/// A goal that runs, with its progress; one with sides is a battle.
public struct GoalView: Sendable, Hashable, Identifiable {
  /// The last `goalShow` of it.
  let command: RoomScreen.ID
  private var show: Command.GoalShow
  let toldAtMs: Int64
  /// The log time at which its progress changed last; nil if this screen saw no change.
  public private(set) var countedAtMs: Int64?
  /// The log time at which it was reached; nil if this screen did not see that.
  public private(set) var reachedAtMs: Int64?

  public var id: RoomScreen.ID { show.goalId }
  /// Its title; draw it as plain text. May be empty.
  public var text: String { show.text }
  /// The unit that it counts in.
  public var by: Command.GoalShow.By { show.by }
  /// The only gift that counts; empty: all do.
  public var giftId: RoomScreen.ID { show.giftId }
  /// The only receiver whose gifts count; empty: all do.
  public var receiverId: RoomScreen.ID { show.receiverId }
  /// 0: none.
  public var target: Int64 { show.target }
  /// The sum that has been counted.
  public var progress: Int64 { show.progress }
  /// The progress is the target or more.
  public var isReached: Bool { show.reached != 0 }
  /// The sides of a battle, with their totals; empty: it is none.
  public var sides: [Command.GoalSide] { show.sides }
  /// The log time when it began.
  public var startMs: Int64 { show.startMs }
  /// The log time from which gifts count no more.
  public var endMs: Int64 { show.endMs }
  /// The platform's own.
  public var extra: String { show.extra }

  /// - Parameter before: the same goal as it was, if it ran already.
  init(_ show: Command.GoalShow, command: RoomScreen.ID, toldAtMs: Int64, before: GoalView?) {
    self.show = show
    self.command = command
    self.toldAtMs = toldAtMs
    guard let before, before.startMs == show.startMs else { return }
    countedAtMs = before.progress == show.progress ? before.countedAtMs : toldAtMs
    reachedAtMs = isReached ? (before.isReached ? before.reachedAtMs : toldAtMs) : nil
  }

  mutating func count(_ count: Command.GoalCount, atMs: Int64) {
    if count.reached == 0 { reachedAtMs = nil } else if !isReached { reachedAtMs = atMs }
    countedAtMs = atMs
    show.progress = count.progress
    show.reached = count.reached
    show.sides = count.sides
  }
}

extension GoalView: ScreenItem {
  var toldMs: Int64? { max(endMs, toldAtMs) }

  /// It ends by a command.
  mutating func keepParts(_ stays: (_ command: RoomScreen.ID, _ endMs: Int64?) -> Bool) -> Bool { stays(command, nil) }

  func appendCommands(roomId: RoomScreen.ID, to commands: inout [Command]) {
    commands.append(Command(roomId: roomId, id: command, atMs: toldAtMs, body: .goalShow(show)))
  }
}
