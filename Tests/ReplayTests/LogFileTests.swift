import Foundation
import JSON
import Replay
import Testing

struct LogFileTests {
  private func lines(of text: String) throws -> (lines: [String], lastIsEnded: Bool) {
    let path = FileManager.default.temporaryDirectory.appending(path: "flyscreen-\(UUID().uuidString)").path
    try Data(text.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    var file = try LogFile(path: path)
    var lines: [String] = []
    while let line = try file.nextLine() {
      lines.append(String(decoding: line, as: UTF8.self))
      #expect(file.lineNumber == lines.count)
    }
    return (lines, file.isLineEnded)
  }

  @Test(arguments: [
    ("", [], true), ("\n", [""], true), ("a\n", ["a"], true), ("a", ["a"], false), ("a\n\nb", ["a", "", "b"], false),
  ])
  func linesEndWithANewline(text: String, lines: [String], lastIsEnded: Bool) throws {
    let read = try self.lines(of: text)
    #expect(read.lines == lines)
    #expect(read.lastIsEnded == lastIsEnded)
  }

  /// A file of some kilobytes could hold it.
  @Test func aLineOfAnyLengthIsNotTaken() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "flyscreen-\(UUID().uuidString).zst").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    var output = try LogFileOutput(path: path)
    output.bytes.append(string: "a line\n")
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    for _ in 0...LogFile.longestLine >> 20 {
      piece.withUnsafeBytes { output.bytes.append($0) }
      try output.flush()
    }
    try output.close()
    var file = try LogFile(path: path)
    #expect(try file.nextLine()?.count == 6)
    #expect(
      throws: BrokenLog("\(path) line 2 has more than 256 MiB, as no line of a log has: is it one?")
    ) { _ = try file.nextLine() }
  }

  @Test func linesMayBeLongerThanWhatIsReadAtOnce() throws {
    let long = (0..<7).map { String(repeating: "\($0)", count: $0.isMultiple(of: 2) ? 700_001 : 2_500_000) }
    #expect(try lines(of: long.joined(separator: "\n")).lines == long)
  }

  @Test func aFileThatIsNotThereIsNamed() {
    #expect(throws: BrokenLog("/no/such.ndjson can't be read: No such file or directory")) {
      _ = try LogFile(path: "/no/such.ndjson")
    }
    #expect(throws: BrokenLog("/ can't be read: Is a directory")) {
      var file = try LogFile(path: "/")
      _ = try file.nextLine()
    }
  }
}
