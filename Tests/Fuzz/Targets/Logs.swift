import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Wire

/// A saved log: its lines are replayed, compared with what other settings would give, explained and drawn.
extension FuzzTarget {
  static let logs = [
    FuzzTarget("log-lines", seeds: { seeds }, run: replay),
    FuzzTarget("explanations", seeds: { seeds }, run: explain),
  ]

  private static var seeds: [[UInt8]] {
    var lines: [[UInt8]] = []
    func add(_ content: LogLine.Content) {
      var writer = LogLineWriter()
      let line = LogLine(topic: Text("im.gifts"), partition: 0, content: content)
      lines.append(Samples.bytes { writer.write(line, into: &$0) })
    }
    var state: LogState?
    Samples.withLog { log, _ in state = LogState(of: log, before: 18, settings: LogSettings()) }
    add(.state(state!))
    for (offset, event) in zip(Int64(18)..., Samples.events) {
      Samples.json(event).withUnsafeBytes { json in
        add(
          .record(
            LogRecord(
              offset: offset, timestampMs: Samples.clock + 5000 + offset, key: Text("r1").bytes, value: .bytes(json),
              headers: offset % 2 == 0 ? [("content-type", Text("application/json").bytes)] : [])))
      }
    }
    add(.firedTo(Samples.clock + 60_000))
    add(.doubt("a line of the journal is damaged"))
    var settings = LogSettings()
    settings.engine.gift.lanes = 3
    add(.settings(settings))
    return [Array(lines.joined()), Array(lines.dropFirst().joined())] + lines
  }

  private static func replay(_ bytes: UnsafeRawBufferPointer) {
    var replayer = Replayer(settings: LogSettings(), hashSeed: 1)
    let overlay = try! SettingsOverlay(named: [("gift.lanes", "3"), ("wish.gap", "300")], place: "here")
    let whatIf = try! WhatIfReplay(settings: LogSettings(), overlays: [overlay], room: nil)
    var writer = LogLineWriter()
    forEachLine(in: bytes) { line in
      try? replayer.play(line)
      try? whatIf.play(line)
      _ = Samples.bytes { writer.write(line, into: &$0) }
    }
    _ = replayer.summary.description
  }

  private static func explain(_ bytes: UnsafeRawBufferPointer) {
    var command = Explainer(.command(CommandName("im.gifts/0/20/0")!), room: "r1", settings: LogSettings(), hashSeed: 1)
    var user = Explainer(.user("7"), room: "r1", settings: LogSettings(), hashSeed: 1)
    var timeline = Timeline(room: "r1", settings: LogSettings(), hashSeed: 1)
    forEachLine(in: bytes) { line in
      try? command.play(line)
      try? user.play(line)
      try? timeline.play(line)
    }
    _ = command.explain(published: PublishedCommands())
    _ = user.explain()
    _ = timeline.end()
  }

  private static func forEachLine(in bytes: UnsafeRawBufferPointer, _ body: (LogLine) -> Void) {
    var reader = LogLineReader()
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(64) {
      guard let line = try? reader.read(UnsafeRawBufferPointer(rebasing: line)), !line.isEndless else { continue }
      body(line)
    }
  }
}

extension LogLine {
  /// It would make the engine count up to 2^63 one by one, which takes as long as it takes.
  fileprivate var isEndless: Bool {
    switch content {
    case .record, .firedTo, .doubt: false
    case .settings(let settings): settings.isEndless
    case .state(let state): state.settings.isEndless
    }
  }
}

extension LogSettings {
  fileprivate var isEndless: Bool {
    !(1...100).contains(engine.gift.catchUpTicks) || engine.gift.holdMs > 100_000 || engine.rain.tallyMs == 0
  }
}
