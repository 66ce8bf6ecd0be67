extension Command {
  /// What was not shown, for one reason, since the last such command.
  public struct Skipped: Sendable, Hashable, Codable {
    public var stage = Stage.gift
    public var reason = Reason.overflow
    /// Combos, or wishes.
    public var items: Int64 = 0
    /// Gifts, or 1 a wish.
    public var units: Int64 = 0

    package init() {}

    public init(stage: Stage, reason: Reason, items: Int64, units: Int64) {
      self.stage = stage
      self.reason = reason
      self.items = items
      self.units = units
    }

    /// A word, since a newer server may know more of them.
    public struct Stage: RawRepresentable, Sendable, Hashable, Codable {
      public var rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }

      public static let gift = Stage(rawValue: "gift")
      public static let wish = Stage(rawValue: "wish")
    }

    /// A word, as the stage is.
    public struct Reason: RawRepresentable, Sendable, Hashable, Codable {
      public var rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }

      public static let overflow = Reason(rawValue: "overflow")
      public static let expired = Reason(rawValue: "expired")
      public static let retracted = Reason(rawValue: "retracted")
      public static let ended = Reason(rawValue: "ended")
    }
  }
}
