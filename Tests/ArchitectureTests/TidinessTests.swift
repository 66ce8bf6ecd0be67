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

  @Test func theReadmeHasEveryFolder() throws {
    let readme = try #require(SourceTree.files.first { $0.path == "README.md" }).text
    for target in SourceTree.targets where !readme.contains("`Sources/\(target)`") {
      Issue.record("README.md's map of the folders lacks `Sources/\(target)`")
    }
  }
}
