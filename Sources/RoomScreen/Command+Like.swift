extension Command {
  /// Likes that were tapped since the last burst, and where some of them were.
  public struct LikeBurst: Sendable, Hashable, Codable {
    public var count: Int64
    public var points: [Point]

    public init(count: Int64, points: [Point]) {
      self.count = count
      self.points = points
    }

    /// In thousandths of the stage, 0…999.
    public struct Point: Sendable, Hashable, Codable {
      public var x: Int
      public var y: Int

      public init(x: Int, y: Int) {
        self.x = x
        self.y = y
      }
    }
  }
}
