import Foundation
import JSON
import Replay
import Testing

/// A saved log may be compressed, which its name tells.
struct CompressionTests {
  private let lines = (0..<40_000).map { "line \($0) \($0 &* 2_654_435_761 % 1_000_003)" }

  /// Writes `lines` to a file of that name, and hands on its path.
  private func withFile(_ name: String, _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "flyscreen-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: name).path
    var file = try LogFileOutput(path: path)
    for line in lines {
      file.bytes.append(string: line + "\n")
      if file.bytes.count > 10_000 { try file.flush() }
    }
    try file.close()
    try body(path)
  }

  private func read(_ path: String) throws -> [String] {
    var file = try LogFile(path: path)
    var read: [String] = []
    while let line = try file.nextLine() { read.append(String(decoding: line, as: UTF8.self)) }
    return read
  }

  @Test(arguments: ["log.ndjson", "log.ndjson.gz", "log.ndjson.zst"])
  func whatIsWrittenIsReadBack(name: String) throws {
    try withFile(name) { path in
      let found = try read(path)
      #expect(found == lines)
    }
  }

  @Test(arguments: ["log.ndjson.gz", "log.ndjson.zst"])
  func itIsSmaller(name: String) throws {
    try withFile(name) { path in
      let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
      #expect(size * 2 < lines.joined(separator: "\n").utf8.count)
    }
  }

  @Test(arguments: ["log.ndjson.gz", "log.ndjson.zst"])
  func severalInOneFileAreReadOneAfterTheOther(name: String) throws {
    try withFile(name) { path in
      let once = try Data(contentsOf: URL(filePath: path))
      try (once + once).write(to: URL(filePath: path))
      let found = try read(path)
      #expect(found == lines + lines)
    }
  }

  @Test(arguments: ["log.ndjson.gz", "log.ndjson.zst"], [1, 2, 1000, .max])
  func oneThatIsCutShortSaysSo(name: String, lost: Int) throws {
    try withFile(name) { path in
      try Data(contentsOf: URL(filePath: path)).dropLast(lost).write(to: URL(filePath: path))
      let error = #expect(throws: BrokenLog.self) { _ = try read(path) }
      #expect(error?.description.hasSuffix("in the middle of what is compressed: was it cut short?") == true)
      #expect(error?.description.hasPrefix("\(path) line ") == true)
    }
  }

  @Test(arguments: ["log.ndjson.gz", "log.ndjson.zst"])
  func oneThatIsDamagedSaysSo(name: String) throws {
    try withFile(name) { path in
      var bytes = try Data(contentsOf: URL(filePath: path))
      bytes[bytes.count / 2] ^= 0x55
      try bytes.write(to: URL(filePath: path))
      let error = #expect(throws: BrokenLog.self) { _ = try read(path) }
      #expect(error?.description.contains("damaged") == true)
    }
  }

  @Test func whatIsNotWholeHasNoName() throws {
    let folder = FileManager.default.temporaryDirectory
    let path = folder.appending(path: "flyscreen-\(UUID().uuidString).ndjson").path
    do {
      var file = try LogFileOutput(path: path)
      file.bytes.append(string: "a\n")
      try file.flush()
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(!FileManager.default.fileExists(atPath: path + ".part"))
  }

  /// A pipe, as /dev/stdout may be, must not be replaced by a file.
  @Test func aPipeIsWrittenTo() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "flyscreen-\(UUID().uuidString).ndjson").path
    #expect(mkfifo(path, 0o600) == 0)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let reader = FileHandle(fileDescriptor: open(path, O_RDONLY | O_NONBLOCK), closeOnDealloc: true)
    do {
      var file = try LogFileOutput(path: path)
      file.bytes.append(string: "a\n")
      try file.close()
    }
    #expect(try reader.readToEnd() == Data("a\n".utf8))
    #expect(!FileManager.default.fileExists(atPath: path + ".part"))
  }
}
