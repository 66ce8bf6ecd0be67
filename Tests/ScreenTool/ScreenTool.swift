import FlyscreenClient
import Foundation

/// The client library for tests in other languages: `ScreenTool GATEWAY ROOM…` follows these rooms and prints, each time
/// that one's screen changes, a line: the room, and the combos that are drawn. `ScreenTool --told GATEWAY ROOM…` prints
/// what it is told, each a line of JSON: `[name, data]`.
@main
enum ScreenTool {
  static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let isTold = arguments.first == "--told"
    if isTold { arguments.removeFirst() }
    guard arguments.count > 1, let gateway = URL(string: arguments[0]) else { fatalError("give GATEWAY ROOM…") }
    let (client, rooms) = (GatewayClient(gateway), arguments.dropFirst().map { ID($0) })
    if isTold {
      for try await update in client.updates(of: rooms) {
        switch update {
        // It doesn't tell when a snapshot is late, so each may be.
        case .snapshot(let snapshot): try print("late snapshot", snapshot)
        case .command(let command): try print("command", command)
        case .result, .connection, .pace: break
        }
      }
      return
    }
    for try await screen in client.screens(of: rooms) {
      write(([screen.roomId] + screen.gifts.map(\.id)).map(\.string).joined(separator: " "))
    }
  }

  private static func print(_ name: String, _ data: some Encodable) throws {
    write("[\"\(name)\",\(String(decoding: try JSONEncoder().encode(data), as: UTF8.self))]")
  }

  private static func write(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
