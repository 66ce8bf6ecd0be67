import Foundation
import Testing

/// The version stands in one place, from which all that is built has it. Documents that name it are held against that.
struct VersionTests {
  private static func text(_ path: String) throws -> String {
    try #require(SourceTree.files.first { $0.path == path }, "there is no \(path)").text
  }

  private static func version() throws -> String {
    let package = try text("Sources/Page/site/package.json")
    return String(try #require(package.firstMatch(of: #/"version": "(\d+\.\d+\.\d+)"/#)).1)
  }

  @Test func everyDocumentThatNamesTheVersionNamesThisOne() throws {
    let version = try Self.version()
    let namings = [
      #/\n  version: (\S+)\n/#, #/newTag: ([^\s}]+)/#, #/flyscreen[-_](\d+\.\d+\.\d+)/#, #/from: "([\d.]+)"/#,
    ]
    for (path, naming, count) in [
      ("Schemas/openapi.yaml", 0, 1), ("Schemas/asyncapi.yaml", 0, 1), ("Deploy/overlay/kustomization.yaml", 1, 1),
      ("Deploy/README.md", 1, 1), ("Deploy/README.md", 2, 3), ("Deploy/RUNBOOK.md", 2, 2),
      ("Sources/Page/site/README.md", 2, 1), ("Sources/FlyscreenClient/FlyscreenClient.docc/FlyscreenClient.md", 3, 1),
    ] {
      let named = try Self.text(path).matches(of: namings[naming]).map { String($0.1) }
      #expect(named == Array(repeating: version, count: count), "\(path)")
    }
  }

  /// An address like `/flyscreen@1/flyscreen.js` leads to the newest version of that number.
  @Test func everyAddressOfTheClientHasItsFirstNumber() throws {
    let first = try Self.version().prefix { $0 != "." }
    var count = 0
    for file in SourceTree.files where !file.path.hasPrefix("Tests/") {
      for match in file.text.matches(of: #/flyscreen@(\d+)/flyscreen\.js/#) {
        count += 1
        #expect(match.1 == first, "\(file)")
      }
    }
    #expect(count > 1, "how do pages name the client now?")
  }

  /// Above the version's entry there may only be one for what comes next.
  @Test func theChangelogTellsOfTheVersion() throws {
    var entries = try Self.text("CHANGELOG.md").matches(of: #/\n## (.+)/#).map { String($0.1) }
    if entries.first == "Unreleased" { entries.removeFirst() }
    let version = try Self.version()
    #expect(entries.first?.wholeMatch(of: #/([\d.]+) \(\d{4}-\d\d-\d\d\)/#)?.1 == version[...], "\(entries)")
  }
}
