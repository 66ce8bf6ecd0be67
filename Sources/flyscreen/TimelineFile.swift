import Replay
import RoomScreen
import Settings

/// The page of `--timeline`, written while the log goes by; under its name once it is whole.
final class TimelineFile {
  private let path: String
  private let room: ID
  private let file: WholeFile
  private var timeline: Timeline

  init(_ path: String, room: ID, _ settings: LogSettings) throws {
    self.path = path
    self.room = room
    timeline = Timeline(room: room, settings: settings, hashSeed: .random(in: .min ... .max))
    file = try WholeFile(path: path)
  }

  var isEmpty: Bool { timeline.isEmpty }

  func play(_ line: LogLine) throws {
    try timeline.play(line)
    let page = timeline.takePage()
    if !page.isEmpty { try write(page) }
  }

  /// Fires timers up to `until`, and ends the page. A page with nothing on it is not written.
  func end(until: Int64?) throws {
    if let until { timeline.fire(to: until) }
    if timeline.isEmpty {
      throw CommandFailure(.failed, "nothing of the room \(room) is in what was replayed: is that its name?")
    }
    if let fullAt = timeline.fullAt {
      Flyscreen.printError(
        "replay: \(path) ends at \(fullAt.dateAndClock), or it would be too large for a browser; a range that begins"
          + " there (--from) shows what comes later")
    }
    try write(timeline.end())
    try file.close()
  }

  private func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try file.write($0) }
  }
}
