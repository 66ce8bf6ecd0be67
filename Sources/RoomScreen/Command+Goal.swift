extension Command {
  /// A goal that runs, as it is now. It is told again now and then.
  public struct GoalShow: Sendable, Hashable, Codable {
    /// The goal.
    public var goalId = ID("")
    /// Its title; draw it as plain text. May be empty.
    public var text = ""
    /// The unit that it counts in.
    public var by = By.value
    /// The only gift that counts; empty: all do.
    public var giftId = ID("")
    /// The only receiver whose gifts count; empty: all do.
    public var receiverId = ID("")
    /// 0: none.
    public var target: Int64 = 0
    /// The sum that has been counted.
    public var progress: Int64 = 0
    /// 1: the progress is the target or more.
    public var reached = 0
    /// The sides of a battle; empty: it is none.
    public var sides: [GoalSide] = []
    /// The log time when it began.
    public var startMs: Int64 = 0
    /// The log time from which gifts count no more. It is over by a command, `goalEnd`.
    public var endMs: Int64 = 0
    /// The platform's own.
    public var extra = ""

    package init() {}

    /// A goal, as a gateway or a test tells it.
    public init(
      goalId: ID, text: String = "", by: By = .value, giftId: ID = "", receiverId: ID = "", target: Int64 = 0,
      progress: Int64 = 0, reached: Int = 0, sides: [GoalSide] = [], startMs: Int64, endMs: Int64, extra: String = ""
    ) {
      self.goalId = goalId
      self.text = text
      self.by = by
      self.giftId = giftId
      self.receiverId = receiverId
      self.target = target
      self.progress = progress
      self.reached = reached
      self.sides = sides
      self.startMs = startMs
      self.endMs = endMs
      self.extra = extra
    }

    /// A word, since a newer server may know more of them.
    public struct By: RawRepresentable, Sendable, Hashable, Codable {
      public var rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }

      /// The prices of gifts.
      public static let value = By(rawValue: "value")
      /// The number of gifts.
      public static let units = By(rawValue: "units")
      /// The number of likes.
      public static let likes = By(rawValue: "likes")
      /// Only scores that the platform tells.
      public static let none = By(rawValue: "none")
    }
  }

  /// A side of a battle.
  public struct GoalSide: Sendable, Hashable, Codable {
    /// The side.
    public var id = ID("")
    /// The sum that counts for it.
    public var total: Int64 = 0

    package init() {}

    /// A side, as a gateway or a test tells it.
    public init(id: ID, total: Int64) {
      self.id = id
      self.total = total
    }
  }

  /// A goal's progress.
  public struct GoalCount: Sendable, Hashable, Codable {
    /// The goal.
    public var goalId = ID("")
    /// The sum that has been counted.
    public var progress: Int64 = 0
    /// 1: the progress is the target or more.
    public var reached = 0
    /// The sides of a battle.
    public var sides: [GoalSide] = []

    package init() {}

    /// A progress, as a gateway or a test tells it.
    public init(goalId: ID, progress: Int64, reached: Int = 0, sides: [GoalSide] = []) {
      self.goalId = goalId
      self.progress = progress
      self.reached = reached
      self.sides = sides
    }
  }

  /// A goal is over, with its progress at the end.
  public struct GoalEnd: Sendable, Hashable, Codable {
    /// The goal.
    public var goalId = ID("")
    /// The sum that was counted.
    public var progress: Int64 = 0
    /// 1: the progress is the target or more.
    public var reached = 0
    /// The sides of a battle.
    public var sides: [GoalSide] = []
    /// The reason why it ends.
    public var reason = Reason.over

    package init() {}

    /// An end, as a gateway or a test tells it.
    public init(goalId: ID, progress: Int64, reached: Int = 0, sides: [GoalSide] = [], reason: Reason) {
      self.goalId = goalId
      self.progress = progress
      self.reached = reached
      self.sides = sides
      self.reason = reason
    }

    /// A word, since a newer server may know more of them.
    public struct Reason: RawRepresentable, Sendable, Hashable, Codable {
      public var rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }

      /// Its time is over.
      public static let over = Reason(rawValue: "over")
      /// It was taken back.
      public static let retracted = Reason(rawValue: "retracted")
      /// Its room ended.
      public static let ended = Reason(rawValue: "ended")
    }
  }
}
