extension Command {
  /// Items that were not shown, for one reason, since the last such command.
  public struct Skipped: Sendable, Hashable, Codable {
    /// The stage that they are of.
    public var stage = Stage.gift
    /// The reason why it was not shown.
    public var reason = Reason.overflow
    /// Combos, wishes, items of the spot or pins.
    public var items: Int64 = 0
    /// Gifts, or 1 a wish, item of the spot or pin.
    public var units: Int64 = 0

    package init() {}

    /// A count, as a gateway or a test tells it.
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

      /// Gifts, which stand on lanes.
      public static let gift = Stage(rawValue: "gift")
      /// Wishes, which fly along tracks.
      public static let wish = Stage(rawValue: "wish")
      /// Items of the spot, which fill the screen.
      public static let spot = Stage(rawValue: "spot")
      /// Pins, which stand for their time.
      public static let pin = Stage(rawValue: "pin")
    }

    /// A word, as the stage is.
    public struct Reason: RawRepresentable, Sendable, Hashable, Codable {
      public var rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }

      /// Too many waited.
      public static let overflow = Reason(rawValue: "overflow")
      /// It waited for too long.
      public static let expired = Reason(rawValue: "expired")
      /// It was taken back before it was shown.
      public static let retracted = Reason(rawValue: "retracted")
      /// Its room ended before it was shown.
      public static let ended = Reason(rawValue: "ended")
    }
  }
}
