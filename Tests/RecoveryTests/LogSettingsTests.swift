import Recovery
import RoomEngine
import RoomModel
import Settings
import Testing
import Wire

/// Settings in a journal, beside a committed offset and in a saved log.
struct LogSettingsTests {
  @Test func whatIsWrittenIsReadBack() throws {
    #expect(try read(LogSettings().json) == LogSettings())
    var all: [(name: String, value: String)] = []
    for setting in LogSettings.table {
      let usual = setting.text(LogSettings())
      let value = Int(usual).map { String($0 + 1) } ?? setting.values.split(separator: ", ").map(String.init).last!
      let settings = try LogSettings(named: [(setting.name, value)], place: "here")
      #expect(setting.text(settings) == value)
      #expect(try read(settings.json) == settings)
      all.append((setting.name, value))
    }
    let settings = try LogSettings(named: all, place: "here")
    #expect(try read(settings.json) == settings)
  }

  @Test func namesMayBeDottedAndNumbersWords() throws {
    var expected = LogSettings()
    expected.engine.gift.lanes = 3
    expected.keyRule = .any
    #expect(try read(#"{"gift.lanes":"3","topics":{"key":"any"}}"#) == expected)
  }

  @Test(arguments: [
    ("3", #"settings must be an object like {"gift":{"lanes":3}}"#),
    (#"{"gift":null}"#, "settings: gift must be an integer or a word"),
    (#"{"gift":{"lanes":[3]}}"#, "settings: gift.lanes must be an integer or a word"),
    (#"{"gift":{"lanse":3}}"#, "settings: there is no setting gift.lanse; the nearest is gift.lanes"),
    (#"{"gift":{"lanes":65}}"#, "settings: gift.lanes 65 is out of range; give one in 1…64"),
  ])
  func whatIsNoSettingOfALogIsRefused(text: String, message: String) {
    #expect(throws: SettingsError(message)) { try read(text) }
  }

  private func read(_ text: String) throws -> LogSettings {
    var document = JSONDocument()
    return try Array(text.utf8).withUnsafeBytes { try LogSettings(document.parse($0)) }
  }
}
