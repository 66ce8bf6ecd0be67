import Replay
import RoomModel
import RoomScreen
import TerminalView

/// Runs of a log side by side: settings that differ, then a line for each kind of gift, those that were shown most first.
struct WhatIfTable {
  private enum Kind: String { case setting, gift, gifts, tier, wishes, spot, told, undrawn, left, skipped, commands }

  private struct Line {
    let kind: Kind
    /// The id of a gift, or the number of a tier.
    var id = ""
    let name: String
    /// One for each run.
    let cells: [Cells]
  }

  private enum Cells {
    case setting([String])
    case row(ShowStatistics.Row)
    /// Gifts that bars told, and in how many commands.
    case told(Int64, Int64)
    /// Waits of what was never drawn.
    case undrawn(WaitTimes)
    case left(ShowStatistics.Left)
    case skipped(Int64)
    case commands(Int)
  }

  private let names: [String]
  private let doubts: [(partition: String, why: String)]
  private var lines: [Line] = []

  /// - Parameters:
  ///   - names: of the runs.
  ///   - doubts: partitions of which no run is exact, and why.
  init(_ replay: borrowing WhatIfReplay, names: [String], doubts: [(partition: String, why: String)]) {
    self.names = names
    self.doubts = doubts
    let shows = replay.runs.map(\.show)
    for (name, values) in replay.differingSettings {
      lines.append(Line(kind: .setting, name: name, cells: values.map { .setting($0) }))
    }
    let ids = Set(shows.flatMap(\.gifts.keys)).sorted {
      let (a, b) = (shows[0].gifts[$0]?.shown ?? 0, shows[0].gifts[$1]?.shown ?? 0)
      return (-a, $0) < (-b, $1)
    }
    for id in ids {
      let name = shows.lazy.compactMap { $0.gifts[id]?.name }.first { !$0.isEmpty } ?? id.string
      lines.append(
        Line(
          kind: .gift, id: id.string, name: ID(name) == id ? name : "\(name) (\(id))",
          cells: shows.map { .row($0.gifts[id] ?? .init()) }))
    }
    lines.append(Line(kind: .gifts, name: "all gifts", cells: shows.map { .row($0.allGifts) }))
    // Only where there are more than the lowest.
    let tiers = Set(shows.flatMap(\.tiers.keys)).sorted()
    for tier in tiers where tiers != [0] {
      lines.append(
        Line(kind: .tier, id: "\(tier)", name: "  tier \(tier)", cells: shows.map { .row($0.tiers[tier] ?? .init()) }))
    }
    lines.append(Line(kind: .wishes, name: "wishes", cells: shows.map { .row($0.wishes) }))
    if shows.contains(where: { $0.spots != .init() }) {
      lines.append(Line(kind: .spot, name: "spot", cells: shows.map { .row($0.spots) }))
    }
    if shows.contains(where: { $0.crowdShows > 0 }) {
      lines.append(
        Line(kind: .told, name: "told of crowds", cells: shows.map { .told($0.toldUnits, $0.crowdShows) }))
    }
    for (id, name, waits) in [
      ("gift", "combos never drawn", shows.map(\.undrawnCombos)),
      ("wish", "wishes never drawn", shows.map(\.undrawnWishes)),
    ] where waits.contains(where: { $0.count > 0 }) {
      lines.append(Line(kind: .undrawn, id: id, name: name, cells: waits.map { .undrawn($0) }))
    }
    for (id, name, left) in [
      ("gift", "gifts left to show", shows.map(\.leftGifts)), ("wish", "wishes left to fly", shows.map(\.leftWishes)),
    ] where left.contains(where: { $0.units > 0 }) {
      lines.append(Line(kind: .left, id: id, name: name, cells: left.map { .left($0) }))
    }
    for (name, path) in ShowStatistics.reasons {
      let counts = shows.map { $0[skips: path] }
      guard counts.contains(where: { $0 > 0 }) else { continue }
      lines.append(Line(kind: .skipped, name: "skipped: \(name)", cells: counts.map { .skipped($0) }))
    }
    lines.append(Line(kind: .commands, name: "commands", cells: replay.runs.map { .commands($0.commands) }))
  }

  // MARK: For people

  private static let columns = ["shown", "in crowds", "skipped", "p50 wait", "p95 wait", "longest"]

  var text: String {
    let settings = lines.filter { $0.kind == .setting }
    var text = doubts.map { "not exact: \($0.partition): \($0.why)\n" }.joined()
    if settings.isEmpty {
      text += "no setting differs\n\n"
    } else {
      let rows = [[""] + names] + settings.map { line in [line.name] + line.cells.map { Self.texts(of: $0)[0] } }
      text += Self.aligned(rows, leading: 1 + names.count) + "\n"
    }
    let head = [""] + names.flatMap { _ in Self.columns }
    let body = lines.filter { $0.kind != .setting }.map { [$0.name] + $0.cells.flatMap(Self.texts) }
    let widths = Self.widths([head] + body)
    let group = Self.columns.count
    var first = pad("", widths[0])
    for (run, name) in names.enumerated() {
      let width = widths[(1 + run * group)..<(1 + (run + 1) * group)].reduce(0, +) + 2 * (group - 1)
      first += "  " + (run > 0 ? "  " : "") + pad(name, width)
    }
    text += Self.trimmed(first) + "\n"
    for row in [head] + body {
      var line = pad(row[0], widths[0])
      for (column, cell) in row.enumerated().dropFirst() {
        line += (column > 1 && (column - 1) % group == 0 ? "    " : "  ")
        line += String(repeating: " ", count: widths[column] - cell.cells) + cell
      }
      text += Self.trimmed(line) + "\n"
    }
    return text
  }

  private static func texts(of cells: Cells) -> [String] {
    let rest = Array(repeating: "", count: columns.count - 1)
    switch cells {
    case .setting(let values): return [values.map { $0.isEmpty ? "none" : $0 }.joined(separator: ", then ")]
    case .row(let row):
      return ["\(row.shown)", "\(row.joined)", "\(row.skipped)"] + texts(of: row.waits)
    case .undrawn(let waits): return ["\(waits.count)", "", ""] + texts(of: waits)
    case .left(let left): return ["\(left.units)", "", ""] + texts(of: left.waits)
    case .told(let units, let commands): return ["\(commands) bars", "\(units)"] + rest.dropFirst()
    case .skipped(let count): return ["", "", "\(count)"] + rest.dropFirst(2)
    case .commands(let count): return ["\(count)"] + rest
    }
  }

  private static func texts(of waits: WaitTimes) -> [String] {
    [waits.percentileMs(50), waits.percentileMs(95), waits.count > 0 ? waits.longestMs : nil].map(seconds)
  }

  private static func seconds(_ ms: Milliseconds?) -> String {
    guard let ms else { return "-" }
    let tenths = (ms + 50) / 100
    return "\(tenths / 10).\(tenths % 10) s"
  }

  private static func aligned(_ rows: [[String]], leading: Int) -> String {
    let widths = widths(rows)
    return rows.map { row in
      trimmed(row.enumerated().map { pad($0.element, widths[$0.offset]) }.joined(separator: "  ")) + "\n"
    }.joined()
  }

  private static func widths(_ rows: [[String]]) -> [Int] {
    (0..<rows[0].count).map { column in rows.map { $0[column].cells }.max() ?? 0 }
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.cells))
  }

  private func pad(_ text: String, _ width: Int) -> String { Self.pad(text, width) }

  private static func trimmed(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }

  // MARK: For programs

  /// A line for each run and row: times in milliseconds, what a row doesn't have is empty.
  var csv: String {
    var text = "run,kind,id,name,shown,inCrowds,skipped,drawn,p50Ms,p95Ms,longestMs,value\n"
    for doubt in doubts {
      text +=
        ["", "notExact", doubt.partition, "", "", "", "", "", "", "", "", doubt.why].map(Self.quoted)
        .joined(separator: ",") + "\n"
    }
    for (run, runName) in names.enumerated() {
      for line in lines {
        var fields = [runName, line.kind.rawValue, line.id, line.name.drop { $0 == " " }.description]
        switch line.cells[run] {
        case .setting(let values): fields += ["", "", "", "", "", "", "", values.joined(separator: ", then ")]
        case .row(let row):
          fields += ["\(row.shown)", "\(row.joined)", "\(row.skipped)", "\(row.waits.count)"]
          fields += Self.fields(of: row.waits) + [""]
        case .undrawn(let waits): fields += ["", "", "", ""] + Self.fields(of: waits) + ["\(waits.count)"]
        case .left(let left): fields += ["", "", "", ""] + Self.fields(of: left.waits) + ["\(left.units)"]
        case .told(let units, let commands): fields += ["\(commands)", "\(units)", "", "", "", "", "", ""]
        case .skipped(let count): fields += ["", "", "\(count)", "", "", "", "", ""]
        case .commands(let count): fields += ["", "", "", "", "", "", "", "\(count)"]
        }
        text += fields.map(Self.quoted).joined(separator: ",") + "\n"
      }
    }
    return text
  }

  private static func fields(of waits: WaitTimes) -> [String] {
    [waits.percentileMs(50), waits.percentileMs(95), waits.count > 0 ? waits.longestMs : nil].map { ms in
      ms.map { "\($0)" } ?? ""
    }
  }

  private static func quoted(_ field: String) -> String {
    // A character may hold more than one of these, and one of these with a mark on it.
    guard field.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return field }
    let doubled = field.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
    return "\"\(String(String.UnicodeScalarView(doubled)))\""
  }
}
