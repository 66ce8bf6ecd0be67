/// A red packet rain that has not ended.
public struct Rain: Sendable, Hashable, Identifiable {
  /// A body of this rain, with what its command said beside it.
  struct Told<Body: Sendable & Hashable>: Sendable, Hashable {
    let command: ID
    let atMs: Int64
    let body: Body
  }

  public let id: RoomScreen.ID
  var lastCountdown: Told<Command.RainCountdown>?
  var lastTally: Told<Command.RainTally>?
  /// The last command of the rain, or the landing of its last packet.
  var lastMs = Int64.min
  /// Packets in the air, in the order in which they dropped.
  public internal(set) var drops: [Drop] = []

  /// Nil for a reader that began after it.
  public var countdown: Command.RainCountdown? { lastCountdown?.body }
  /// Nil before a packet was opened.
  public var tally: Command.RainTally? { lastTally?.body }

  init(id: ID) { self.id = id }

  /// Nothing of it is known but its name.
  var isBlank: Bool { lastCountdown == nil && lastTally == nil && drops.isEmpty }

  /// A packet that falls.
  public struct Drop: Sendable, Hashable, Identifiable {
    /// The id of its command.
    public let id: RoomScreen.ID
    let body: Command.RainDrop
    /// The log time at which it drops.
    public let startMs: Int64

    /// The number within its rain, from 0, by which it is opened: `GatewayClient.grab(packet:of:in:)`.
    public var packet: Int { body.packet }
    /// The place where it drops, in thousandths of the stage's width.
    public var x: Int { body.x }
    /// The place where it lands, as `x`.
    public var toX: Int { body.toX }
    /// The milliseconds that it falls.
    public var fallMs: Int64 { body.fallMs }
    /// The angle at which it starts, in degrees.
    public var angle: Int { body.angle }
    /// The angle by which it turns in `spinMs`, in degrees.
    public var spin: Int { body.spin }
    /// The milliseconds that it takes to turn by `spin`.
    public var spinMs: Int64 { body.spinMs }
    /// The log time at which it lands.
    public var landMs: Int64 { startMs.plus(body.fallMs) }

    /// The part of its way that it has fallen, in thousandths.
    public func fallen(atMs: Int64) -> Int64 {
      guard atMs > startMs else { return 0 }
      guard atMs < landMs else { return 1000 }
      return Int64((Int128(atMs) - Int128(startMs)) * 1000 / Int128(fallMs))
    }
  }
}

extension Rain: ScreenItem {
  var toldMs: Int64? { lastMs }

  mutating func keepParts(_ stays: (_ command: ID, _ endMs: Int64?) -> Bool) -> Bool {
    if let told = lastCountdown, !stays(told.command, nil) { lastCountdown = nil }
    if let told = lastTally, !stays(told.command, nil) { lastTally = nil }
    drops.removeAll { !stays($0.id, $0.landMs) }
    return !isBlank
  }

  func appendCommands(roomId: RoomScreen.ID, to commands: inout [Command]) {
    if let told = lastCountdown {
      commands.append(Command(roomId: roomId, id: told.command, atMs: told.atMs, body: .rainCountdown(told.body)))
    }
    for drop in drops {
      commands.append(Command(roomId: roomId, id: drop.id, atMs: drop.startMs, body: .rainDrop(drop.body)))
    }
    if let told = lastTally {
      commands.append(Command(roomId: roomId, id: told.command, atMs: told.atMs, body: .rainTally(told.body)))
    }
  }
}
