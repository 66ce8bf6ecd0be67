import Replay
import RoomModel
import RoomScreen
import Settings

/// `replay --what-if`: a log as it was beside what it would have been.
final class WhatIfRun {
  private let files: [String]
  private let isCSV: Bool
  private let room: ID?
  private var replay: WhatIfReplay
  private var bar = ProgressBar()
  /// Partitions whose output may differ from what was published, and why.
  private var doubts: [(partition: String, why: String)] = []

  /// - Parameter files: of settings.
  init(
    _ files: [String], over settings: LogSettings, keepsRoomSettings: Bool, room: ID?, isCSV: Bool
  ) throws(SettingsError) {
    self.files = files
    self.isCSV = isCSV
    self.room = room
    var overlays: [SettingsOverlay] = []
    for file in files { overlays.append(try SettingsOverlay(file: file)) }
    replay = try WhatIfReplay(
      settings: settings, overlays: overlays, keepsRoomSettings: keepsRoomSettings, room: room)
  }

  func play(_ source: any LogSource, until: Int64?) throws -> ExitStatus {
    while let line = try source.next() {
      line.printWarning("replay")
      if let warning = line.warning { doubts.append(("\(line.topic)[\(line.partition)]", warning)) }
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
    let table = WhatIfTable(replay, names: ["as it was"] + files.map { "with \($0)" }, doubts: doubts)
    var output = StandardOutput()
    output.append(isCSV ? table.csv : table.text)
    try output.flush()
    return doubts.isEmpty ? .done : .untold
  }
}
