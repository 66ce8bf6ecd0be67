import Recovery
import RoomEngine
import RoomModel
import Settings
import Testing

@Suite struct CommitMetadataTests {
  @Test func whatIsCommittedIsReadBack() throws {
    var settings = LogSettings()
    settings.engine.gift.lanes = 5
    settings.keyRule = .any
    let metadata = CommitMetadata(
      restorePoint: RestorePoint(
        offset: 17, clock: 1_700_000_000_000, lastOffset: 15, settings: settings, settingsEpoch: 3, journalFrom: 4),
      applyFrom: 19, changelogFrom: 99, clock: 1_700_000_001_000, lastOffset: 22, commit: "w-0#5", partitions: 8,
      markSeed: .max)
    #expect(
      metadata.text.replacing(#/"sum":"[0-9a-f]{8}"/#, with: "") == #"""
        {"version":4,,"commit":"w-0#5","clock":1700000001000,"lastOffset":22,"partitions":8,\#
        "applyFrom":19,"changelogFrom":99,"markSeed":-1,"mark":{"offset":17,"clock":1700000000000,"lastOffset":15,"settingsEpoch":3,\#
        "journalFrom":4},\#(settings.members)}
        """#)
    #expect(try CommitMetadata(text: metadata.text) == metadata)
    #expect(metadata.text.utf8.allSatisfy { (0x20..<0x7f).contains($0) })
  }

  /// Brokers take 4096 bytes (`offset.metadata.max.bytes`).
  @Test func theLongestFitsInWhatBrokersTake() throws {
    var settings = LogSettings()
    for setting in LogSettings.table {
      let longest = setting.values.split(separator: "…").last.map(String.init)!
      let value = Int(longest) == nil ? setting.text(settings) : longest
      settings = (try? LogSettings(named: [(setting.name, value)], others: settings, place: "here")) ?? settings
    }
    settings.rules = .max
    let most: Int64 = 1 << 62
    let metadata = CommitMetadata(
      restorePoint: RestorePoint(
        offset: most, clock: -most, lastOffset: most, settings: settings, settingsEpoch: most, journalFrom: most),
      applyFrom: most, changelogFrom: most, clock: -most, lastOffset: most,
      commit: String(repeating: "w", count: 300), partitions: .max, markSeed: 1 << 63)
    // `gift.tiers` has up to 447 bytes.
    #expect(metadata.text.utf8.count + 447 < 4096)
  }

  @Test func whatRulesOfALaterProgramGaveIsToldFromThat() {
    let rules = LogRules.current + 1
    let what = "a commit under rules \(rules), and rules \(LogRules.current) are the last known here"
    var settings = LogSettings()
    settings.rules = rules
    let text = CommitMetadata.nothing(before: 5, partitions: 1, settings: settings).text
    #expect(throws: RestoreError.newer(what)) { try CommitMetadata(text: text) }
  }

  @Test func whatWasCommittedBeforeAnyRecordIsReadBack() throws {
    let metadata = CommitMetadata.nothing(before: 5, partitions: 1)
    #expect(try CommitMetadata(text: metadata.text) == metadata)
  }

  @Test(arguments: ["", "nonsense", "{}", "{\"version\":1}", "[1]"])
  func whatAnotherProgramCommittedIsRefused(text: String) {
    #expect(throws: RestoreError.metadata(text)) { try CommitMetadata(text: text) }
  }

  @Test func whatALaterVersionCommittedIsToldFromThat() {
    let what = "a commit of version 9, and version 4 is the last known here"
    #expect(throws: RestoreError.newer(what)) { try CommitMetadata(text: "{\"version\":9}") }
  }

  @Test func aCharacterThatIsWrongIsNoticed() {
    let whole = Array(nothing.utf8)
    for at in whole.indices {
      for bit in 0..<7 {
        var bytes = whole
        bytes[at] ^= 1 << UInt8(bit)
        #expect(throws: RestoreError.damagedMetadata, "\(at)") {
          try CommitMetadata(text: String(decoding: bytes, as: UTF8.self))
        }
      }
    }
  }

  /// Expects that a text with another value, and a sum that is right for it, is refused.
  private func expectRefusal(of text: String, with value: String, for name: String) throws {
    let changed = text.replacing(try Regex("\"\(name)\":-?[0-9]+"), with: "\"\(name)\":\(value)")
    #expect(changed != text)
    let rest = try #require(changed.firstMatch(of: #/^{"version":4,"sum":"[0-9a-f]{8}",(.*)$/#)).output.1
    let whole = "{\"version\":3,\"sum\":\"\(Checksum.text(of: "3" + rest))\",\(rest)"
    #expect(throws: RestoreError.metadata(whole)) { try CommitMetadata(text: whole) }
  }

  private let nothing = CommitMetadata.nothing(before: 5, partitions: 1).text

  @Test(arguments: ["-9223372036854775807", "-4611686018427387904", "4611686018427387904", "9223372036854775807"])
  func aTimeThatNothingCanBeAddedToIsRefused(time: String) throws {
    try expectRefusal(of: nothing, with: time, for: "clock")
  }

  @Test(
    arguments: ["offset", "lastOffset", "applyFrom", "changelogFrom", "journalFrom", "settingsEpoch"],
    ["-9223372036854775808", "-2", "4611686018427387905", "9223372036854775807"])
  func anOffsetThatNoLogHasIsRefused(name: String, value: String) throws {
    try expectRefusal(of: nothing, with: value, for: name)
  }
}
