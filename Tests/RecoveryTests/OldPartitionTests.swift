import Foundation
import Recovery
import RoomEngine
import RoomModel
import TestSupport
import Testing
import Wire

/// What earlier versions of this program left behind for their next owner, `Written/VERSION/NAME`: changelog, journal and
/// commit as they wrote them, and what came of the rest of the log. They go on for ever.
struct OldPartitionTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Written")

  private static func names(in folder: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? []
  }

  static let cases: [String] = names(in: folder).flatMap { version in
    names(in: folder.appending(path: version)).map { "\(version)/\($0)" }
  }

  /// `RECORD=VERSION` writes what this program leaves behind.
  @Test(.enabled(if: Int(ProcessInfo.processInfo.environment["RECORD"] ?? "") != nil)) func record() throws {
    let version = try #require(ProcessInfo.processInfo.environment["RECORD"])
    let folder = Self.folder.appending(path: version)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for seed in [15, 36, 119] as [UInt64] {
      let partition = try WrittenPartition(seed: seed, cut: .standard)
      let saved = partition.saved(partition.places[partition.places.count * 2 / 3])
      try saved.write(to: folder.appending(path: "random-\(seed)"), atomically: true, encoding: .utf8)
    }
  }

  /// `RECORD=outputs` writes what comes of them now: rules may have changed since, and go on from old states.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["RECORD"] == "outputs"), arguments: cases)
  func recordOutputs(name: String) throws {
    let file = Self.folder.appending(path: name)
    let text = try String(contentsOf: file, encoding: .utf8)
    let old = try OldPartition(text)
    var lines = text.split(separator: "\n").filter { !$0.hasPrefix("output ") }.map(String.init)
    for (room, commands) in old.rest(of: try old.restored().rooms).sorted(by: { $0.key < $1.key }) {
      for command in commands { lines.append("output \(Data(room.utf8).base64EncodedString()) \(command)") }
    }
    try (lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
  }

  @Test func thereAreSome() { #expect(Self.cases.count >= 4) }

  @Test(arguments: cases) func aPartitionGoesOnFromWhatAnEarlierVersionLeftBehind(name: String) throws {
    let old = try OldPartition(String(contentsOf: Self.folder.appending(path: name), encoding: .utf8))
    let (rooms, isExact) = try old.restored()
    #expect(isExact)
    let output = old.rest(of: rooms)
    for (room, commands) in old.output {
      let difference = zip(output[room] ?? [], commands).first { $0 != $1 }
      #expect(difference == nil)
      #expect(output[room]?.count == commands.count, "\(room)")
    }
    #expect(output.count == old.output.count)
  }
}
