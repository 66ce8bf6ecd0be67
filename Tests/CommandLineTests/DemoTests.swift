import Foundation
import TestSupport
import Testing

/// All of it, in one process.
struct DemoTests {
  @Test(.timeLimit(.minutes(15))) func theDemoShowsWhatHappensUntilItIsInterrupted() throws {
    let process = Process()
    process.executableURL = Program.path(of: "flyscreen")
    process.arguments = [
      "demo", "--rooms", "2", "--rate", "40", "--gateway.http.port", "0", "--gift.order", "value", "--gift.turnMs",
      "1000",
    ]
    process.environment = [:]
    let output = Pipe()
    let errors = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()

    var bytes = Data()
    var text = ""
    let wanted = [" sends ", "  ×", " leaves with ", " spot ", "A combo: ", "A crowd: "]
    while !wanted.allSatisfy(text.contains) {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      bytes += more
      text = String(decoding: bytes, as: UTF8.self)
    }
    try visit(text)
    try explain(text)
    process.interrupt()
    let complaints = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    for words in wanted { #expect(text.contains(words), "'\(words)' is missing in:\n\(text)") }
    #expect(process.terminationStatus == 0 && process.terminationReason == .exit)
    #expect(String(decoding: complaints, as: UTF8.self) == "")
    #expect(!text.contains("\u{1B}"), "only a terminal is drawn upon")
  }

  /// The call that the first scene prints, given to a shell once the scene is over.
  private func explain(_ text: String) throws {
    let call = try #require(text.firstMatch(of: #/KAFKA_BOOTSTRAP_SERVERS=\S+ \S+ explain --room \S+ --event rose-12/#))
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", String(call.output)]
    shell.environment = [:]
    let output = Pipe()
    shell.standardOutput = output
    try shell.run()
    let answer = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0 && answer.contains("event rose-12 of room room-1: 1 record\n"), "\(answer)")
    #expect(answer.contains("published") && !answer.contains("not yet"), "\(answer)")
  }

  /// A visitor of its page: what they give is on the room's stream, by way of the broker and the worker.
  private func visit(_ text: String) throws {
    let page = try #require(text.firstMatch(of: #/the page is at http://localhost:(\d+)/#))
    let port = try #require(UInt16(page.1))
    let browser = try PlainClient(port: port)
    browser.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
    #expect(browser.readToEnd().contains("<title>Flyscreen</title>"))
    let stream = try PlainClient(port: port)
    stream.send("GET /rooms/room-1/commands HTTP/1.0\r\n\r\n")
    #expect(stream.read(until: "event: snapshot").contains("200 OK"))
    let gift = #"{"gift":{"sender":{"userId":"visitor"},"giftId":"moon","value":1000000}}"#
    let sender = try PlainClient(port: port)
    sender.send(
      "POST /rooms/room-1/events HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(gift.utf8.count)\r\n\r\n\(gift)")
    #expect(sender.readToEnd().hasPrefix("HTTP/1.1 202 "))
    #expect(stream.read(until: #""userId":"visitor""#).contains("visitor"))
  }
}
