import Foundation
import Testing

/// All of it, in one process.
struct DemoTests {
  @Test(.timeLimit(.minutes(2))) func theDemoShowsWhatHappensUntilItIsInterrupted() throws {
    let process = Process()
    process.executableURL = Program.path(of: "flyscreen")
    process.arguments = ["demo", "--rooms", "2", "--rate", "40"]
    process.environment = [:]
    let output = Pipe()
    let errors = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()

    var bytes = Data()
    var text = ""
    let wanted = [" sends ", "  ×", " leaves with ", " track 0 "]
    while !wanted.allSatisfy(text.contains) {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      bytes += more
      text = String(decoding: bytes, as: UTF8.self)
    }
    process.interrupt()
    let complaints = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    for words in wanted { #expect(text.contains(words), "'\(words)' is missing in:\n\(text)") }
    #expect(process.terminationStatus == 0 && process.terminationReason == .exit)
    #expect(String(decoding: complaints, as: UTF8.self) == "")
    #expect(!text.contains("\u{1B}"), "what is no terminal is not drawn upon")
  }
}
