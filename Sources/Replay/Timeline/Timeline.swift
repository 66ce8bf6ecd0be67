package import RoomModel
package import RoomScreen
package import Settings

/// Replays a log to draw a room over time: one page, written as it goes, that needs nothing but itself.
package struct Timeline: ~Copyable {
  private var watch: RoomWatch<TimelineRecorder>
  private var start: [UInt8]
  private var takenCount = 0
  private let limit: Int
  /// The time at which it ends because it would become too large for a browser; nil: it has room.
  package private(set) var fullAt: LogTime?

  /// - Parameters:
  ///   - settings: those in force before the first line.
  ///   - hashSeed: anything. Nothing that comes out depends on it.
  ///   - limit: of the page, in bytes, within a line or two; what comes later is left out.
  package init(room: ID, settings: LogSettings, hashSeed: UInt64, limit: Int = 64 << 20) {
    self.limit = limit
    watch = RoomWatch(room: room, settings: settings, hashSeed: hashSeed, observer: TimelineRecorder(room: room))
    start = TimelinePage.head(room: room)
  }

  package mutating func play(_ line: LogLine) throws(BrokenLog) {
    guard fullAt == nil else { return }
    try watch.play(line)
    if takenCount + pageCount > limit { fullAt = watch.observer.time?.upperBound }
  }

  /// Fires every timer with a deadline up to then, that one included.
  package mutating func fire(to time: LogTime) {
    if fullAt == nil { watch.fire(to: time) }
  }

  /// Whether nothing of the room came.
  package var isEmpty: Bool { watch.observer.time == nil }

  /// Bytes that `takePage` would give.
  package var pageCount: Int { start.count + watch.observer.output.count }

  /// The page so far, to be appended to what was taken before.
  package mutating func takePage() -> [UInt8] {
    defer { start = [] }
    let page = start + watch.observer.takeOutput()
    takenCount += page.count
    return page
  }

  /// The rest of the page.
  package mutating func end() -> [UInt8] {
    watch.observer.end(watch.partitions)
    return takePage() + watch.observer.lastLine + TimelinePage.foot
  }
}
