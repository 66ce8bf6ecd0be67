#if os(Linux)
  import Foundation
  import Testing

  /// The documentation in Xcode or as DocC, by the compiler's own list of what is public.
  struct DocumentationTests {
    private struct Graph: Decodable {
      struct Symbol: Decodable {
        struct Identifier: Decodable { let precise: String }

        struct Comment: Decodable {
          struct Line: Decodable { let text: String }
          let lines: [Line]
        }

        let identifier: Identifier
        let pathComponents: [String]
        let docComment: Comment?

        var path: String { pathComponents.joined(separator: "/") }
        /// Members from a protocol of Swift's come with Swift's own words.
        var isOurs: Bool { !identifier.precise.contains("::SYNTHESIZED::") }
        var text: String { docComment?.lines.map(\.text).joined(separator: "\n") ?? "" }
      }

      let symbols: [Symbol]
    }

    /// Reads the modules as they are built, which lie beside the tests.
    private static func symbols(of module: String) throws -> [Graph.Symbol] {
      let folder = FileManager.default.temporaryDirectory.appending(path: "symbols-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      #if arch(arm64)
        let machine = "aarch64"
      #else
        let machine = "x86_64"
      #endif
      let built = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "Modules").path
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [
        "swift-symbolgraph-extract", "-module-name", module, "-I", built, "-target", "\(machine)-unknown-linux-gnu",
        "-minimum-access-level", "public", "-output-dir", folder.path,
      ]
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0, "swift-symbolgraph-extract, which comes with Swift, failed")
      let graph = try Data(contentsOf: folder.appending(path: "\(module).symbols.json"))
      return try JSONDecoder().decode(Graph.self, from: graph).symbols.filter(\.isOurs)
    }

    @Test func eachPublicSymbolSaysWhatItIs() throws {
      for module in ["FlyscreenClient", "RoomScreen"] {
        let symbols = try Self.symbols(of: module)
        #expect(symbols.count > 50)
        for symbol in symbols where symbol.text.isEmpty {
          Issue.record("\(module): \(symbol.path) is public and has no comment")
        }
      }
    }

    @Test func eachLinkOfTheDocumentationLeadsToASymbol() throws {
      let symbols = try ["FlyscreenClient", "RoomScreen"].flatMap(Self.symbols)
      let known = Set(symbols.map(\.path) + ["FlyscreenClient"])
      let page = URL(filePath: #filePath)
        .appending(path: "../../../Sources/FlyscreenClient/FlyscreenClient.docc/FlyscreenClient.md").standardized
      let texts = [try String(contentsOf: page, encoding: .utf8)] + symbols.map(\.text)
      let links = texts.flatMap { $0.matches(of: #/(?:^|[^`])``([^`\n]+)``(?:$|[^`])/#).map { String($0.1) } }
      #expect(links.count > 20)
      for link in links where !known.contains(link) { Issue.record("``\(link)`` is no public symbol") }
    }

    @Test func eachTypeOfTheLibraryHasItsPlaceOnThePage() throws {
      let page = URL(filePath: #filePath)
        .appending(path: "../../../Sources/FlyscreenClient/FlyscreenClient.docc/FlyscreenClient.md").standardized
      let text = try String(contentsOf: page, encoding: .utf8)
      let topics = try #require(text.firstRange(of: "## Topics"))
      for symbol in try Self.symbols(of: "FlyscreenClient") where symbol.pathComponents.count == 1 {
        if !text[topics.upperBound...].contains("``\(symbol.path)``") {
          Issue.record("\(symbol.path) is under no topic of FlyscreenClient.md")
        }
      }
    }
  }
#endif
