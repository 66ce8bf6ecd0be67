package import RoomModel

/// The lines of a saved log.
package final class LogFileSource: LogSource {
  private let path: String
  @exclusivity(unchecked) private var file: LogFile
  @exclusivity(unchecked) private var reader = LogLineReader()
  /// The first line, if it was asked about before it was taken.
  @exclusivity(unchecked) private var first: LogLine?

  package init(path: String) throws(BrokenLog) {
    self.path = path
    file = try LogFile(path: path)
  }

  /// Whether the first line tells the settings in force, alone or with the state of the rooms. To be asked before it is
  /// taken.
  package func tellsSettings() throws(BrokenLog) -> Bool {
    if first == nil { first = try read() }
    return first?.content.tellsSettings ?? false
  }

  /// The time of the first line that has one; nil: none has, or the file can't be read twice.
  package static func firstTime(path: String) throws(BrokenLog) -> LogTime? {
    guard WholeFile.isFile(path) else { return nil }
    let source = try LogFileSource(path: path)
    while let line = try source.read() {
      switch line.content {
      case .record(let record): return record.timestampMs
      case .firedTo(let time, _): return time
      case .settings, .state, .doubt: continue
      }
    }
    return nil
  }

  /// The latest time of a line, for which all of the file is read; nil: none has one, or the file can't be read twice.
  package static func lastTime(path: String) throws(BrokenLog) -> LogTime? {
    guard WholeFile.isFile(path) else { return nil }
    let source = try LogFileSource(path: path)
    var last: LogTime?
    while let line = try source.read() {
      switch line.content {
      case .record(let record): last = max(last ?? .min, record.timestampMs)
      case .firedTo(let time, _): last = max(last ?? .min, time)
      case .settings, .state, .doubt: continue
      }
    }
    return last
  }

  /// The same of all settings, as a recording does.
  package func tellsAllSettings() throws(BrokenLog) -> Bool { try tellsSettings() && reader.beginsWhole }

  package func next() throws -> LogLine? {
    if let first {
      self.first = nil
      return first
    }
    return try read()
  }

  private func read() throws(BrokenLog) -> LogLine? {
    while let bytes = try file.nextLine() {
      do {
        if let line = try reader.read(bytes) { return line }
      } catch {
        throw BrokenLog("\(place): \(error)")
      }
    }
    return nil
  }

  package var place: LinePlace { .line(file.lineNumber, file: path, isEnded: file.isLineEnded) }

  package var warnings: [String] { [] }

  package var progress: Double { file.progress }
}
