import Foundation
import Testing

/// Saved logs that nobody recorded: each is refused in a line.
struct HostileLogTests {
  private func replay(_ log: String, _ arguments: [String] = []) throws -> Program.Outcome {
    let path = FileManager.default.temporaryDirectory.appending(path: "flyscreen-\(UUID().uuidString)").path
    try Data(log.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    var outcome = try Program.run(
      ["replay", "--input", path] + arguments, environment: ["SWIFT_BACKTRACE": "enable=no"])
    outcome.errors = outcome.errors.replacing(path, with: "LOG")
    return outcome
  }

  private func record(_ offset: Int64, at timestampMs: Int64) -> String {
    #"{"topic":"im.gifts","partition":0,"offset":\#(offset),"timestampMs":\#(timestampMs),"key":"r1","#
      + #""value":{"roomId":"r1","gift":{"sender":{"userId":"7"},"giftId":"rose"}}}"#
  }

  private func state(_ member: String, _ value: String) -> String {
    var members = [
      "clockMs": "5", "settingsEpoch": "0", "rooms": "[]", "markSeed": #""0123456789abcdef""#, "seenEvents": "[]",
    ]
    members[member] = value
    return #"{"topic":"im.gifts","partition":0,"offset":1,"state":{"version":4,"lastOffset":0,"settings":{},"#
      + members.map { name, value in #""\#(name)":\#(value)"# }.joined(separator: ",") + "}}"
  }

  @Test(arguments: [
    ("clockMs", "9223372036854775807"), ("settingsEpoch", "9223372036854775807"),
    ("rooms", #"[["\#(String(repeating: "r", count: 70_000))","AgoAAAA"]]"#),
    ("seenEvents", #"[["\#(String(repeating: "e", count: 70_000))",7]]"#),
    ("markSeed", #""\#(String(repeating: "e", count: 70_000))""#),
  ])
  func aStateThatNoLogCanHaveIsRefused(member: String, value: String) throws {
    let settings = #"{"topic":"im.gifts","partition":0,"settings":{"gift":{"lanes":3}}}"#
    let outcome = try replay([state(member, value), settings, record(1, at: 9), ""].joined(separator: "\n"))
    #expect(outcome.status == 1)
    #expect(outcome.errors == "flyscreen: replay: LOG line 1: its state of the rooms is damaged\n")
  }

  /// The first and the last time that a record may have.
  @Test(arguments: [[], ["--json", "--until", "4611686018427387903"], ["--what-if", "/dev/null"]])
  func timesFarApartAreTimes(arguments: [String]) throws {
    let log = [record(1, at: -4_611_686_018_427_387_903), record(2, at: 4_611_686_018_427_387_903), ""]
    let outcome = try replay(log.joined(separator: "\n"), arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }
}
