extension Command {
  /// This fills the screen from now on, for `durationMs`: of an event of the platform's, or of a gift whose combo has
  /// reached a tier.
  public struct SpotShow: Sendable, Hashable, Codable {
    /// The item.
    public var spotId = ID("")
    /// Its kind: `gift`, or a word of the platform's.
    public var kind = ""
    /// The combo, if a gift is shown. Otherwise combo and gift are empty, and `total` and `tier` are 0.
    public var comboId = ID("")
    /// The sender.
    public var sender = Sender()
    /// The receiver in the room; empty: the room.
    public var receiverId = ID("")
    /// The receiver's name as it is drawn; may be empty.
    public var receiverName = ""
    /// The gift, by the platform's catalogue.
    public var giftId = ID("")
    /// The gift's name as it is drawn; may be empty.
    public var giftName = ""
    /// The price of one gift, or what the platform said.
    public var value: Int64 = 0
    /// The number that had arrived when the combo reached `tier`.
    public var total: Int64 = 0
    /// Its tier: 0 for what is no gift.
    public var tier = 0
    /// The platform's text; draw it as plain text.
    public var text = ""
    /// The style to draw it in: a word of the platform's, or empty.
    public var style = ""
    /// The time that it fills the screen.
    public var durationMs: Int64 = 0
    /// The platform's own.
    public var extra = ""

    package init() {}

    /// An item of the spot, as a gateway or a test makes it.
    public init(
      spotId: ID, kind: String, comboId: ID = "", sender: Sender, receiverId: ID = "", receiverName: String = "",
      giftId: ID = "",
      giftName: String = "", value: Int64 = 0, total: Int64 = 0, tier: Int = 0, text: String = "", style: String = "",
      durationMs: Int64, extra: String = ""
    ) {
      self.spotId = spotId
      self.kind = kind
      self.comboId = comboId
      self.sender = sender
      self.receiverId = receiverId
      self.receiverName = receiverName
      self.giftId = giftId
      self.giftName = giftName
      self.value = value
      self.total = total
      self.tier = tier
      self.text = text
      self.style = style
      self.durationMs = durationMs
      self.extra = extra
    }
  }

  /// The item that fills the screen is taken back: it is off the screen at once.
  public struct SpotGone: Sendable, Hashable, Codable {
    /// The item.
    public var spotId = ID("")

    package init() {}

    /// An end, as a gateway or a test tells it.
    public init(spotId: ID) { self.spotId = spotId }
  }
}
