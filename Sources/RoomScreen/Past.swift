/// The time of a room before its screen of now, as far back as its gateway knows it.
public struct Past: Sendable, Hashable, Codable {
  /// The time from which on it is whole. Log time: milliseconds since 1970 by the server's clock.
  public var sinceMs: Int64
  /// The people who gave the most coins in gifts that were drawn, the most first.
  public var givers: [Giver]
  /// The further gifts that crowds told, without their senders.
  public var crowds: Crowds
  /// The wishes that flew last, the latest first.
  public var wishes: [Wish]

  /// A past, as a gateway or a test tells it.
  public init(sinceMs: Int64, givers: [Giver] = [], crowds: Crowds = Crowds(), wishes: [Wish] = []) {
    self.sinceMs = sinceMs
    self.givers = givers
    self.crowds = crowds
    self.wishes = wishes
  }

  /// The gifts of one person.
  public struct Giver: Sendable, Hashable, Codable {
    /// The person, as named last.
    public var sender: Command.Sender
    /// The number of gifts.
    public var gifts: Int64
    /// The coins that they cost together.
    public var coins: Int64

    /// A giver, as a gateway or a test tells it.
    public init(sender: Command.Sender, gifts: Int64, coins: Int64) {
      self.sender = sender
      self.gifts = gifts
      self.coins = coins
    }
  }

  /// The gifts of all crowds together.
  public struct Crowds: Sendable, Hashable, Codable {
    /// The number of gifts.
    public var gifts: Int64
    /// The coins that they cost together.
    public var coins: Int64
    /// The crowds that may be told again, and what is counted of each: only the units beyond are new.
    public var told: [Told]

    /// A sum, as a gateway or a test tells it.
    public init(gifts: Int64 = 0, coins: Int64 = 0, told: [Told] = []) {
      self.gifts = gifts
      self.coins = coins
      self.told = told
    }

    /// A crowd that is not over, as it was told last.
    public struct Told: Sendable, Hashable, Codable {
      /// The crowd.
      public var crowdId: ID
      /// The number of its gifts.
      public var units: Int64

      /// A crowd, as a gateway or a test tells it.
      public init(crowdId: ID, units: Int64) {
        self.crowdId = crowdId
        self.units = units
      }
    }
  }

  /// A wish that flew.
  public struct Wish: Sendable, Hashable, Codable {
    /// The log time at which it started, in milliseconds.
    public var atMs: Int64
    /// The id by which it is liked while it flies.
    public var wishId: ID
    /// The person who wished.
    public var sender: Command.Sender
    /// The text; draw it as plain text.
    public var text: String
    /// The way it was drawn: a word of the platform's, or empty.
    public var style: String
    /// The number of its likes.
    public var likes: Int64

    /// A wish, as a gateway or a test tells it.
    public init(atMs: Int64, wishId: ID, sender: Command.Sender, text: String, style: String = "", likes: Int64 = 0) {
      self.atMs = atMs
      self.wishId = wishId
      self.sender = sender
      self.text = text
      self.style = style
      self.likes = likes
    }
  }
}
