extension Command {
  /// Who sent something, as they are drawn.
  public struct Sender: Sendable, Hashable, Codable {
    public var userId = ""
    public var name = ""
    public var avatarUrl = ""

    package init() {}

    public init(userId: String, name: String = "", avatarUrl: String = "") {
      self.userId = userId
      self.name = name
      self.avatarUrl = avatarUrl
    }
  }

  /// The combo that is on `lane`, as it is now: it enters for `enterMs`, or stands there already if that is 0.
  public struct GiftShow: Sendable, Hashable, Codable {
    public var comboId = ""
    /// From 0, the one at the top.
    public var lane = 0
    public var sender = Sender()
    public var receiverId = ""
    public var giftId = ""
    public var giftName = ""
    /// The price of one.
    public var value: Int64 = 0
    /// The last number drawn.
    public var from: Int64 = 0
    /// How many have arrived.
    public var total: Int64 = 0
    public var enterMs: Int64 = 0

    package init() {}

    public init(
      comboId: String, lane: Int, sender: Sender, receiverId: String = "", giftId: String, giftName: String = "",
      value: Int64 = 0, from: Int64 = 0, total: Int64, enterMs: Int64
    ) {
      self.comboId = comboId
      self.lane = lane
      self.sender = sender
      self.receiverId = receiverId
      self.giftId = giftId
      self.giftName = giftName
      self.value = value
      self.from = from
      self.total = total
      self.enterMs = enterMs
    }
  }

  /// The combo's number becomes `count`; the next comes no sooner than `tickMs` later.
  public struct GiftBump: Sendable, Hashable, Codable {
    public var comboId = ""
    public var lane = 0
    public var count: Int64 = 0
    public var tickMs: Int64 = 0

    package init() {}

    public init(comboId: String, lane: Int, count: Int64, tickMs: Int64) {
      self.comboId = comboId
      self.lane = lane
      self.count = count
      self.tickMs = tickMs
    }
  }

  /// The combo leaves its lane, within `exitMs`.
  public struct GiftHide: Sendable, Hashable, Codable {
    public var comboId = ""
    public var lane = 0
    public var count: Int64 = 0
    public var exitMs: Int64 = 0

    package init() {}

    public init(comboId: String, lane: Int, count: Int64, exitMs: Int64) {
      self.comboId = comboId
      self.lane = lane
      self.count = count
      self.exitMs = exitMs
    }
  }
}
