import RoomModel

/// The packets of a rain (STAGES.md, section 6): when each drops, where, and how long it falls. All of it follows from
/// the rain's id and what it began with, so no packet takes memory.
struct RainPackets {
  /// FNV-1a 64 of the rain's id.
  let seed: UInt64
  let startsAt: LogTime
  /// The time between two drops.
  let stepMs: Milliseconds
  let count: Int64
  let fallMinMs: Milliseconds
  let fallSpreadMs: Milliseconds

  /// The most packets that there can be: for as long, and as densely, as it may rain.
  static var limit: Int64 { 600_000 / 10 + 1 }

  func dropsAt(_ packet: Int64) -> LogTime { startsAt + (packet + 1) * stepMs }

  func x(_ packet: Int64) -> Int64 { draw(0, of: packet, below: 1000) }

  func fallMs(_ packet: Int64) -> Milliseconds {
    fallMinMs + 10 * draw(1, of: packet, below: fallSpreadMs / 10)
  }

  func angle(_ packet: Int64) -> Int64 { draw(2, of: packet, below: 360) }

  func spin(_ packet: Int64) -> Int64 { draw(3, of: packet, below: 360) }

  func toX(_ packet: Int64) -> Int64 { drawMore(0, of: packet, below: 1000) }

  func spinMs(_ packet: Int64) -> Milliseconds {
    fallMinMs + 10 * drawMore(1, of: packet, below: fallSpreadMs / 10)
  }

  func landsAt(_ packet: Int64) -> LogTime { dropsAt(packet) + fallMs(packet) }

  /// The latest landing, however its numbers fall.
  func landsBy(_ packet: Int64) -> LogTime { dropsAt(packet) + fallMinMs + fallSpreadMs }

  /// The latest landing of all; nil: none drops.
  var lastLanding: LogTime? {
    var last: LogTime?
    for packet in 0..<count { last = max(last ?? .min, landsAt(packet)) }
    return last
  }

  /// Four numbers a packet.
  private func draw(_ which: UInt64, of packet: Int64, below limit: Int64) -> Int64 {
    Int64(splitMix64(at: 4 * UInt64(packet) + which, seed: seed) % UInt64(limit))
  }

  /// Two numbers a packet, of a second row.
  private func drawMore(_ which: UInt64, of packet: Int64, below limit: Int64) -> Int64 {
    Int64(splitMix64(at: 2 * UInt64(packet) + which, seed: ~seed) % UInt64(limit))
  }
}
