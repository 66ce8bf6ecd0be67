import Foundation
import Settings
import Testing

/// Logs that earlier versions of this program cut off in the middle, with how the rooms stood there as those versions
/// wrote it: `States/VERSION/NAME/`, and what came of them (files as those of vectors). They go on for ever.
struct OldStateTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "States")

  private static func names(in folder: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? []
  }

  static let cases: [String] = names(in: folder).flatMap { version in
    names(in: folder.appending(path: version)).map { "\(version)/\($0)" }
  }

  /// `RECORD=outputs` writes what comes of them now: rules may have changed since, and go on from old states.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["RECORD"] == "outputs"), arguments: cases)
  func record(name: String) throws {
    let folder = Self.folder.appending(path: name)
    let played = try play(name)
    for (file, lines) in [("commands.ndjson", played.commands), ("results.ndjson", played.results)] {
      try lines.map { $0 + "\n" }.joined().write(
        to: folder.appending(path: file), atomically: true, encoding: .utf8)
    }
  }

  @Test func thereAreSome() { #expect(Self.cases.count >= 4) }

  @Test(arguments: cases)
  func aLogGoesOnFromTheStateThatAnEarlierVersionWrote(name: String) throws {
    let played = try play(name)
    let commands = try lines(name, "commands.ndjson")
    // Between rooms there is no order.
    let difference = zip(played.commands.sorted(), commands.sorted()).first { $0 != $1 }
    #expect(difference == nil)
    #expect(played.commands.count == commands.count)
    #expect(played.results == (try lines(name, "results.ndjson")))
  }

  private func text(_ name: String, _ file: String) throws -> String {
    try String(contentsOf: Self.folder.appending(path: name).appending(path: file), encoding: .utf8)
  }

  private func lines(_ name: String, _ file: String) throws -> [String] {
    try text(name, file).split(separator: "\n").map(String.init)
  }

  private func play(_ name: String) throws -> Played {
    let settings = try LogSettings(
      file: Self.folder.appending(path: name).appending(path: "settings.json").path)
    let until = try #require(Int64(try text(name, "until").trimmingCharacters(in: .whitespacesAndNewlines)))
    return try ReplayTests.play(try lines(name, "log.ndjson"), settings: settings, until: until)
  }
}
