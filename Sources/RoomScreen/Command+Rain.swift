extension Command {
  /// A rain starts at `startMs` (log time), `left` seconds from now, and drops packets for `durationMs`.
  public struct RainCountdown: Sendable, Hashable, Codable {
    public var rainId = ""
    public var left: Int64 = 0
    public var startMs: Int64 = 0
    public var durationMs: Int64 = 0

    package init() {}

    public init(rainId: String, left: Int64, startMs: Int64, durationMs: Int64) {
      self.rainId = rainId
      self.left = left
      self.startMs = startMs
      self.durationMs = durationMs
    }
  }

  /// A packet drops, and lands `fallMs` later.
  public struct RainDrop: Sendable, Hashable, Codable {
    public var rainId = ""
    /// From 0, in the order in which they drop.
    public var packet = 0
    /// Where, in thousandths of the stage's width.
    public var x = 0
    public var fallMs: Int64 = 0
    /// As it starts, in degrees.
    public var angle = 0
    /// How far it turns while it falls, in degrees.
    public var spin = 0

    package init() {}

    public init(rainId: String, packet: Int, x: Int, fallMs: Int64, angle: Int, spin: Int) {
      self.rainId = rainId
      self.packet = packet
      self.x = x
      self.fallMs = fallMs
      self.angle = angle
      self.spin = spin
    }
  }

  /// What a rain has given so far.
  public struct RainTally: Sendable, Hashable, Codable {
    public var rainId = ""
    public var opened: Int64 = 0
    public var winners: Int64 = 0
    public var coins: Int64 = 0

    package init() {}

    public init(rainId: String, opened: Int64, winners: Int64, coins: Int64) {
      self.rainId = rainId
      self.opened = opened
      self.winners = winners
      self.coins = coins
    }
  }

  /// A rain is over.
  public struct RainEnd: Sendable, Hashable, Codable {
    public var rainId = ""

    package init() {}

    public init(rainId: String) { self.rainId = rainId }
  }
}
