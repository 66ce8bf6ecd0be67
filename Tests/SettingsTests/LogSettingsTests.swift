import RoomEngine
import RoomModel
import Settings
import Testing

struct LogSettingsTests {
  @Test func defaultsAreNotNamed() {
    #expect(LogSettings().changedJSON == "{}")
  }

  @Test func whatDiffersIsNestedByTheDotsOfItsNameInTheOrderOfTheTable() {
    var settings = LogSettings()
    settings.keyRule = .any
    settings.engine.wish.gap = 0
    settings.engine.gift.order = .value
    settings.engine.gift.lanes = 3
    settings.graceMs = 50
    #expect(
      settings.changedJSON
        == #"{"gift":{"lanes":3,"order":"value"},"wish":{"gap":0},"clock":{"graceMs":50},"topics":{"key":"any"}}"#)
  }

  /// To hold each against all others would take minutes.
  @Test func aFileOfCountlessNamesIsRefused() throws {
    let text = (0..<100_000).map { "a\($0): 1" }.joined(separator: "\n")
    let error = try withFile(text) { path in #expect(throws: SettingsError.self) { try LogSettings(file: path) } }
    #expect(error?.description.hasSuffix("line 1001: more than 1000 names are no settings") == true)
  }

  @Test func whatIsWrittenIsReadBack() throws {
    for setting in LogSettings.table {
      let usual = setting.text(LogSettings())
      var value = Int(usual).map { String($0 + 1) } ?? setting.values.split(separator: ", ").map(String.init).last!
      if setting.name == "gift.tiers" { value = "7:0,1000000000000000:1000000000" }
      let settings = try LogSettings(named: [(setting.name, value)], place: "here")
      #expect(setting.text(settings) == value)
      #expect(try read(settings.changedJSON) == settings)
    }
  }

  @Test(arguments: [
    #"{"gift":{"lanes":3},"topics":{"key":"any"}}"#, "gift: {lanes: 3}\ntopics.key: any\n",
    #"{"gift.lanes":"3","topics.key":"any"}"#,
  ])
  func readsJSONAndYAML(text: String) throws {
    var expected = LogSettings()
    expected.engine.gift.lanes = 3
    expected.keyRule = .any
    #expect(try read(text) == expected)
  }

  @Test(arguments: ["", "{}", "# nothing\n", #"{"gift":{}}"#, "gift:\n"])
  func nothingIsAllDefaults(text: String) throws {
    #expect(try read(text) == LogSettings())
  }

  @Test(arguments: [
    (#"{"gift":{"lanse":3}}"#, "FILE line 1: there is no setting gift.lanse; the nearest is gift.lanes"),
    (
      #"{"worker":{"commitMs":3}}"#,
      "FILE line 1: worker.commitMs does not change what a log's commands are; leave it out here"
    ),
    (#"{"gift":{"lanes":65}}"#, "FILE line 1: gift.lanes 65 is out of range; give one in 1…64"),
    (
      #"{"wish":{"gap":30,"stageWidth":30}}"#,
      "wish.gap (30, FILE line 1) must be less than wish.stageWidth (30, FILE line 1); change one of them"
    ),
  ])
  func whatIsNoSettingOfALogIsRefused(text: String, message: String) throws {
    try withFile(text) { path in
      let error = #expect(throws: SettingsError.self) { try LogSettings(file: path) }
      #expect(error?.description == message.replacing("FILE", with: "file \(path)"))
    }
  }

  private func read(_ text: String) throws -> LogSettings { try withFile(text) { try LogSettings(file: $0) } }
}
