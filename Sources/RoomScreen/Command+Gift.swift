extension Command {
  /// A sender, as they are drawn.
  public struct Sender: Sendable, Hashable, Codable {
    /// The platform's id of the user.
    public var userId = ID("")
    /// The name as it is drawn; may be empty.
    public var name = ""
    /// The address of a picture; may be empty.
    public var avatarUrl = ""

    package init() {}

    /// The name by which they are shown: their own, or the id where nobody could see that.
    public var shownName: String { name.unicodeScalars.allSatisfy(\.isInvisible) ? userId.string : name }

    /// Somebody by their id, with what is drawn of them if it is known.
    public init(userId: ID, name: String = "", avatarUrl: String = "") {
      self.userId = userId
      self.name = name
      self.avatarUrl = avatarUrl
    }
  }

  /// The combo that is on `lane`, as it is now: it enters for `enterMs`, or stands there already if that is 0.
  public struct GiftShow: Sendable, Hashable, Codable {
    /// The combo. Numbers and the end name it again.
    public var comboId = ID("")
    /// From 0, the one at the top.
    public var lane = 0
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
    /// The price of one.
    public var value: Int64 = 0
    /// The last number drawn.
    public var from: Int64 = 0
    /// The number that has arrived.
    public var total: Int64 = 0
    /// The time that it takes to enter; 0: it stands there already.
    public var enterMs: Int64 = 0
    /// Its tier: 0 for what costs little. A client may draw each tier in a way of its own.
    public var tier = 0
    /// The platform's own, as the first gift had it.
    public var extra = ""

    package init() {}

    /// A view, as a gateway or a test tells it.
    public init(
      comboId: ID, lane: Int, sender: Sender, receiverId: ID = "", receiverName: String = "", giftId: ID,
      giftName: String = "",
      value: Int64 = 0, from: Int64 = 0, total: Int64, enterMs: Int64, tier: Int = 0, extra: String = ""
    ) {
      self.comboId = comboId
      self.lane = lane
      self.sender = sender
      self.receiverId = receiverId
      self.receiverName = receiverName
      self.giftId = giftId
      self.giftName = giftName
      self.value = value
      self.from = from
      self.total = total
      self.enterMs = enterMs
      self.tier = tier
      self.extra = extra
    }

    /// `receiverName` and `extra` may be absent: they are empty then.
    public init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      comboId = try members.decode(ID.self, forKey: .comboId)
      lane = try members.decode(Int.self, forKey: .lane)
      sender = try members.decode(Sender.self, forKey: .sender)
      receiverId = try members.decode(ID.self, forKey: .receiverId)
      receiverName = try members.decodeIfPresent(String.self, forKey: .receiverName) ?? ""
      giftId = try members.decode(ID.self, forKey: .giftId)
      giftName = try members.decode(String.self, forKey: .giftName)
      value = try members.decode(Int64.self, forKey: .value)
      from = try members.decode(Int64.self, forKey: .from)
      total = try members.decode(Int64.self, forKey: .total)
      enterMs = try members.decode(Int64.self, forKey: .enterMs)
      tier = try members.decode(Int.self, forKey: .tier)
      extra = try members.decodeIfPresent(String.self, forKey: .extra) ?? ""
    }
  }

  /// The combo's number becomes `count`; the next comes no sooner than `tickMs` later.
  public struct GiftBump: Sendable, Hashable, Codable {
    /// The combo; one that is not on `lane` is let be.
    public var comboId = ID("")
    /// From 0, the one at the top.
    public var lane = 0
    /// The number to draw.
    public var count: Int64 = 0
    /// The time that the number stands at least: enough for it to pop.
    public var tickMs: Int64 = 0

    package init() {}

    /// A number, as a gateway or a test tells it.
    public init(comboId: ID, lane: Int, count: Int64, tickMs: Int64) {
      self.comboId = comboId
      self.lane = lane
      self.count = count
      self.tickMs = tickMs
    }
  }

  /// The combo leaves its lane, within `exitMs`.
  public struct GiftHide: Sendable, Hashable, Codable {
    /// The combo; one that is not on `lane` is let be.
    public var comboId = ID("")
    /// From 0, the one at the top. It is free once the view has left.
    public var lane = 0
    /// The last number.
    public var count: Int64 = 0
    /// The time that it takes to leave.
    public var exitMs: Int64 = 0

    package init() {}

    /// An end, as a gateway or a test tells it.
    public init(comboId: ID, lane: Int, count: Int64, exitMs: Int64) {
      self.comboId = comboId
      self.lane = lane
      self.count = count
      self.exitMs = exitMs
    }
  }
}
