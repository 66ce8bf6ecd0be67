package import RoomModel
package import RoomScreen
package import Settings

/// Replays a log to draw a room over time: one page, written as it goes, that needs nothing but itself.
package struct Timeline: ~Copyable {
  private var watch: RoomWatch<TimelineRecorder>
  private var page = TimelinePage()
  private var isFirst = true
  private var takenCount = 0
  private let limit: Int
  /// The time at which it ends because it would become too large for a browser; nil: it has room.
  package private(set) var fullAt: LogTime?

  private static var blockBytes: Int { 1 << 18 }

  /// - Parameters:
  ///   - settings: those in force before the first line.
  ///   - hashSeed: anything. Nothing that comes out depends on it.
  ///   - limit: of its data before it is compressed, in bytes, within a row or two; what comes later is left out.
  package init(room: ID, settings: LogSettings, hashSeed: UInt64, limit: Int = 96 << 20) {
    self.limit = limit
    watch = RoomWatch(room: room, settings: settings, hashSeed: hashSeed, observer: TimelineRecorder(room: room))
  }

  package mutating func play(_ line: LogLine) throws(BrokenLog) {
    guard fullAt == nil else { return }
    try watch.play(line)
    if takenCount + watch.observer.output.count > limit { fullAt = watch.observer.time?.upperBound }
    if watch.observer.output.count >= Self.blockBytes { packBlock() }
  }

  /// Fires every timer with a deadline up to then, that one included.
  package mutating func fire(to time: LogTime) {
    if fullAt == nil { watch.fire(to: time) }
  }

  /// Whether nothing of the room came.
  package var isEmpty: Bool { watch.observer.time == nil }

  private mutating func packBlock(isLast: Bool = false) {
    let block = watch.observer.takeBlock()
    takenCount += block.count
    page.append(Array((isFirst ? "[" : ",\n").utf8) + block + (isLast ? "]" : "").utf8, isLast: isLast)
    isFirst = false
  }

  /// The page so far, to be appended to what was taken before; little comes at a time.
  package mutating func takePage() -> [UInt8] { page.take() }

  /// The rest of the page.
  package mutating func end() -> [UInt8] {
    watch.observer.end(watch.partitions)
    packBlock(isLast: true)
    return page.take() + TimelinePage.foot
  }
}
