import RoomModel

/// The lines of a saved log.
package final class LogFileSource: LogSource {
  private let path: String
  private var file: LogFile
  private var reader = LogLineReader()

  package init(path: String) throws(BrokenLog) {
    self.path = path
    file = try LogFile(path: path)
  }

  package func next() throws -> LogLine? {
    while let bytes = try file.nextLine() {
      do {
        if let line = try reader.read(bytes) { return line }
      } catch {
        throw BrokenLog("\(place): \(error)")
      }
    }
    return nil
  }

  package var place: String {
    let cut = file.isLineEnded ? "" : " (the last, and nothing ends it: was the file cut short?)"
    return "\(path) line \(file.lineNumber)\(cut)"
  }

  package var warnings: [String] { [] }

  package var progress: Double { file.progress }
}
