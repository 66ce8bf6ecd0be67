import Replay
import RoomEngine
import RoomModel
import Settings
import TerminalView

/// `replay --what-if`: a log as it was beside what it would have been.
struct WhatIfRun: ~Copyable {
  private var replay: WhatIfReplay
  private var bar = ProgressBar()

  init(settings: LogSettings, whatIf: LogSettings, keepsRoomSettings: Bool, room: String?) {
    replay = WhatIfReplay(settings: settings, whatIf: whatIf, keepsRoomSettings: keepsRoomSettings, room: room)
  }

  mutating func play(_ source: any LogSource, until: Int64?) throws -> ExitStatus {
    while let line = try source.next() {
      line.printWarning("replay")
      do { try replay.play(line) } catch { throw BrokenLog("\(source.place): \(error)") }
      bar.show(replay.summary.records, source.progress)
    }
    bar.clear()
    source.printWarnings("replay")
    if let until { replay.fire(to: until) }
    LogInput.printOldRules(replay.oldestRules, "replay")
    var output = StandardOutput()
    output.append(WhatIfTable(replay).text)
    try output.flush()
    return .done
  }
}

/// Both runs side by side, a line for each kind of gift, those that were shown most first.
private struct WhatIfTable {
  let text: String

  private struct Line {
    var name: String
    var cells: [String]
  }

  init(_ replay: borrowing WhatIfReplay) {
    let (actual, alternative) = (replay.actual, replay.alternative)
    let ids = Set(actual.gifts.keys).union(alternative.gifts.keys).sorted {
      let (a, b) = (actual.gifts[$0]?.shown ?? 0, actual.gifts[$1]?.shown ?? 0)
      return (-a, $0) < (-b, $1)
    }
    var lines = ids.map { id in
      let (before, after) = (actual.gifts[id] ?? .init(), alternative.gifts[id] ?? .init())
      let name = before.name.isEmpty ? after.name : before.name
      return Line(
        name: name.isEmpty || name == id ? id : "\(name) (\(id))", cells: Self.cells(before) + Self.cells(after))
    }
    lines.append(
      Line(name: "all gifts", cells: Self.cells(Self.sum(actual.gifts)) + Self.cells(Self.sum(alternative.gifts))))
    // Only where there are more than the lowest.
    let tiers = Set(actual.tiers.keys).union(alternative.tiers.keys).sorted()
    for tier in tiers where tiers != [0] {
      lines.append(
        Line(
          name: "  tier \(tier)",
          cells: Self.cells(actual.tiers[tier] ?? .init()) + Self.cells(alternative.tiers[tier] ?? .init())))
    }
    lines.append(Line(name: "wishes", cells: Self.cells(actual.wishes) + Self.cells(alternative.wishes)))
    for (name, path) in ShowStatistics.reasons {
      let (before, after) = (actual[skips: path], alternative[skips: path])
      guard before + after > 0 else { continue }
      lines.append(Line(name: "skipped: \(name)", cells: ["", "\(before)", "", "", "\(after)", ""]))
    }
    lines.append(
      Line(
        name: "commands", cells: ["\(replay.commands.actual)", "", "", "\(replay.commands.alternative)", "", ""]))
    let head = Line(name: "", cells: ["shown", "skipped", "longest wait", "shown", "skipped", "longest wait"])
    text = Self.text(["as it was", "with these settings"], [head] + lines)
  }

  private static func sum(_ gifts: [String: ShowStatistics.Row]) -> ShowStatistics.Row {
    gifts.values.reduce(into: ShowStatistics.Row()) { sum, row in
      sum.shown += row.shown
      sum.skipped += row.skipped
      sum.longestWaitMs = max(sum.longestWaitMs, row.longestWaitMs)
    }
  }

  private static func cells(_ row: ShowStatistics.Row) -> [String] {
    let tenths = (row.longestWaitMs + 50) / 100
    return ["\(row.shown)", "\(row.skipped)", "\(tenths / 10).\(tenths % 10) s"]
  }

  private static func text(_ runs: [String], _ lines: [Line]) -> String {
    let first = lines.map { $0.name.cells }.max() ?? 0
    let widths = (0..<6).map { column in lines.map { $0.cells[column].cells }.max() ?? 0 }
    let half = widths[0] + widths[1] + widths[2] + 4
    var text = pad("", first) + "  " + pad(runs[0], half) + "    " + runs[1] + "\n"
    for line in lines {
      text += pad(line.name, first)
      for column in 0..<6 {
        let gap = String(repeating: " ", count: column == 3 ? 4 : 2)
        text += gap + String(repeating: " ", count: widths[column] - line.cells[column].cells) + line.cells[column]
      }
      while text.last == " " { text.removeLast() }
      text += "\n"
    }
    return text
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.cells))
  }
}
