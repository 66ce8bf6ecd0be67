package import RoomModel
package import Settings

/// Replays a log to draw a room over time: one page, written as it goes, that needs nothing but itself.
package struct Timeline: ~Copyable {
  private var watch: RoomWatch<TimelineRecorder>
  private var start: [UInt8]

  /// - Parameters:
  ///   - settings: those in force before the first line.
  ///   - hashSeed: anything. Nothing that comes out depends on it.
  package init(room: String, settings: LogSettings, hashSeed: UInt64) {
    watch = RoomWatch(room: room, settings: settings, hashSeed: hashSeed, observer: TimelineRecorder(room: room))
    start = TimelinePage.head(room: room)
  }

  package mutating func play(_ line: LogLine) throws(BrokenLog) { try watch.play(line) }

  /// Fires every timer with a deadline up to then, that one included.
  package mutating func fire(to time: LogTime) { watch.fire(to: time) }

  /// Bytes that `takePage` would give.
  package var pageCount: Int { start.count + watch.observer.output.count }

  /// The page so far, to be appended to what was taken before.
  package mutating func takePage() -> [UInt8] {
    defer { start = [] }
    return start + watch.observer.takeOutput()
  }

  /// The rest of the page.
  package mutating func end() -> [UInt8] {
    watch.observer.end(watch.partitions)
    return takePage() + watch.observer.lastLine + TimelinePage.foot
  }
}
