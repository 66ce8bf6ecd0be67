extension Command {
  /// A rain starts at `startMs` (log time), `left` seconds from now, and drops packets for `durationMs`.
  public struct RainCountdown: Sendable, Hashable, Codable {
    public var rainId: String
    public var left: Int64
    public var startMs: Int64
    public var durationMs: Int64

    public init(rainId: String, left: Int64, startMs: Int64, durationMs: Int64) {
      self.rainId = rainId
      self.left = left
      self.startMs = startMs
      self.durationMs = durationMs
    }
  }

  /// A packet drops, and lands `fallMs` later.
  public struct RainDrop: Sendable, Hashable, Codable {
    public var rainId: String
    /// From 0, in the order in which they drop.
    public var packet: Int
    /// Where, in thousandths of the stage's width.
    public var x: Int
    public var fallMs: Int64
    /// As it starts, in degrees.
    public var angle: Int
    /// How far it turns while it falls, in degrees.
    public var spin: Int

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
    public var rainId: String
    public var opened: Int64
    public var winners: Int64
    public var coins: Int64

    public init(rainId: String, opened: Int64, winners: Int64, coins: Int64) {
      self.rainId = rainId
      self.opened = opened
      self.winners = winners
      self.coins = coins
    }
  }

  /// A rain is over.
  public struct RainEnd: Sendable, Hashable, Codable {
    public var rainId: String

    public init(rainId: String) { self.rainId = rainId }
  }
}
