extension Command {
  /// A banner starts on `track` and crosses the stage in `durationMs`, drawn in exactly `width`.
  public struct WishFly: Sendable, Hashable, Codable {
    public var wishId = ""
    /// From 0.
    public var track = 0
    public var sender = Sender()
    public var text = ""
    public var style = ""
    /// In the units of the setting `wish.stageWidth`, which a stage's whole width is.
    public var width: Int64 = 0
    public var durationMs: Int64 = 0
    public var likes: Int64 = 0

    package init() {}

    public init(
      wishId: String, track: Int, sender: Sender, text: String, style: String = "", width: Int64, durationMs: Int64,
      likes: Int64 = 0
    ) {
      self.wishId = wishId
      self.track = track
      self.sender = sender
      self.text = text
      self.style = style
      self.width = width
      self.durationMs = durationMs
      self.likes = likes
    }
  }

  /// How many have liked a wish that flies.
  public struct WishLikes: Sendable, Hashable, Codable {
    public var wishId = ""
    public var likes: Int64 = 0

    package init() {}

    public init(wishId: String, likes: Int64) {
      self.wishId = wishId
      self.likes = likes
    }
  }

  /// A wish that flew is taken back: it is off the screen at once.
  public struct WishGone: Sendable, Hashable, Codable {
    public var wishId = ""

    package init() {}

    public init(wishId: String) { self.wishId = wishId }
  }
}
