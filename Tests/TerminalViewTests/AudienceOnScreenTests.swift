import Foundation
import JSON
import RoomEngine
import RoomModel
import RoomScreen
import Simulation
import TerminalView
import Testing
import Wire

/// A crowd's events, through the engine and as bytes, on a terminal: what the demo shows, with time as we like it.
///
/// `SHOW_FRAMES=1 swift test --filter AudienceOnScreenTests` prints a frame each second.
struct AudienceOnScreenTests {
  @Test func whatACrowdDoesIsDrawnWithinTheTerminal() throws {
    var settings = EngineSettings()
    settings.wish.stageWidth = Int64(RoomsView.narrowest)
    settings.wish.em = 2
    settings.wish.padding = 4
    settings.wish.gap = 3
    var audience = Audience(rooms: 4, rate: 20, seed: 1)
    let names = audience.rooms.map(\.description)
    let view = RoomsView(
      panels: names.map { RoomPanel(title: $0, tracks: 3, lanes: 2, stageWidth: settings.wish.stageWidth) })
    var log = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var screens = names.map { Screen(ID($0)) }
    var batch = CommandBatch()
    var shown: Set<String> = []
    var hasEnded = false
    var offset: Int64 = 0
    var next = audience.next()

    for frame in 0..<750 {
      let nowMs = LogTime(frame * 80)
      while next.atMs <= nowMs {
        _ = log.apply(offset: offset, timestampMs: next.atMs, event: next.event, into: &batch)
        offset += 1
        next = audience.next()
      }
      _ = log.fireTimers(through: nowMs, into: &batch)
      try apply(Array(batch.commands), to: &screens, of: names, shown: &shown)
      batch.removeAll()
      for room in screens.indices { screens[room].advance(to: nowMs) }

      let canvas = view.canvas(width: 80, height: 24, screens: screens, nowMs: nowMs, status: "status")
      let rows = (0..<24).map { canvas.text(row: $0) }
      for row in rows { #expect(row.cells <= 80) }
      hasEnded = hasEnded || rows.contains { $0.contains(" has ended ") }
      for name in names { #expect(rows.contains { $0.contains(" \(name) ") }) }
      #expect(rows[23] == "status")
      if ProcessInfo.processInfo.environment["SHOW_FRAMES"] != nil, frame % 12 == 0 {
        print(rows.joined(separator: "\n"))
      }
    }
    #expect(shown.isSuperset(of: ["giftShow", "giftBump", "giftHide", "wishFly", "wishLikes", "skipped"]))
    #expect(shown.isSuperset(of: ["likeBurst", "rainCountdown", "rainDrop", "rainTally", "rainEnd", "roomEnd"]))
    #expect(hasEnded)
  }

  private func apply(
    _ commands: [RoomCommand], to screens: inout [Screen], of names: [String], shown: inout Set<String>
  ) throws {
    let encoder = CommandEncoder(topic: "im.gifts", partition: 0, format: .json)
    var decoder = CommandDecoder()
    var bytes = ByteBuffer()
    for command in commands {
      bytes.removeAll()
      encoder.encode(command, into: &bytes)
      let published = try #require(try decoder.decode(value: bytes.bytes, contentType: nil))
      let room = try #require(names.firstIndex(of: published.command.roomId.description))
      screens[room].apply(Command(published))
      shown.insert("\(published.command.body)".prefix { $0 != "(" }.description)
    }
  }
}
