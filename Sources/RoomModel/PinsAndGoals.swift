// Pins, goals and scores (STAGES.md, sections 12 and 13): their events and their commands.

/// A message that stays on the screen for its time.
public struct Pin: BitwiseCopyable {
  public var sender: Sender
  /// The event's id where none was given; never empty.
  public var pinId: Text
  /// Never empty. Of control characters it may have line feeds.
  public var text: Text
  public var style: Text
  /// The price that was paid for it.
  public var value: Int64
  /// 1: it goes before those that were paid for.
  public var first: Int64
  /// 0: the setting.
  public var durationMs: Milliseconds
  public var extra: Text

  @inlinable public init(
    sender: Sender, pinId: Text, text: Text, style: Text = .empty, value: Int64 = 0, first: Int64 = 0,
    durationMs: Milliseconds = 0, extra: Text = .empty
  ) {
    self.sender = sender
    self.pinId = pinId
    self.text = text
    self.style = style
    self.value = value
    self.first = first
    self.durationMs = durationMs
    self.extra = extra
  }
}

/// Counts gifts or likes towards a target, or gifts for the sides of a battle. One that runs is changed by another event
/// of its id.
public struct Goal: BitwiseCopyable {
  /// The unit that a goal counts in.
  public enum By: UInt8, CaseIterable, Sendable, BitwiseCopyable { case value, units, likes, none }

  public var goalId: Text
  public var text: Text
  public var by: By
  /// Only this gift counts; empty: all do.
  public var giftId: Text
  /// Only gifts for this one count; empty: all do. Empty where there are sides.
  public var receiverId: Text
  /// 0: none.
  public var target: Int64
  /// None, or 2 to 8, no two equal. The decoder's, like the texts.
  public var sides: UnsafeBufferPointer<Text>
  /// The side for which gifts count that are for none of the sides; empty: they don't count.
  public var home: Text
  /// 0: that of a goal that runs, or else an hour.
  public var durationMs: Milliseconds
  public var extra: Text

  /// The most sides.
  public static var sideLimit: Int { 8 }
  /// The length of a goal that says none.
  public static var standardMs: Milliseconds { 3_600_000 }
  /// No progress, total or score is more.
  public static var most: Int64 { 9_000_000_000_000_000 }

  @inlinable public init(
    goalId: Text, text: Text = .empty, by: By = .value, giftId: Text = .empty, receiverId: Text = .empty,
    target: Int64 = 0, sides: UnsafeBufferPointer<Text> = .init(start: nil, count: 0), home: Text = .empty,
    durationMs: Milliseconds = 0, extra: Text = .empty
  ) {
    self.goalId = goalId
    self.text = text
    self.by = by
    self.giftId = giftId
    self.receiverId = receiverId
    self.target = target
    self.sides = sides
    self.home = home
    self.durationMs = durationMs
    self.extra = extra
  }
}

/// The sum so far of what is counted elsewhere for a goal, or for one of its sides.
public struct Score {
  public var goalId: Text
  /// Empty: the goal has no sides.
  public var side: Text
  public var total: Int64

  @inlinable public init(goalId: Text, side: Text = .empty, total: Int64) {
    self.goalId = goalId
    self.side = side
    self.total = total
  }
}

/// A pin that is shown, as it is.
public struct PinShow: BitwiseCopyable {
  public var pinId = Text.empty
  public var sender = Sender()
  public var text = Text.empty
  public var style = Text.empty
  public var value: Int64 = 0
  public var first: Int64 = 0
  public var startMs: LogTime = 0
  public var endMs: LogTime = 0
  public var extra = Text.empty

  public init() {}
}

/// A pin goes before its time.
public struct PinGone {
  /// The reason why it goes.
  public enum Reason: UInt8, CaseIterable, Sendable, BitwiseCopyable { case limit, retracted, ended }

  public var pinId = Text.empty
  public var reason = Reason.limit

  public init() {}

  @inlinable public init(pinId: Text, reason: Reason) {
    self.pinId = pinId
    self.reason = reason
  }
}

/// A side of a battle.
public struct GoalSide: BitwiseCopyable {
  public var id = Text.empty
  public var total: Int64 = 0

  public init() {}

  @inlinable public init(id: Text, total: Int64) {
    self.id = id
    self.total = total
  }
}

/// A goal that runs, as it is now.
public struct GoalShow: BitwiseCopyable {
  public var goalId = Text.empty
  public var text = Text.empty
  public var by = Goal.By.value
  public var giftId = Text.empty
  public var receiverId = Text.empty
  public var target: Int64 = 0
  public var progress: Int64 = 0
  /// 1: the progress is the target or more.
  public var reached: Int64 = 0
  /// The batch keeps them, as it keeps the texts.
  public var sides = UnsafeBufferPointer<GoalSide>(start: nil, count: 0)
  public var startMs: LogTime = 0
  public var endMs: LogTime = 0
  public var extra = Text.empty

  public init() {}
}

/// A goal's progress.
public struct GoalCount: BitwiseCopyable {
  public var goalId = Text.empty
  public var progress: Int64 = 0
  public var reached: Int64 = 0
  public var sides = UnsafeBufferPointer<GoalSide>(start: nil, count: 0)

  public init() {}

  @inlinable public init(goalId: Text, progress: Int64, reached: Int64, sides: UnsafeBufferPointer<GoalSide>) {
    self.goalId = goalId
    self.progress = progress
    self.reached = reached
    self.sides = sides
  }
}

/// A goal is over, with its progress at the end.
public struct GoalEnd: BitwiseCopyable {
  /// The reason why it ends.
  public enum Reason: UInt8, CaseIterable, Sendable, BitwiseCopyable { case over, retracted, ended }

  public var goalId = Text.empty
  public var progress: Int64 = 0
  public var reached: Int64 = 0
  public var sides = UnsafeBufferPointer<GoalSide>(start: nil, count: 0)
  public var reason = Reason.over

  public init() {}

  @inlinable public init(
    goalId: Text, progress: Int64, reached: Int64, sides: UnsafeBufferPointer<GoalSide>, reason: Reason
  ) {
    self.goalId = goalId
    self.progress = progress
    self.reached = reached
    self.sides = sides
    self.reason = reason
  }
}

/// The id that a retract names; the others are empty. Whoever keeps things that were shown leaves it out from then on.
public struct Retracted: BitwiseCopyable {
  public var wishId = Text.empty
  public var comboId = Text.empty
  public var spotId = Text.empty
  public var pinId = Text.empty
  public var goalId = Text.empty
  public var userId = Text.empty

  public init() {}

  public init(_ retract: Retract) {
    switch retract.what {
    case .wish(let id): wishId = id
    case .combo(let id): comboId = id
    case .spot(let id): spotId = id
    case .pin(let id): pinId = id
    case .goal(let id): goalId = id
    case .user(let id, _): userId = id
    }
  }
}
