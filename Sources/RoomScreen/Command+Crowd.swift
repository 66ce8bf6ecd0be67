extension Command {
  /// A crowd, as it is now, has the bar: gifts of one kind that found no lane.
  public struct CrowdShow: Sendable, Hashable, Codable {
    /// The crowd.
    public var crowdId = ID("")
    /// The receiver in the room; empty: the room.
    public var receiverId = ID("")
    /// The receiver's name as it is drawn; may be empty.
    public var receiverName = ""
    /// The gift, by the platform's catalogue.
    public var giftId = ID("")
    /// The gift's name as it is drawn; may be empty.
    public var giftName = ""
    /// The price of one.
    public var value: Int64 = 0
    /// The number of combos that have joined it.
    public var items: Int64 = 0
    /// The number of gifts.
    public var units: Int64 = 0
    /// Senders of the dearest gifts, up to three of them.
    public var names: [Sender] = []

    package init() {}

    /// A crowd, as a gateway or a test tells it.
    public init(
      crowdId: ID, receiverId: ID = "", receiverName: String = "", giftId: ID, giftName: String = "", value: Int64 = 0,
      items: Int64,
      units: Int64, names: [Sender]
    ) {
      self.crowdId = crowdId
      self.receiverId = receiverId
      self.receiverName = receiverName
      self.giftId = giftId
      self.giftName = giftName
      self.value = value
      self.items = items
      self.units = units
      self.names = names
    }
  }

  /// The bar for crowds is free.
  public struct CrowdHide: Sendable, Hashable, Codable {
    /// The crowd that had it.
    public var crowdId = ID("")

    package init() {}

    /// An end, as a gateway or a test tells it.
    public init(crowdId: ID) { self.crowdId = crowdId }
  }
}
