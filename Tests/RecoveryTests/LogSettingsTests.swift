import JSON
import Recovery
import RoomEngine
import RoomModel
import Settings
import Testing

/// Settings in a journal, beside a committed offset and in a saved log.
struct LogSettingsTests {
  @Test func whatIsWrittenIsReadBack() throws {
    #expect(try read(LogSettings().wholeJSON) == LogSettings())
    var all: [(name: String, value: String)] = []
    for setting in LogSettings.table {
      let usual = setting.text(LogSettings())
      var value = Int(usual).map { String($0 + 1) } ?? setting.values.split(separator: ", ").map(String.init).last!
      if setting.name == "gift.tiers" { value = "7:0,1000000000000000:1000000000" }
      let settings = try LogSettings(named: [(setting.name, value)], place: "here")
      #expect(setting.text(settings) == value)
      #expect(try read(settings.wholeJSON) == settings)
      all.append((setting.name, value))
    }
    let settings = try LogSettings(named: all, place: "here")
    #expect(try read(settings.wholeJSON) == settings)
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

  /// Settings that were all written out stay the same, whatever the default of any becomes.
  @Test func noDefaultDecidesWhatWasWrittenWhole() throws {
    for setting in LogSettings.table {
      let usual = setting.text(LogSettings())
      let value = Int(usual).map { String($0 + 1) } ?? setting.values.split(separator: ", ").map(String.init).last!
      guard let others = try? LogSettings(named: [(setting.name, value)], place: "here") else { continue }
      var named: [(name: String, value: String)] = []
      for setting in LogSettings.table { named.append((setting.name, setting.text(LogSettings()))) }
      #expect(try LogSettings(named: named, others: others, place: "here") == LogSettings())
    }
  }

  @Test func aPersonWritesForTheseRulesAndOthersTellTheirNumber() throws {
    var expected = LogSettings()
    expected.engine.gift.lanes = 3
    #expect(try read(#"{"gift":{"lanes":3}}"#, rules: nil) == expected)
    expected.rules = 2
    #expect(try read(#"{"gift":{"lanes":3}}"#, rules: "2") == expected)
  }

  @Test(arguments: [
    ("0", "rules must be a number of 1 or more"), (#""2""#, "rules must be a number of 1 or more"),
    ("99", "rules 99 are not known here; the last that are have the number \(LogRules.current)"),
  ])
  func otherRulesAreRefused(rules: String, message: String) {
    #expect(throws: SettingsError(message)) { try read("{}", rules: rules) }
  }

  private func read(_ text: String, rules: String? = "\(LogRules.current)") throws -> LogSettings {
    var document = JSONDocument()
    let object = #"{"settings":\#(text)\#(rules.map { #","rules":\#($0)"# } ?? "")}"#
    return try Array(object.utf8).withUnsafeBytes {
      let json = try document.parse($0)
      return try LogSettings(#require(json["settings"]), rules: json["rules"])
    }
  }
}
