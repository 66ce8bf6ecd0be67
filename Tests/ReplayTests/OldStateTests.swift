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

  @Test func thereAreSome() { #expect(Self.cases.count >= 4) }

  @Test(arguments: cases)
  func aLogGoesOnFromTheStateThatAnEarlierVersionWrote(name: String) throws {
    func text(_ file: String) throws -> String {
      try String(contentsOf: Self.folder.appending(path: name).appending(path: file), encoding: .utf8)
    }
    func lines(_ file: String) throws -> [String] { try text(file).split(separator: "\n").map(String.init) }
    let settings = try LogSettings(
      file: Self.folder.appending(path: name).appending(path: "settings.json").path)
    let until = try #require(Int64(try text("until").trimmingCharacters(in: .whitespacesAndNewlines)))
    let played = try play(try lines("log.ndjson"), settings: settings, until: until)
    let commands = try lines("commands.ndjson")
    // Between rooms there is no order.
    let difference = zip(played.commands.sorted(), commands.sorted()).first { $0 != $1 }
    #expect(difference == nil)
    #expect(played.commands.count == commands.count)
    #expect(played.results == (try lines("results.ndjson")))
  }
}
