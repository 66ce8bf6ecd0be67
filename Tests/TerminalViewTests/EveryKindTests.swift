import Foundation
import RoomModel
import RoomScreen
import TerminalView
import TestSupport
import Testing

/// A kind of command that a terminal doesn't tell or doesn't draw fails here.
struct EveryKindTests {
  private static func example(_ kind: RoomCommand.Body.Kind) throws -> Command {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Schemas/examples").appending(path: "command-\(kind).json")
    return try JSONDecoder().decode(Command.self, from: Data(contentsOf: file))
  }

  @Test(arguments: RoomCommand.Body.Kind.allCases) func eachKindIsTold(kind: RoomCommand.Body.Kind) throws {
    #expect(!(try Self.example(kind)).sentence.isEmpty)
  }

  @Test(arguments: RoomCommand.Body.Kind.allCases) func aPanelDrawsEachKind(kind: RoomCommand.Body.Kind) throws {
    let command = try Self.example(kind)
    // By then a banner has come in from the right.
    let nowMs = command.atMs + 1000
    var screen = Screen(command.roomId)
    screen.apply(command)
    screen.advance(to: nowMs)
    #expect((Self.rows(screen, nowMs) != Self.rows(Screen(command.roomId), nowMs)) == (kind.showing != .changes))
  }

  private static func rows(_ screen: Screen, _ nowMs: Int64) -> [String] {
    let panel = RoomPanel(title: "room", tracks: 3, lanes: 2, stageWidth: 375)
    var canvas = Canvas(width: 80, height: panel.height)
    panel.draw(screen, at: nowMs, in: 0..<80, fromRow: 0, on: &canvas)
    return (0..<canvas.height).map { canvas.text(row: $0) }
  }
}
