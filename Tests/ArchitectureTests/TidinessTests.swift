import Testing

/// Untidiness that a reader should not have to wade through.
struct TidinessTests {
  private static let ours = SourceTree.files.filter { $0.path != "LICENSE" }

  @Test func filesAreShort() {
    for file in SourceTree.swift(under: "Sources") + SourceTree.swift(under: "Tests") where file.lines.count > 400 {
      Issue.record("\(file) has \(file.lines.count) lines; look for the second noun in it")
    }
  }

  @Test func filesAreNamedForWhatTheyHold() {
    let vague = ["Util", "Helper", "Manager", "Common", "Misc"]
    for file in SourceTree.swift(under: "Sources") {
      for word in vague where file.path.contains(word) {
        Issue.record("\(file) is named '\(word)'; name the thing it holds")
      }
    }
  }

  /// The pieces are put together here, or this file would find itself.
  @Test func nothingIsLeftToBeDone() {
    for file in Self.ours {
      for (number, line) in file.lines.enumerated() {
        for word in ["TO" + "DO", "FIX" + "ME", "X" + "XX"] where line.contains(word) {
          Issue.record("\(file):\(number + 1) has '\(word)'")
        }
      }
    }
  }

  private static func document(_ path: String) throws -> String {
    try #require(ours.first { $0.path == path }, "there is no \(path)").text
  }

  @Test func `ARCHITECTURE's map has every folder of Sources`() throws {
    let map = try Self.document(".github/ARCHITECTURE.md")
    for target in SourceTree.targets where !map.contains("`Sources/\(target)`") {
      Issue.record("the map of the folders in .github/ARCHITECTURE.md lacks `Sources/\(target)`")
    }
  }

  /// As `wc -w` counts. All else stands where its reader looks.
  @Test func `the README has at most 1000 words`() throws {
    #expect(try Self.document("README.md").split(whereSeparator: \.isWhitespace).count <= 1000)
  }
}
