import Foundation
import Testing

/// The sources cite what stands in the contract: sections and rules of `Schemas/STAGES.md`, headings of
/// `Schemas/INTERFACES.md`. So a rule that moves, or gets another name, takes along who cites it.
struct ContractTests {
  private static func contract(_ name: String) throws -> String {
    try #require(SourceTree.files.first { $0.path == "Schemas/\(name)" }, "there is no Schemas/\(name)").text
  }

  /// A file's text on one line, without the marks of comments: citations may be broken anywhere.
  private static func flat(_ file: SourceTree.File) -> String {
    file.lines.map { line in
      let text = line.drop { $0 == " " || $0 == "\t" }
      return text.drop { $0 == "/" || $0 == "#" || $0 == "*" }.drop { $0 == " " }
    }.joined(separator: " ")
  }

  /// Files that may cite; this one would find itself.
  private static let citing = SourceTree.files.filter { !$0.path.hasSuffix("/ContractTests.swift") }

  // MARK: Sections of STAGES.md

  @Test func everySectionThatIsCitedIsThere() throws {
    let sections = try Self.contract("STAGES.md").matches(of: #/\n## (\d+)\. /#).map { String($0.1) }
    #expect(sections == (1...sections.count).map { "\($0)" })
    // Not of an RFC; "sections 1, 2 and 7".
    let citation = #/(RFC \d+, )?sections? (\d+(?:, \d+)*(?: and \d+)?)/#
    var count = 0
    for file in Self.citing where file.text.contains("section") {
      for match in Self.flat(file).matches(of: citation) where match.1 == nil {
        count += 1
        for section in match.2.matches(of: #/\d+/#) where !sections.contains(String(section.output)) {
          Issue.record("\(file) cites section \(section.output), which STAGES.md doesn't have")
        }
      }
    }
    #expect(count > 100, "most citations are not found any more: are they spelled in another way?")
  }

  /// In a section they have numbers without a gap; and the program cites them with number and name.
  @Test func `the rules of STAGES are numbered, and those that explain cites are there`() throws {
    var rules: [String] = []
    var (section, number) = ("", 0)
    for line in try Self.contract("STAGES.md").split(separator: "\n") {
      if let heading = line.prefixMatch(of: #/## (\d+)\. /#) { (section, number) = (String(heading.1), 0) }
      guard let rule = line.prefixMatch(of: #/\*\*(\d+\.\d+) ([^*]+?)\.?\*\*/#) else { continue }
      number += 1
      #expect(rule.1 == "\(section).\(number)")
      rules.append("\(rule.1) \(rule.2.lowercased())")
    }
    let source = try #require(SourceTree.files.first { $0.path == "Sources/RoomModel/Rule.swift" })
    let cited = source.text.matches(of: #/case \w+ = "([^"]+)"/#).map { String($0.1) }
    #expect(cited.count > 30 && cited.allSatisfy(rules.contains), "\(cited.filter { !rules.contains($0) })")
  }

  // MARK: INTERFACES.md, and paths

  @Test func everyHeadingThatIsCitedIsThere() throws {
    let headings = Set(
      try Self.contract("INTERFACES.md").split(separator: "\n").filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) })
    var count = 0
    for file in Self.citing where file.text.contains("INTERFACES.md") {
      for match in Self.flat(file).matches(of: #/INTERFACES\.md, \\?"([^"\\]+)/#) {
        count += 1
        if !headings.contains(match.1) { Issue.record("\(file) cites '\(match.1)', no heading of INTERFACES.md") }
      }
    }
    #expect(count > 5, "most citations are not found any more: are they spelled in another way?")
  }

  /// INTERFACES.md has the table; the help of the program has a line, for who has no documents at hand.
  @Test func `the program, its help and INTERFACES have the same exit statuses`() throws {
    func source(_ name: String) throws -> String {
      try #require(SourceTree.files.first { $0.path == "Sources/flyscreen/\(name)" }, "there is no \(name)").text
    }
    let contract = try Self.contract("INTERFACES.md").matches(of: #/\n\| (\d+) \| /#).map { $0.1 }
    let program = try source("ExitStatus.swift").matches(of: #/case \w+ = (\d+)/#).map { $0.1 }
    let line = try #require(try source("Help.swift").firstMatch(of: #/exit status: [^"]+/#)).output
    let help = line.matches(of: #/\d+/#).map { $0.output }
    #expect(contract.count == 6)
    #expect(Set(contract) == Set(program) && Set(contract) == Set(help))
  }

  /// The names by which links find a document's headings, as GitHub makes them.
  private static func anchors(of text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { heading in
        let kept = heading.drop { $0 == "#" }.dropFirst().lowercased()
          .filter { $0.isLetter || $0.isNumber || "_- ".contains($0) }
        return String(kept.map { $0 == " " ? "-" : $0 })
      })
  }

  @Test func everyLinkOfADocumentLeadsSomewhere() {
    for file in SourceTree.files where file.path.hasSuffix(".md") {
      let folder = SourceTree.root.appending(path: file.path).deletingLastPathComponent()
      for match in file.text.matches(of: #/\]\(([^)#]*)(?:#([^)]+))?\)/#) where !match.1.contains("://") {
        let target = folder.appending(path: String(match.1)).standardized.path
        guard match.1.isEmpty || FileManager.default.fileExists(atPath: target) else {
          Issue.record("\(file) links to \(match.1), which is not there")
          continue
        }
        let document =
          match.1.isEmpty
          ? file : SourceTree.files.first { SourceTree.root.appending(path: $0.path).standardized.path == target }
        guard let anchor = match.2, let document, document.path.hasSuffix(".md") else { continue }
        if !Self.anchors(of: document.text).contains(String(anchor)) {
          Issue.record("\(file) links to \(match.1)#\(anchor), which is no heading there")
        }
      }
    }
  }

  @Test func everyFileOfTheSchemasThatIsNamedIsThere() {
    for file in Self.citing where file.text.contains("Schemas/") {
      for match in file.text.matches(of: #/Schemas/([A-Za-z][\w.-]*(?:/[a-z][\w.-]*)*)/#) {
        let path = "Schemas/" + match.1.trimmingCharacters(in: CharacterSet(charactersIn: "."))
        if !FileManager.default.fileExists(atPath: SourceTree.root.appending(path: path).path) {
          Issue.record("\(file) names \(path), which is not there")
        }
      }
    }
  }
}
