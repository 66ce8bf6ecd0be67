import Testing

/// Ids are compared by their bytes (`ID`), never as strings: those hold canonically equal texts for equal.
struct IDTests {
  private static let folders = [
    "RoomScreen", "Tokens", "Gateway", "FlyscreenClient", "TerminalView", "Replay",
  ].map { "Sources/\($0)" }
  /// The files of commands that name rooms, users or events.
  private static let commands = [
    "Tail", "ExplainCommand", "ReplayCommand", "ComparisonRun", "WhatIfRun", "RecordCommand",
    "SendCommand", "SentKind", "SentField", "LogInput", "LogInput+Range", "TimelineFile",
  ].map { "Sources/flyscreen/\($0).swift" }
  private static let files =
    folders.flatMap(SourceTree.swift(under:)) + commands.map { path in SourceTree.files.first { $0.path == path }! }

  private static let names =
    "(room|user|viewer|sender|receiver|subject|gift|streak|wish|rain|combo|spot|command|result|issuer)"
  /// A pattern, and what to use instead.
  private static let banned: [(pattern: String, instead: String)] = [
    (#"(?i)\b\#(names)(id)?s?\b\??: *(\[|Set<|some Sequence<)?String\b"#, "ID"),
    // The last word of a longer name: `giftId`, `lastRoomId`.
    (#"\b[a-z]\w*Id\b: *\[?String\b"#, "ID"),
    (#"(?i)\bby\#(names)s?\b: *\[String:"#, "[ID: …]"),
    (#"(?i)\b\#(names)s?\b: *\[String:"#, "[ID: …]"),
    (#"(?i)\b\#(names)Id\.(description|string) *[=!]="#, "the ids themselves"),
    (#"[=!]= *[\w.]*(?i:\#(names)Id)\.(description|string)\b"#, "the ids themselves"),
  ]
  /// Names that end so and are none: of an HTML stream's event, of a client of Kafka, a command of the program.
  private static let exempt = [
    "lastEventId", "clientId", "parser", "ServerSentEvent", "var id: String", "command: String",
  ]

  private struct Finder {
    private let banned: [(regex: Regex<AnyRegexOutput>, instead: String)]

    init() throws {
      banned = try IDTests.banned.map { (try Regex($0.pattern).wordBoundaryKind(.simple), $0.instead) }
    }

    /// The type to use instead; nil: no id is a string here.
    func find(_ line: Substring) -> String? {
      // Most lines have no string at all.
      guard line.contains("String") || line.contains("description") || line.contains("string"),
        !IDTests.exempt.contains(where: { line.contains($0) })
      else { return nil }
      return banned.first { line.contains($0.regex) }?.instead
    }
  }

  @Test(arguments: [
    "let room: String", "func list(_ rooms: [String])", "var userId: String?", "private var byRoom: [String: Int]",
    "func f(rooms: some Sequence<String>)", "var rooms: [String: Screen]", "let giftId: String",
    "if command.roomId.description == room {", "guard user != claims.userId.string else",
    "var disorderedRooms: Int, users: Set<String>",
  ])
  func aStringForAnIDIsFound(line: String) throws { #expect(try Finder().find(line[...]) != nil) }

  @Test(arguments: ["let room: ID", "let clientId: String", "var lastEventId: String", "let name: String"])
  func whatIsNoIDMayBeAString(line: String) throws { #expect(try Finder().find(line[...]) == nil) }

  @Test func noIDIsAString() throws {
    let finder = try Finder()
    for file in Self.files {
      for (number, line) in file.code.enumerated() {
        if let instead = finder.find(line) {
          Issue.record("\(file):\(number + 1) has an id as a string; use \(instead)")
        }
      }
    }
  }

  /// JavaScript's own comparisons are exact; these are not.
  @Test func javaScriptComparesExactly() throws {
    let regex = try Regex(#"\.normalize\(|\.localeCompare\(|Intl\.Collator"#)
    let scripts = SourceTree.files.filter { $0.path.hasPrefix("Sources/") && $0.path.hasSuffix(".js") }
    #expect(!scripts.isEmpty)
    for file in scripts {
      for (number, line) in file.code.enumerated() where line.contains(regex) {
        Issue.record("\(file):\(number + 1) compares texts by what they look like; use === and <")
      }
    }
  }
}
