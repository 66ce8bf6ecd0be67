import RoomModel

/// The red packet rains of an audience: all are alike, except for their prizes.
enum RainPlan {
  static let countdownMs = 3000.0
  static let durationMs = 9000.0
  static let stepMs = 250.0
  static var packets: Int { Int(durationMs / stepMs) }
  /// About how many there are at a time: they fall for four or five seconds.
  static let inFlight = 18
  /// The milliseconds after the first packet in which there are grabs.
  static let grabbedMs = durationMs + 3500

  static func start(_ rainId: Text, prizes: UnsafeBufferPointer<Int64>?) -> RainStart {
    RainStart(
      rainId: rainId, durationMs: Int64(durationMs), perSecond: Int64(1000 / stepMs),
      countdown: Int64(countdownMs / 1000), budget: 2000, winEvery: 3,
      prizes: prizes ?? UnsafeBufferPointer(start: nil, count: 0))
  }
}
