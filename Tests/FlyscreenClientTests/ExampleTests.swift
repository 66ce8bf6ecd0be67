import FlyscreenClient
import Foundation
import Testing

/// What the documentation shows is what is compiled here.
struct ExampleTests {
  private struct Session {
    func token() async throws -> String? { nil }
  }

  private func example(_ session: Session) async throws {
    let client = GatewayClient(URL(string: "https://gateway.example")!) { try await session.token() }
    for try await screen in client.screens(of: "r1") {
      for view in screen.gifts { print("lane \(view.lane): \(view.sender.name) \(view.giftName) ×\(view.count)") }
      for banner in screen.banners { print("track \(banner.track): \(banner.text) ♥\(banner.likes)") }
    }
  }

  @Test(arguments: [
    "README.md", "Sources/FlyscreenClient/GatewayClient.swift",
    "Sources/FlyscreenClient/FlyscreenClient.docc/FlyscreenClient.md",
  ])
  func theExampleIsTheOneThatCompiles(file: String) throws {
    let here = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8).split(separator: "\n")
    let start = try #require(here.firstIndex { $0.contains("func example") }) + 1
    let end = try #require(here[start...].firstIndex { $0 == "  }" })
    let lines = here[start..<end].map { $0.dropFirst(4) }

    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("/// ") ? $0.dropFirst(4) : $0 }
    let first = try #require(text.firstIndex(of: lines[0]), "\(file) has no example")
    #expect(Array(text[first...].prefix(lines.count)) == lines)
  }
}
