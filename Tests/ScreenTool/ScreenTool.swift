import FlyscreenClient
import Foundation

/// The client library for tests in other languages: `ScreenTool GATEWAY ROOM…` follows these rooms and prints, each time
/// that one's screen changes, a line: the room, and the combos that are drawn.
@main
enum ScreenTool {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count > 1, let gateway = URL(string: arguments[0]) else { fatalError("give GATEWAY ROOM…") }
    for try await screen in GatewayClient(gateway).screens(of: arguments.dropFirst().map { ID($0) }) {
      let line = ([screen.roomId] + screen.gifts.map(\.id)).map(\.string).joined(separator: " ")
      FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
  }
}
