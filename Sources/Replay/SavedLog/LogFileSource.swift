import RoomModel

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
