import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Testing

/// Answers compare the replayed commands with those that were published.
struct PublishedAnswerTests {
  @Test func timesOfPublishingStandBesideTheirCommands() throws {
    var log = RoomLog()
    log.gift(at: 1000, "7", id: "e1")
    var explainer = Explainer(.event("e1"), room: "r1", settings: log.settings, hashSeed: 1)
    try log.eachLine { try explainer.play($0) }
    let command = try #require(explainer.namedCommands().first)
    #expect(command.name.description == "im.gifts/0/0/0")
    func text(_ finding: PublishedCommands.Finding) -> String {
      var published = PublishedCommands()
      published[command.name] = finding
      return explainer.explain(published: published) ?? ""
    }
    let onTime = text(.found(PublishedCommand(timeMs: 1034, json: command.json)))
    #expect(onTime.contains("[im.gifts/0/0/0, published 00:00:01.034]") && !onTime.contains("LATE"))
    let late = text(.found(PublishedCommand(timeMs: 7034, json: command.json)))
    #expect(late.contains("\nLATE: 1 command published up to 6034 ms late. "))
    #expect(late.contains("[im.gifts/0/0/0, published 00:00:07.034: LATE, 6034 ms after its time]"))
    let other = text(.found(PublishedCommand(timeMs: 1034, json: "{}")))
    #expect(
      other.contains("\nNOT AS PUBLISHED: 1 command") && other.contains("[im.gifts/0/0/0, published otherwise: {}]"))
    #expect(text(.absent).contains("[im.gifts/0/0/0, not published]"))
    #expect(text(.unknown).contains("[im.gifts/0/0/0]"))
    #expect(text(.unknown).contains("\nNOT COMPARED: nothing of this could be compared"))
    #expect(!(explainer.explain() ?? "").contains("COMPARED"), "a file has none")
  }

  @Test func whatAWorkerHasYetToSendIsNotOtherwise() throws {
    var log = RoomLog()
    log.gift(at: 1000, "7", id: "e1")
    log.gift(at: 1100, "8", id: "e2")
    let name = try #require(CommandName("im.gifts/0/0/0"))
    func text(_ question: Explainer.Question, workerAt offset: Int64) throws -> String {
      var explainer = Explainer(question, room: "r1", settings: log.settings, hashSeed: 1)
      try log.eachLine { try explainer.play($0) }
      var published = PublishedCommands()
      published[name] = .absent
      published.note(.init("im.gifts/0", offset: offset, end: 2), topic: "im.gifts", partition: 0)
      published.note(.init("im.wishes/0", offset: 0, end: 2), topic: "im.wishes", partition: 0)
      return explainer.contradiction(published) ?? explainer.explain(published: published) ?? ""
    }
    for offset in [0, 1] as [Int64] {
      let command = try text(.command(name), workerAt: offset)
      #expect(
        command.hasPrefix(
          "not yet: the worker stands at offset \(offset) of im.gifts/0, \(offset == 0 ? "2 records" : "1 record") behind;"
            + " this is what it will send\ncommand im.gifts/0/0/0 of room r1\n"))
      let event = try text(.event("e1"), workerAt: offset)
      #expect(event.contains("not yet: the worker") && event.contains("[im.gifts/0/0/0, not yet sent]"))
      #expect(!event.contains("NOT AS PUBLISHED"))
    }
    #expect(try text(.command(name), workerAt: 2).hasSuffix("which was not published"))
    #expect(try text(.event("e1"), workerAt: 2).contains("NOT AS PUBLISHED"))
  }

  @Test func anIdThatIsANameTooSaysWhose() throws {
    var log = RoomLog()
    func gift(_ user: String, _ name: String) -> String {
      #""gift":{"sender":{"userId":"\#(user)","name":"\#(name)"},"giftId":"rose"}"#
    }
    log.event(at: 1000, "e1", gift("Ann", "Bob"))
    log.event(at: 1100, "e2", gift("7", "Ann"))
    let text = try #require(try log.explain(.user("Ann")))
    #expect(
      text.hasPrefix("what user Ann did in room r1: 1 record\nit is an id, and a name, too: of 7 (1 event)\n"),
      "\(text)")
    #expect(try log.explain(.user("7"))?.contains("a name, too") == false)
  }

  @Test func `gifts that a constant streakId swallowed are told first`() throws {
    var log = RoomLog()
    for number in 0..<3 {
      log.event(
        at: 1000 + LogTime(number), "e\(number)",
        #""gift":{"sender":{"userId":"7"},"giftId":"rose","count":1,"streakId":"0"}"#)
    }
    let text = try #require(try log.explain(.user("7")))
    #expect(
      text.hasPrefix(
        "what user 7 did in room r1: 3 records\n2 gifts added nothing: their streakId had told as many before\n"),
      "\(text)")
  }

  /// A file is taken as it is, so no flag lets it begin later.
  @Test func whereMoreIsIsToldByWhatCanBeDone() throws {
    var log = RoomLog()
    for number in 0..<101 { log.tap(at: 1000 + LogTime(number), "7") }
    for isOfFile in [false, true] {
      var explainer = Explainer(.user("7"), room: "r1", settings: log.settings, hashSeed: 1, isOfFile: isOfFile)
      try log.eachLine { try explainer.play($0) }
      let hint = isOfFile ? "a file that begins later has them" : "--from begins later"
      let text = explainer.explain() ?? ""
      #expect(text.contains("\n… and 1 more, not followed; \(hint)\n"))
    }
  }

  /// e2 has no command yet: it is queued.
  @Test func whatAWorkerHasYetToReadIsNotYet() throws {
    var log = RoomLog()
    log.settings.engine.gift.lanes = 1
    log.gift(at: 1000, "7", count: 9)
    log.gift(at: 1100, "8", id: "e2")
    func text(_ question: Explainer.Question, workerAt offset: Int64) throws -> String {
      var explainer = Explainer(question, room: "r1", settings: log.settings, hashSeed: 1)
      try log.eachLine { try explainer.play($0) }
      var published = PublishedCommands()
      #expect(explainer.answeredOf.map { "\($0)" } == ["im.gifts[0]"])
      published.standings = [.init("im.gifts/0", offset: offset, end: 2)]
      return explainer.explain(published: published) ?? ""
    }
    let standing = "\nnot yet: the worker stands at offset 1 of im.gifts/0, 1 record behind; "
    #expect(try text(.event("e2"), workerAt: 1).contains(standing + "what is told of 1 record here will be\n"))
    #expect(try text(.moment(1200), workerAt: 1).contains(standing + "this is what will be on the screen\n"))
    #expect(try !text(.event("e2"), workerAt: 2).contains("not yet"))
    #expect(try !text(.moment(1200), workerAt: 2).contains("not yet"))
    // It has come to all that is told.
    #expect(try !text(.moment(1050), workerAt: 1).contains("not yet"))
  }

  /// It has read all there is, and is gone before the timers that follow.
  @Test func aWorkerThatIsAwayDoesNotFireTimersOfAMoment() throws {
    var log = RoomLog()
    log.gift(at: 1000, "7", count: 9)
    func text(_ time: LogTime, has isPublished: Bool) throws -> String {
      var explainer = Explainer(.moment(time), room: "r1", settings: log.settings, hashSeed: 1)
      try log.eachLine { try explainer.play($0) }
      explainer.endMoment()
      let standing = PublishedCommands.Standing("im.gifts/0", offset: 1, end: 1)
      var published = PublishedCommands()
      published.standings = [standing]
      let asked = explainer.namedCommands()
      #expect(asked.count == 1)
      for one in asked {
        published[one.name] =
          isPublished ? .found(PublishedCommand(timeMs: one.atMs, json: one.json)) : .pending(standing)
      }
      return explainer.explain(published: published) ?? ""
    }
    let note =
      "\nnot yet: the worker stands at offset 1 of im.gifts/0, 0 records behind; this is what will be on the screen\n"
    let (away, present) = (try text(2000, has: false), try text(2000, has: true))
    #expect(away.contains(note) && !present.contains("not yet"), "\(away)\n\(present)")
    #expect(away.replacing(note, with: "\n") == present)
  }

  @Test func aCommandThatWasPublishedOtherwiseIsNotExplained() throws {
    var log = RoomLog()
    log.gift(at: 1000, "7", id: "e1")
    let name = try #require(CommandName("im.gifts/0/0/0"))
    var explainer = Explainer(.command(name), room: "r1", settings: log.settings, hashSeed: 1)
    try log.eachLine { try explainer.play($0) }
    let json = try #require(explainer.namedCommands().first).json
    var published = PublishedCommands()
    #expect(explainer.contradiction(published) == nil)
    published[name] = .found(PublishedCommand(timeMs: 9000, json: json))
    #expect(explainer.contradiction(published) == nil)
    #expect(explainer.explain(published: published)?.contains("8000 ms after its log time: LATE. ") == true)
    published[name] = .found(PublishedCommand(timeMs: 1034, json: "{}"))
    #expect(explainer.contradiction(published)?.hasSuffix("which was published otherwise: {}") == true)
    published[name] = .absent
    #expect(explainer.contradiction(published)?.hasSuffix("which was not published") == true)
  }
}
