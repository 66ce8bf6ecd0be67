extension Command {
  /// Likes that were tapped since the last burst, and where some of them were.
  public struct LikeBurst: Sendable, Hashable, Codable {
    /// The number of likes; there may be more than points.
    public var count: Int64 = 0
    /// The places where some of them were tapped.
    public var points: [Point] = []

    package init() {}

    /// A burst, as a gateway or a test tells it.
    public init(count: Int64, points: [Point]) {
      self.count = count
      self.points = points
    }

    /// A place in thousandths of the stage, 0…999.
    public struct Point: Sendable, Hashable, Codable {
      /// Thousandths of the stage's width, from the left.
      public var x = 0
      /// Thousandths of the stage's height, from the top.
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
