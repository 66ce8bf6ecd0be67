import Settings
import Testing

struct ArgumentsTests {
  private func parse(_ words: String...) throws -> Arguments {
    try Arguments(
      words, options: [CommandOption("rooms", "N", "how many"), CommandOption("json", nil, "as lines")],
      settings: ["gift.lanes", "kafka.bootstrap.servers"])
  }

  @Test func valuesFollowTheirFlagsOrAnEqualsSign() throws {
    let arguments = try parse("--gift.lanes", "3", "one", "--rooms=7", "--json", "--config", "f", "two")
    #expect(arguments.settings == [SettingFlag(name: "gift.lanes", value: "3")])
    #expect(arguments["rooms"] == "7")
    #expect(try arguments.integer("rooms", 1...9) == 7)
    #expect(arguments.has("json"))
    #expect(arguments.configFile == "f")
    #expect(arguments.operands == ["one", "two"])
    #expect(!arguments.wantsHelp)
  }

  @Test func aValueMayHaveAnEqualsSignOrAMinus() throws {
    #expect(try parse("--kafka.bootstrap.servers=a=b").settings.first?.value == "a=b")
    #expect(try parse("--rooms", "-15m")["rooms"] == "-15m")
    #expect(try parse("--rooms=--7")["rooms"] == "--7")
    #expect(try parse("--rooms=\u{301}")["rooms"] == "\u{301}", "an equals sign stays one before an accent")
  }

  @Test func aListHasCommasBetweenItsItems() throws {
    #expect(try parse("--rooms", "a,b,,a").list("rooms") == ["a", "b", "a"])
    let accented = try parse("--rooms", "a,\u{301}b").list("rooms")
    #expect(accented == ["a", "\u{301}b"], "a comma stays one before an accent")
    #expect(try parse("one").list("rooms") == nil)
    let error = #expect(throws: SettingsError.self) { try parse("--rooms", ",,").list("rooms") }
    #expect(error?.description == "--rooms: ',,' names none; give one, or several with commas")
  }

  @Test func aSettingMayBeEmpty() throws {
    #expect(try parse("--gift.lanes=", "--kafka.bootstrap.servers", "").settings.map(\.value) == ["", ""])
  }

  @Test func afterTwoDashesAllAreOperands() throws {
    #expect(try parse("--", "--rooms", "-x").operands == ["--rooms", "-x"])
  }

  @Test func helpIsAskedForByTwoNames() throws {
    #expect(try parse("--help").wantsHelp)
    #expect(try parse("-h").wantsHelp)
  }

  @Test func ofAFlagThatComesTwiceTheLastCounts() throws {
    #expect(try parse("--rooms", "1", "--rooms", "2")["rooms"] == "2")
  }

  @Test(arguments: [
    (["--room", "1"], "there is no flag --room; the nearest is --rooms"),
    (["--gift.lane", "1"], "there is no flag --gift.lane; the nearest is --gift.lanes"),
    (["--confg", "1"], "there is no flag --confg; the nearest is --config"),
    (["--rooms"], "--rooms needs a value: --rooms VALUE"),
    (["--rooms", "--json"], "--rooms needs a value: --rooms VALUE"),
    (["--rooms", ""], "--rooms needs a value: --rooms VALUE"),
    (["--config="], "--config needs a value: --config VALUE"),
    (["--json=1"], "--json takes no value; write it alone"),
    (["-x"], "there is no flag -x; flags begin with --, and --help shows them"),
  ])
  func whatIsNoArgumentIsRefused(words: [String], message: String) {
    let error = #expect(throws: SettingsError.self) {
      try Arguments(
        words, options: [CommandOption("rooms", "N", "how many"), CommandOption("json", nil, "as lines")],
        settings: ["gift.lanes"])
    }
    #expect(error?.description == message)
  }
}
