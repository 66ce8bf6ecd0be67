import Settings
import Testing

/// The settings of a group: the topics that it keeps, the place where it begins, and commits of other programs.
struct GroupSettingsTests {
  private func read(_ flags: (String, String)...) throws -> Configuration {
    try ConfigurationReader(kafkaProperties: ["group.id"])
      .read(flags: flags.map { SettingFlag(name: $0.0, value: $0.1) })
  }

  @Test func eachGroupHasItsOwn() throws {
    #expect(try read().topics.helpers.changelog(of: "in") == "flyscreen.changelog.in")
    let staging = try read(("kafka.group.id", "staging")).topics
    #expect(staging.helpers.journal(of: "in") == "staging.journal.in")
    #expect(staging.helpers.group == "staging")
    #expect(staging.outputs.contains("staging.changelog.im.gifts") && staging.outputs.contains("im.gifts.dlq"))
    let before = try read(("kafka.group.id", "prod"), ("topics.helpers", "flyscreen")).topics.helpers
    #expect(before.changelog(of: "in") == "flyscreen.changelog.in" && before.group == "prod")
  }

  @Test func aGroupThatCantStandInATopicsNameNeedsAnother() throws {
    do {
      _ = try read(("kafka.group.id", "my group"))
      Issue.record("it was taken")
    } catch let error as SettingsError {
      #expect("\(error)".contains("my group") && "\(error)".contains("set topics.helpers"))
    }
    #expect(try read(("kafka.group.id", "my group"), ("topics.helpers", "mine")).topics.helpers.prefix == "mine")
  }

  @Test func namesThatAreTooLongAreRefused() {
    #expect(throws: SettingsError.self) { try read(("topics.helpers", String(repeating: "p", count: 240))) }
    #expect(throws: SettingsError.self) {
      try read(("topics.helpers", "p"), ("topics.commands", "p.journal.im.gifts"))
    }
  }

  @Test(arguments: [
    ("beginning", GroupBegin.beginning), ("end", .end), ("1970-01-01T00:00Z", .time(0, as: "1970-01-01T00:00Z")),
    ("2000-02-29T12:34:56Z", .time(951_827_696_000, as: "2000-02-29T12:34:56Z")),
    ("2026-11-21T20:31:00Z", .time(1_795_293_060_000, as: "2026-11-21T20:31:00Z")),
  ])
  func whereAGroupBegins(text: String, begin: GroupBegin) throws {
    let configuration = try read(("worker.begin", text))
    #expect(configuration.worker.begin == begin)
    // The value that `flyscreen settings` shows.
    #expect(Configuration.table.first { $0.name == "worker.begin" }?.text(configuration) == text)
  }

  @Test func commitsThatAreMeant() throws {
    #expect(try read(("worker.rewind", "")).worker.rewind.isEmpty)
    #expect(try read(("worker.rewind", "follow")).worker.rewind == ["follow"])
    #expect(try read(("worker.rewind", "im.gifts/3@1200,a/0@0")).worker.rewind == ["im.gifts/3@1200", "a/0@0"])
    for text in [
      "back", "im.gifts", "im.gifts/3", "im.gifts@3", "im.gifts/x@1", "im.gifts/3@-1", "/3@1", "a b/3@1",
      "im.gifts/٣@1",
    ] {
      #expect(throws: SettingsError.self) { try read(("worker.rewind", text)) }
    }
  }

  @Test(arguments: [
    "now", "", "2026-11-21", "2026-13-01T00:00Z", "2026-02-29T00:00Z", "2026-04-31T00:00Z", "2100-02-29T00:00Z",
    "2026-11-21T25:00Z", "-15m",
  ])
  func whatIsNoPlaceToBeginIsRefused(text: String) {
    #expect(throws: SettingsError.self) { try read(("worker.begin", text)) }
  }
}
