extension Command {
  /// Nothing of this room's that came from this input partition is on the screen any more.
  public struct RoomEnded: Sendable, Hashable, Codable {
    /// An end; it has nothing more to say.
    public init() {}
  }

  /// Something is taken back: of these ids one is not empty. Whoever keeps a list of what was shown leaves it out from then
  /// on, all of the user's if that is who it names. What is on the screen goes by commands of its own.
  public struct Retracted: Sendable, Hashable, Codable {
    /// A wish.
    public var wishId = ID("")
    /// A combo of gifts.
    public var comboId = ID("")
    /// An item of the spot.
    public var spotId = ID("")
    /// A pin.
    public var pinId = ID("")
    /// A goal.
    public var goalId = ID("")
    /// A user.
    public var userId = ID("")

    package init() {}

    /// A retract, as a gateway or a test tells it.
    public init(
      wishId: ID = "", comboId: ID = "", spotId: ID = "", pinId: ID = "", goalId: ID = "", userId: ID = ""
    ) {
      self.wishId = wishId
      self.comboId = comboId
      self.spotId = spotId
      self.pinId = pinId
      self.goalId = goalId
      self.userId = userId
    }
  }
}
