extension Command {
  /// A rain starts at `startMs` (log time), `left` seconds from now, and drops packets for `durationMs`.
  public struct RainCountdown: Sendable, Hashable, Codable {
    /// The rain.
    public var rainId = ID("")
    /// Seconds until it starts; 0: it starts now.
    public var left: Int64 = 0
    /// The log time when the first packets drop.
    public var startMs: Int64 = 0
    /// The time for which packets drop.
    public var durationMs: Int64 = 0
    /// The platform's own.
    public var extra = ""

    package init() {}

    /// A countdown, as a gateway or a test tells it.
    public init(rainId: ID, left: Int64, startMs: Int64, durationMs: Int64, extra: String = "") {
      self.rainId = rainId
      self.left = left
      self.startMs = startMs
      self.durationMs = durationMs
      self.extra = extra
    }

    /// `extra` may be absent: it is empty then.
    public init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      rainId = try members.decode(ID.self, forKey: .rainId)
      left = try members.decode(Int64.self, forKey: .left)
      startMs = try members.decode(Int64.self, forKey: .startMs)
      durationMs = try members.decode(Int64.self, forKey: .durationMs)
      extra = try members.decodeIfPresent(String.self, forKey: .extra) ?? ""
    }
  }

  /// A packet drops, and lands `fallMs` later. It falls in a straight line, evenly, and turns in a time of its own.
  public struct RainDrop: Sendable, Hashable, Codable {
    /// The rain.
    public var rainId = ID("")
    /// The number of the packet from 0, in the order in which packets drop.
    public var packet = 0
    /// Where, in thousandths of the stage's width.
    public var x = 0
    /// The time that it falls.
    public var fallMs: Int64 = 0
    /// The angle at the start, in degrees.
    public var angle = 0
    /// The degrees that it turns in `spinMs`.
    public var spin = 0
    /// The place where it lands, as `x`.
    public var toX = 0
    /// The time that it takes to turn by `spin`.
    public var spinMs: Int64 = 0

    package init() {}

    /// Makes a packet. Without `toX` it falls straight down, without `spinMs` it turns all the way.
    public init(
      rainId: ID, packet: Int, x: Int, fallMs: Int64, angle: Int, spin: Int, toX: Int? = nil, spinMs: Int64? = nil
    ) {
      self.rainId = rainId
      self.packet = packet
      self.x = x
      self.fallMs = fallMs
      self.angle = angle
      self.spin = spin
      self.toX = toX ?? x
      self.spinMs = spinMs ?? fallMs
    }
  }

  /// The sums of a rain so far.
  public struct RainTally: Sendable, Hashable, Codable {
    /// The rain.
    public var rainId = ID("")
    /// The number of packets that were opened.
    public var opened: Int64 = 0
    /// The number of them that paid something.
    public var winners: Int64 = 0
    /// Coins paid in all.
    public var coins: Int64 = 0

    package init() {}

    /// A tally, as a gateway or a test tells it.
    public init(rainId: ID, opened: Int64, winners: Int64, coins: Int64) {
      self.rainId = rainId
      self.opened = opened
      self.winners = winners
      self.coins = coins
    }
  }

  /// A rain is over.
  public struct RainEnd: Sendable, Hashable, Codable {
    /// The rain.
    public var rainId = ID("")

    package init() {}

    /// An end, as a gateway or a test tells it.
    public init(rainId: ID) { self.rainId = rainId }
  }
}
