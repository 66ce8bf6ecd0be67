import Glibc
import Replay
import Settings

/// The page of `--timeline`, written while the log goes by.
final class TimelineFile {
  private let path: String
  private let room: String
  private let descriptor: Int32
  private var timeline: Timeline

  private static var chunkBytes: Int { 1 << 18 }

  /// Nil: none is asked for.
  init?(_ arguments: Arguments, _ settings: LogSettings) throws {
    guard let path = arguments["timeline"] else { return nil }
    guard let room = arguments["room"] else {
      throw SettingsError("--timeline draws one room; say which with --room")
    }
    self.path = path
    self.room = room
    timeline = Timeline(room: room, settings: settings, hashSeed: .random(in: .min ... .max))
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    if descriptor < 0 { throw unwritable }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  func play(_ line: LogLine) throws {
    try timeline.play(line)
    if timeline.pageCount >= Self.chunkBytes { try write(timeline.takePage()) }
  }

  /// Fires timers up to `until`, and ends the page.
  func end(until: Int64?) throws {
    if let until { timeline.fire(to: until) }
    if let fullAt = timeline.fullAt {
      Flyscreen.printError(
        "replay: \(path) ends at \(fullAt.dateAndClock) UTC, or it would be too large for a browser; a range that begins"
          + " there (--from) shows what comes later")
    } else if timeline.isEmpty {
      Flyscreen.printError("replay: \(path) is empty: nothing of the room \(room) is in what was replayed")
    }
    try write(timeline.end())
  }

  private func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw unwritable }
      rest = rest.dropFirst(max(0, count))
    }
  }

  private var unwritable: CommandFailure {
    CommandFailure(.failed, "\(path) can't be written: \(String(cString: strerror(errno)))")
  }
}
