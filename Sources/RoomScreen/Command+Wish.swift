extension Command {
  /// A banner starts on `track` and crosses the stage in `durationMs`, drawn in exactly `width`.
  public struct WishFly: Sendable, Hashable, Codable {
    /// The wish, by which it is liked. It may fly again once it has landed.
    public var wishId = ID("")
    /// The number of the track, from 0.
    public var track = 0
    /// The sender.
    public var sender = Sender()
    /// The wish's text; draw it as plain text.
    public var text = ""
    /// The style to draw it in: a word of the platform's, or empty.
    public var style = ""
    /// The banner's width, in units of which the stage has `wish.stageWidth`, a setting.
    public var width: Int64 = 0
    /// The time that it takes to cross the stage.
    public var durationMs: Int64 = 0
    /// The number of users who have liked it so far.
    public var likes: Int64 = 0
    /// The platform's own.
    public var extra = ""

    package init() {}

    /// A banner, as a gateway or a test tells it.
    public init(
      wishId: ID, track: Int, sender: Sender, text: String, style: String = "", width: Int64, durationMs: Int64,
      likes: Int64 = 0, extra: String = ""
    ) {
      self.wishId = wishId
      self.track = track
      self.sender = sender
      self.text = text
      self.style = style
      self.width = width
      self.durationMs = durationMs
      self.likes = likes
      self.extra = extra
    }

    /// `extra` may be absent: it is empty then.
    public init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      wishId = try members.decode(ID.self, forKey: .wishId)
      track = try members.decode(Int.self, forKey: .track)
      sender = try members.decode(Sender.self, forKey: .sender)
      text = try members.decode(String.self, forKey: .text)
      style = try members.decode(String.self, forKey: .style)
      width = try members.decode(Int64.self, forKey: .width)
      durationMs = try members.decode(Int64.self, forKey: .durationMs)
      likes = try members.decode(Int64.self, forKey: .likes)
      extra = try members.decodeIfPresent(String.self, forKey: .extra) ?? ""
    }
  }

  /// The number of users who have liked a wish that flies.
  public struct WishLikes: Sendable, Hashable, Codable {
    /// The wish; of several banners of one wish it is for the one that started last.
    public var wishId = ID("")
    /// The number in all.
    public var likes: Int64 = 0

    package init() {}

    /// A count, as a gateway or a test tells it.
    public init(wishId: ID, likes: Int64) {
      self.wishId = wishId
      self.likes = likes
    }
  }

  /// A wish that flew is taken back: it is off the screen at once.
  public struct WishGone: Sendable, Hashable, Codable {
    /// The wish.
    public var wishId = ID("")

    package init() {}

    /// An end, as a gateway or a test tells it.
    public init(wishId: ID) { self.wishId = wishId }
  }
}
