import Replay
import RoomModel
import Settings
import Testing

/// What was replayed is held against what was published.
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
