import Foundation
import TestSupport
import Testing

struct ExplainTests {
  private static let log = Vectors.path("gift-three-senders", "log.ndjson")

  private static let oneThing =
    "give one thing to explain: a command's id, --event EVENT-ID, --user USER-ID or --at TIME"

  private func explain(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["explain", "--room", "r1", "--input", Self.log] + arguments)
  }

  @Test func aCommandIsExplained() throws {
    let outcome = try explain("im.gifts/0/3/4")
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(outcome.output.hasPrefix("command im.gifts/0/3/4 of room r1\n{\"roomId\":\"r1\",\"id\":\"im.gifts/0/3/4\""))
    #expect(outcome.output.contains("\nrule       STAGES.md, 3.4 giving lanes\n"))
  }

  @Test func anEventIsFollowed() throws {
    let outcome = try explain("--event", "e2", "--until", "1700000100000")
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("giftHide with ×1: all of it was shown"))
  }

  @Test func theRoomAtATimeIsTold() throws {
    let outcome = try explain("--at", "2023-11-14T22:13:20.700Z")
    #expect((outcome.status, outcome.errors) == (0, ""))
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines.prefix(4) == [
        "room r1 at 2023-11-14 22:13:20.700 UTC, log time 1700000000700",
        "On the screen: 2 gift views. Queued: 1 combo.", "",
        "im.gifts/0: its last record by then is im.gifts/0/3, when the log was at 22:13:20.030",
      ])
    for line in [
      "  lane 0     n2 (2): rose, combo im.gifts/0/1: ×1 of 1 shown; next tick 22:13:20.860",
      "  queue      1. n3 (3): rose, combo im.gifts/0/2: ×1 to show, worth 10; wait runs out",
    ] {
      #expect(outcome.output.contains("\n\(line)"))
    }
    // The same in another zone, whose times of day it takes, too.
    let there = try explain("--at", "2023-11-15T06:13:20.700", "--zone", "+08:00")
    #expect(there.output.hasPrefix("room r1 at 2023-11-15 06:13:20.700 +08:00, log time 1700000000700\n"))
  }

  /// A time of day may have a zone of its own, which goes before that of `--zone`. It is of the file's day.
  @Test(arguments: ["06:13:21+08:00", "06:13:21+0800", "06:13:21+8", "22:13:21Z", "18:43:21-03:30", "03:43:21"])
  func aTimeOfDayHasItsZone(time: String) throws {
    let outcome = try explain("--at", time, "--zone", "Asia/Kolkata")
    #expect((outcome.status, outcome.errors) == (0, ""))
    #expect(
      outcome.output.hasPrefix(
        "room r1 at 2023-11-15 03:43:21.000 Asia/Kolkata, log time 1700000001000\nOn the screen: "),
      "\(outcome.output)")
  }

  /// The log's last record is of 22:13:25.
  @Test(arguments: ["2023-11-14T22:13:26Z", "22:13:19"])
  func afterTheEndOfAFileNothingIsKnown(time: String) throws {
    let outcome = try explain("--at", time)
    let why = "can't tell: the log ends at 2023-11-14 22:13:25.000 UTC, before that moment\n"
    #expect(outcome == Program.Outcome(status: 3, output: why, errors: ""))
    let anyway = try explain("--at", time, "--anyway")
    #expect(anyway.status == 3 && anyway.output.hasPrefix(why + "\nroom r1 at "), "\(anyway)")
    let until = try explain("--at", "2023-11-14T22:13:26Z", "--until", "1700000006000")
    #expect(until.status == 0 && until.output.hasPrefix("room r1 at "), "\(until)")
  }

  /// The last record is of 22:13:25, some hundred weeks ago.
  @Test func aSpanCountsBackFromTheEndOfAFile() throws {
    let outcome = try explain("--at", "-4500ms")
    #expect((outcome.status, outcome.errors) == (0, ""))
    #expect(outcome.output.hasPrefix("room r1 at 2023-11-14 22:13:20.500 UTC, log time 1700000000500\nOn the screen: "))
    let none = try Program.run("explain", "--room", "r1", "--input", "/dev/null", "--at", "-5m")
    #expect(none.status == 64 && none.errors.contains("'-5m' counts back from a file's end"), "\(none)")
  }

  @Test func ofALogThatIsNotExactItIsNotSaidThatNothingCame() throws {
    let log = FileManager.default.temporaryDirectory.appending(path: "flyscreen-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: log) }
    let lines = try Data(contentsOf: URL(filePath: Self.log))
    try (Data(#"{"topic":"im.gifts","partition":0,"doubt":"a line is lost"}"#.utf8) + "\n".utf8 + lines).write(to: log)
    for asked in [["--event", "nobody"], ["--user", "nobody"]] {
      let outcome = try Program.run(["explain", "--room", "r1", "--input", log.path] + asked)
      #expect(outcome.status == 3, "\(outcome)")
      #expect(outcome.output.hasPrefix("can't tell: im.gifts[0] is not known exactly: a line is lost\ncan't tell: "))
      #expect(outcome.output.hasSuffix(" in what was read: im.gifts/0 from 0 to 4\n"), "\(outcome)")
    }
  }

  @Test func aTimelineOfARoomThatIsNotThereIsNone() throws {
    try withPage { page in
      let outcome = try Program.run(
        "replay", "--input", Self.log, "--room", "nope", "--timeline", page.path)
      #expect(outcome.status == 1)
      #expect(
        outcome.errors
          == "flyscreen: replay: nothing of the room nope is in what was replayed: is that its name?\n")
      #expect(try String(contentsOf: page, encoding: .utf8) == "the old one")
    }
  }

  @Test(arguments: ["offset:17", "20:27:20+25:00", "20:27+", "+08:00", "yesterday"])
  func whatIsNoTimeIsToldWhatIs(text: String) throws {
    #expect(
      try explain("--at", text)
        == Program.Outcome(
          status: 64, output: "",
          errors: "flyscreen: explain: --at: '\(text)' will not do; give a time like 20:31, 20:31+08:00 or "
            + "2026-11-21T20:31:00Z, or -15m\n"))
  }

  /// A partition that has only wishes says nothing of lanes, nor does a room in which nothing is.
  @Test func ofWishesAloneNoLanesAreTold() throws {
    let log = Vectors.path("wish-tracks", "log.ndjson")
    let room = try Program.run([
      "explain", "--room", "r1", "--input", log, "--at", "2100-01-01", "--until", "4102444800000",
    ])
    #expect(room.output.contains("On the screen: nothing."))
    #expect(!room.output.contains("lane 0") && !room.output.contains("is queued"), "\(room.output)")
  }

  @Test func anAnswerInJSONTellsTheSame() throws {
    struct Line: Decodable {
      struct Answer: Decodable {
        struct Event: Decodable { let record: String, sentence: String }
        struct Moment: Decodable { let sentence: String }
        struct Command: Decodable { let command: String }
        let events: [Event]?
        let moment: Moment?
        let command: Command?
      }
      let exact: Bool
      let cantTell: [String]
      let answer: Answer
    }
    func answer(_ arguments: String...) throws -> Line.Answer {
      let outcome = try Program.run(["explain", "--room", "r1", "--input", Self.log, "--json"] + arguments)
      #expect(outcome.status == 0 && outcome.output.split(separator: "\n").count == 1)
      let line = try JSONDecoder().decode(Line.self, from: Data(outcome.output.utf8))
      #expect(line.exact && line.cantTell.isEmpty)
      return line.answer
    }
    let event = try #require(try answer("--event", "e2", "--until", "1700000100000").events?.first)
    #expect(event.record == "im.gifts/0/2")
    #expect(try explain("--event", "e2", "--until", "1700000100000").output.contains("\n  \(event.sentence)\n"))
    #expect(try answer("im.gifts/0/3/4").command?.command == "im.gifts/0/3/4")
    #expect(
      try answer("--at", "2023-11-14T22:13:20.700Z").moment?.sentence == "On the screen: 2 gift views. Queued: 1 combo."
    )
  }

  @Test func whatIsNotThereIsSaidInOneLine() throws {
    #expect(
      try explain("im.gifts/0/3/40")
        == Program.Outcome(
          status: 1, output: "",
          errors: "flyscreen: explain: after record im.gifts/0/3 room r1 has 8 commands, 0…7; there is no 40\n"))
    #expect(
      try explain("--event", "nobody")
        == Program.Outcome(
          status: 1, output: "",
          errors: "flyscreen: explain: no event of room r1 has the id nobody in what was read: im.gifts/0 from 0 to 4\n"
        ))
  }

  /// Of a room's name that is wrong it is told that there is none, and where the event is.
  @Test func aRoomThatIsNotThereIsSaid() throws {
    func complaint(_ arguments: String...) throws -> String {
      let outcome = try Program.run(["explain", "--room", "nope", "--input", Self.log] + arguments)
      #expect((outcome.status, outcome.output) == (1, ""))
      return outcome.errors
    }
    let read = "in what was read: im.gifts/0 from 0 to 4"
    let name = "nor is anything there of a room nope: is that its name?"
    #expect(
      try complaint("--event", "e2")
        == "flyscreen: explain: no event of room nope has the id e2 \(read), \(name) im.gifts/0/2 of room r1 has it\n")
    #expect(
      try complaint("--event", "nobody")
        == "flyscreen: explain: no event of room nope has the id nobody \(read), \(name)\n")
    #expect(
      try complaint("--user", "n1") == "flyscreen: explain: user n1 did nothing in room nope \(read), \(name)\n")
    #expect(
      try complaint("im.gifts/0/3/4")
        == "flyscreen: explain: no command of room nope came after record im.gifts/0/3 and before the next, \(name)\n")
  }

  @Test(arguments: [
    ([], Self.oneThing), (["--event", "e1", "im.gifts/0/3/4"], Self.oneThing),
    (["--event", "e1", "--user", "7"], Self.oneThing),
    (["im.gifts/0/3"], "'im.gifts/0/3' is no command's id; one looks like im.gifts/0/17/1"),
  ])
  func wrongUsageIsOneLine(arguments: [String], complaint: String) throws {
    #expect(
      try Program.run(["explain", "--room", "r1", "--input", Self.log] + arguments)
        == Program.Outcome(status: 64, output: "", errors: "flyscreen: explain: \(complaint)\n"))
  }

  @Test func aTimelineIsAPage() throws {
    let page = FileManager.default.temporaryDirectory.appending(path: "flyscreen-\(UUID().uuidString).html")
    defer { try? FileManager.default.removeItem(at: page) }
    let outcome = try Program.run(
      "replay", "--input", Self.log, "--room", "r1", "--until", "1700000100000", "--timeline", page.path)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    let html = try String(contentsOf: page, encoding: .utf8)
    #expect(html.hasPrefix("<!doctype html>"))
    #expect(html.hasSuffix("</script>\n"))
    #expect(html.contains(#"id="data">H4sI"#))
  }

  @Test func aTimelineIsOfOneRoom() throws {
    #expect(
      try Program.run("replay", "--input", Self.log, "--timeline", "/dev/null")
        == Program.Outcome(
          status: 64, output: "", errors: "flyscreen: replay: --timeline draws one room; say which with --room\n"))
  }

  /// A log that has begun, but of which no record was read, counts as nothing read.
  @Test func ofAStateAloneNothingWasRead() throws {
    let log = FileManager.default.temporaryDirectory.appending(path: "flyscreen-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: log) }
    try Data(#"{"topic":"im.gifts","partition":0,"settings":{}}"#.utf8).write(to: log)
    let outcome = try Program.run("explain", "--room", "r1", "--input", log.path, "--event", "e1")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("in what was read, which is nothing"))
  }

  private func withPage(_ body: (URL) throws -> Void) throws {
    let page = FileManager.default.temporaryDirectory.appending(path: "flyscreen-\(UUID().uuidString).html")
    defer { try? FileManager.default.removeItem(at: page) }
    try Data("the old one".utf8).write(to: page)
    try body(page)
    #expect(!FileManager.default.fileExists(atPath: page.path + ".part"))
  }

  @Test(arguments: [["--input", "/no/such.ndjson"], ["--input", "/dev/null", "--topic", "t"]])
  func anOldPageStaysUntilTheNewOneIsWhole(log: [String]) throws {
    try withPage { page in
      let outcome = try Program.run(["replay", "--room", "r1", "--timeline", page.path] + log)
      #expect(outcome.status != 0)
      #expect(try String(contentsOf: page, encoding: .utf8) == "the old one")
    }
  }
}
