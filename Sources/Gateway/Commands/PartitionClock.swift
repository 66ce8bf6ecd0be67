import RoomScreen

/// Log time as a gateway knows it: the largest that it has read of a partition, and the time that has passed since.
struct PartitionClock: Sendable {
  private var largest: (atMs: Int64, readMs: Int64)?

  /// - Parameter readMs: by the monotonic clock; of what lay there when the gateway began, when it had been written.
  mutating func observe(atMs: Int64, readMs: Int64) {
    if atMs > largest?.atMs ?? .min { largest = (atMs, readMs) }
  }

  /// - Parameter wallMs: the best guess where nothing is known yet; logs are stamped by such clocks.
  func nowMs(monotonicMs: Int64, wallMs: Int64) -> Int64 {
    largest.map { $0.atMs.plus(max(0, monotonicMs - $0.readMs)) } ?? wallMs
  }
}
