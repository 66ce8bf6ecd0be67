extension Command {
  /// Likes that were tapped since the last burst, and where some of them were.
  public struct LikeBurst: Sendable, Hashable, Codable {
    public var count: Int64 = 0
    public var points: [Point] = []

    package init() {}

    public init(count: Int64, points: [Point]) {
      self.count = count
      self.points = points
    }

    /// In thousandths of the stage, 0…999.
    public struct Point: Sendable, Hashable, Codable {
      public var x = 0
      public var y = 0

      package init() {}

      public init(x: Int, y: Int) {
        self.x = x
        self.y = y
      }
    }
  }
}
