extension Command {
  /// Likes that were tapped since the last burst, and where some of them were.
  public struct LikeBurst: Sendable, Hashable, Codable {
    /// How many likes; there may be more of them than points.
    public var count: Int64 = 0
    /// Where some of them were tapped.
    public var points: [Point] = []

    package init() {}

    /// A burst, as a gateway or a test tells it.
    public init(count: Int64, points: [Point]) {
      self.count = count
      self.points = points
    }

    /// In thousandths of the stage, 0…999.
    public struct Point: Sendable, Hashable, Codable {
      /// From the left, in thousandths of the stage's width.
      public var x = 0
      /// From the top, in thousandths of its height.
      public var y = 0

      package init() {}

      /// A place on the stage, 0…999 each way.
      public init(x: Int, y: Int) {
        self.x = x
        self.y = y
      }
    }
  }
}
