// MakeMessages SCHEMA TARGET FILE: writes the Swift of events and commands that a target has of its own.

import Foundation

guard CommandLine.arguments.count == 4 else { fatalError("MakeMessages SCHEMA TARGET FILE") }
let (file, target, output) = (CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3])

do {
  let schema = try Schema(String(contentsOfFile: file, encoding: .utf8))
  let text =
    switch target {
    case "RoomModel": schema.model
    case "RoomScreen": schema.screen
    case "Wire": schema.wire
    default: fatalError("no messages for \(target)")
    }
  let all = "// Made by Sources/MakeMessages of Schemas/flyscreen.proto.\n\n\(text)"
  // Builds for debugging and for release share the file: the other one would compile it again.
  if (try? String(contentsOfFile: output, encoding: .utf8)) != all {
    try all.write(toFile: output, atomically: true, encoding: .utf8)
  }
} catch {
  FileHandle.standardError.write(Data("\(file): \(error)\n".utf8))
  exit(1)
}
