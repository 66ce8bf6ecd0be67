import Foundation
import Testing

/// Each piece of Swift that the documentation shows stands in Examples.swift, which is compiled.
struct ExampleTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

  private static let documents: [String] = {
    let library = "Sources/FlyscreenClient"
    let files = try! FileManager.default.subpathsOfDirectory(atPath: root.appending(path: library).path)
    return ["README.md", "Schemas/CLIENTS.md"]
      + files.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }
      .sorted().map { "\(library)/\($0)" }
  }()

  private struct Block: CustomTestStringConvertible, Sendable {
    let file: String
    let lines: [String]
    var testDescription: String { "\(file): \(lines.first ?? "")" }
  }

  /// The examples as they are shown, without the lines that every file begins with.
  private static let blocks: [Block] = documents.flatMap { file -> [Block] in
    var blocks: [Block] = []
    var lines: [String]?
    for line in try! String(contentsOf: root.appending(path: file), encoding: .utf8).components(separatedBy: "\n") {
      let text = file.hasSuffix(".md") ? line : line.firstMatch(of: #/^ *\/\/\/ ?(.*)$/#).map { String($0.1) }
      if let shown = lines {
        if text == "```" {
          // There is no UIKit on Linux.
          if !shown.contains("import UIKit") {
            blocks.append(Block(file: file, lines: Array(shown.drop { $0.isEmpty || $0.hasPrefix("import ") })))
          }
          lines = nil
        } else {
          lines = shown + [text ?? ""]
        }
      } else if text == "```swift" {
        lines = []
      }
    }
    return blocks
  }

  @Test func thereAreExamples() { #expect(Self.blocks.count > 5) }

  @Test(arguments: blocks) private func anExampleIsOneThatCompiles(block: Block) throws {
    let examples = try String(
      contentsOf: URL(filePath: #filePath).appending(path: "../Examples.swift").standardized, encoding: .utf8)
    let isThere = [2, 4, 6].contains { indent in
      let margin = String(repeating: " ", count: indent)
      let shown = block.lines.map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
      return "\n\(examples)\n".contains("\n\(shown)\n")
    }
    #expect(isThere, "Examples.swift doesn't have it")
  }
}
