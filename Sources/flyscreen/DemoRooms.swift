import RoomModel
import RoomScreen

/// The rooms of the demo: their screens, and the commands that wait for their time.
///
/// A client acts on a command at its `atMs`. So that none comes too late, what is shown is what was a little while
/// ago; then everything moves as evenly as the engine meant it.
struct DemoRooms {
  /// An idle partition's timers fire `clock.graceMs` late, and the embedded broker answers an empty fetch late.
  static let delayMs: Milliseconds = 400

  private struct Waiting {
    let room: Int
    let command: Command
  }

  let names: [ID]
  private(set) var screens: [Screen]
  private(set) var commandCount = 0
  /// The delay of the last commands after their time, on average.
  private(set) var latenessMs = 0.0
  private var waiting: [Waiting] = []

  init(_ names: [ID]) {
    self.names = names
    screens = names.map { Screen($0) }
  }

  mutating func take(_ command: Command, nowMs: LogTime) {
    guard let room = names.firstIndex(of: command.roomId) else { return }
    commandCount += 1
    latenessMs += (Double(max(0, nowMs - command.atMs)) - latenessMs) / 50
    waiting.append(Waiting(room: room, command: command))
  }

  /// Lets the screens be what they were at `timeMs`.
  mutating func advance(to timeMs: LogTime) {
    // The times of a room's commands only grow, so this is each room's order.
    for next in waiting where next.command.atMs <= timeMs { screens[next.room].apply(next.command) }
    waiting.removeAll { $0.command.atMs <= timeMs }
    for room in screens.indices { screens[room].advance(to: timeMs) }
  }
}
