import Platform
import RoomEngine
import RoomModel
import RoomScreen
import TerminalView
import Wire

/// The demo's output: rooms that are drawn, or lines without a terminal.
struct DemoShow {
  private enum Medium {
    case terminal(TerminalSession)
    case lines(StandardOutput)
  }

  private var rooms: DemoRooms
  private let view: RoomsView
  private var medium: Medium
  private var frameAtMs: Int64 = 0
  private var rates = Rates()
  private var told: DemoStory.Scene?

  /// 12 frames a second.
  private static let frameMs: Int64 = 80

  /// The page's address.
  private let page: String

  init(names: [String], settings: EngineSettings, page: String, environment: [String: String]) {
    self.page = page
    rooms = DemoRooms(names.map { ID($0) })
    view = RoomsView(
      panels: names.map {
        RoomPanel(
          title: $0, tracks: Int(settings.wish.tracks), lanes: Int(settings.gift.lanes),
          stageWidth: settings.wish.stageWidth)
      })
    medium =
      TerminalSession.isPossible(environment) ? .terminal(TerminalSession(environment)) : .lines(StandardOutput())
    if case .lines(var output) = medium {
      output.append("flyscreen demo: the page is at \(page)\n")
      try? output.flush()
    }
  }

  mutating func take(_ published: DecodedCommand) {
    let command = Command(published)
    rooms.take(command, nowMs: WallClock.nowMs())
    if case .lines(var output) = medium {
      output.append(command.sentence + "\n")
      try? output.flush()
    }
  }

  /// Draws, if it is time, with what a scene is about.
  mutating func proceed(eventCount: Int, telling scene: DemoStory.Scene?) {
    if case .lines(var output) = medium, let scene, scene != told {
      output.append("\n\(scene.caption)\n\(scene.call.joined(separator: " "))\n\n")
      try? output.flush()
    }
    told = scene
    let nowMs = WallClock.nowMs()
    guard nowMs - frameAtMs >= Self.frameMs, case .terminal(var terminal) = medium else { return }
    frameAtMs = nowMs
    rates.count(events: eventCount, commands: rooms.commandCount, nowMs: nowMs)
    let shownMs = nowMs - DemoRooms.delayMs
    rooms.advance(to: shownMs)
    let (width, height) = terminal.size
    terminal.draw(
      view.canvas(
        width: width, height: height, screens: rooms.screens, nowMs: shownMs, notes: notes(width: width), status: status
      ))
    medium = .terminal(terminal)
  }

  /// A call that is longer than a row is broken so that a shell takes both rows.
  private func notes(width: Int) -> [String] {
    guard let told else { return [] }
    let call = told.call.joined(separator: " ")
    return [told.caption] + (call.count <= width ? [call] : [told.call[0] + " \\", told.call[1]])
  }

  private var status: String {
    let state =
      rooms.commandCount == 0
      ? "the worker joins its group"
      : "\(rates.commands) commands/s · \(Int(rooms.latenessMs)) ms behind"
    return "\(page) · \(rates.events) events/s · \(state) · Ctrl-C ends it"
  }

  mutating func end() {
    if case .terminal(var terminal) = medium { terminal.end() }
  }
}

/// Events and commands a second, over the last seconds.
private struct Rates {
  private var marks: [(atMs: Int64, events: Int, commands: Int)] = []

  mutating func count(events: Int, commands: Int, nowMs: Int64) {
    marks.append((nowMs, events, commands))
    marks.removeAll { nowMs - $0.atMs > 3000 }
  }

  var events: Int { perSecond { $0.events } }
  var commands: Int { perSecond { $0.commands } }

  private func perSecond(_ count: ((atMs: Int64, events: Int, commands: Int)) -> Int) -> Int {
    guard let first = marks.first, let last = marks.last, last.atMs > first.atMs else { return 0 }
    return (count(last) - count(first)) * 1000 / Int(last.atMs - first.atMs)
  }
}
