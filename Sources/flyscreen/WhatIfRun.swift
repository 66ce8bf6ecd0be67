import Replay
import RoomModel
import RoomScreen
import Settings

/// `replay --what-if`: a log as it was, and as it would have been under each file of settings.
final class WhatIfRun {
  private let files: [String]
  private let room: ID?
  private var replay: WhatIfReplay
  private var bar = ProgressBar()
  /// Partitions whose output may differ from what was published, and why, a line each.
  private var doubts: [String] = []

  /// - Parameter files: of settings.
  init(_ files: [String], over settings: LogSettings, room: ID?) throws(SettingsError) {
    self.files = files
    self.room = room
    var overlays: [SettingsOverlay] = []
    for file in files { overlays.append(try SettingsOverlay(file: file)) }
    replay = try WhatIfReplay(settings: settings, overlays: overlays, room: room)
  }

  func play(_ source: any LogSource, until: Int64?) throws -> ExitStatus {
    while let line = try source.next() {
      line.printWarning("replay")
      if let warning = line.warning { doubts.append("not exact: \(line.topic)[\(line.partition)]: \(warning)\n") }
      do { try replay.play(line) } catch { throw BrokenLog("\(source.place): \(error)") }
      bar.show(replay.summary.records, source.progress)
    }
    bar.clear()
    source.printWarnings("replay")
    if let until { replay.fire(to: until) }
    replay.end()
    if let room, !replay.knows(room) {
      throw CommandFailure(.failed, "no event of a room \(room) is in what was replayed: is that its name?")
    }
    var output = StandardOutput()
    for doubt in doubts { output.append(doubt) }
    for (name, run) in zip(["as it was"] + files.map { "with \($0)" }, replay.runs) {
      output.append("\(name)\n" + run.lines.map { "  \($0)\n" }.joined())
    }
    try output.flush()
    return doubts.isEmpty ? .done : .untold
  }
}

extension ShowRun {
  /// The settings that any file names, then a line for each kind of gift, those that were shown most first.
  fileprivate var lines: [String] {
    var lines = settings.map { name, values in
      "\(name): " + values.map { $0.isEmpty ? "none" : $0 }.joined(separator: ", then ")
    }
    for (id, row) in show.gifts.sorted(by: { (-$0.value.shown, $0.key) < (-$1.value.shown, $1.key) }) {
      let name = row.name.isEmpty || ID(row.name) == id ? id.printable : "\(row.name.printable) (\(id.printable))"
      lines.append("\(name): \(row.words)")
    }
    lines.append("all gifts: \(show.allGifts.words)")
    // Only where there are more than the lowest.
    if show.tiers.keys.contains(where: { $0 != 0 }) {
      for (tier, row) in show.tiers.sorted(by: { $0.key < $1.key }) { lines.append("tier \(tier): \(row.words)") }
    }
    lines.append("wishes: \(show.wishes.words)")
    if show.spots != .init() { lines.append("spot: \(show.spots.words)") }
    if show.crowdShows > 0 { lines.append("crowds: \(show.toldUnits) gifts told by \(show.crowdShows) commands") }
    for (reason, key) in ShowStatistics.reasons where show[skips: key] > 0 {
      lines.append("skipped, \(reason): \(show[skips: key])")
    }
    if show.leftGifts > 0 { lines.append("gifts left to show at the end: \(show.leftGifts)") }
    if show.leftWishes > 0 { lines.append("wishes left to fly at the end: \(show.leftWishes)") }
    return lines + ["commands: \(commands)"]
  }
}

extension ShowStatistics.Row {
  fileprivate var words: String {
    let counts = "\(shown) shown, \(joined) in crowds, \(skipped) skipped"
    guard let half = waits.percentileMs(50), let most = waits.percentileMs(95) else { return counts }
    let longest = Self.seconds(waits.longestMs)
    return "\(counts); waits: p50 \(Self.seconds(half)), p95 \(Self.seconds(most)), longest \(longest)"
  }

  private static func seconds(_ ms: Milliseconds) -> String {
    let tenths = (ms + 50) / 100
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
