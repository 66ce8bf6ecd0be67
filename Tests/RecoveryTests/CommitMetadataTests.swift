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
      applyFrom: 19, changelogFrom: 99, clock: 1_700_000_001_000, lastOffset: 22, commit: "w-0#5", partitions: 8)
    #expect(
      metadata.text == #"""
        {"version":1,"commit":"w-0#5","clock":1700000001000,"lastOffset":22,"partitions":8,"applyFrom":19,\#
        "changelogFrom":99,"mark":{"offset":17,"clock":1700000000000,"lastOffset":15,"settingsEpoch":3,\#
        "journalFrom":4},"settings":{"gift":{"lanes":5},"topics":{"key":"any"}}}
        """#)
    #expect(try CommitMetadata(text: metadata.text) == metadata)
    #expect(metadata.text.utf8.allSatisfy { (0x20..<0x7f).contains($0) })
  }

  @Test func whatWasCommittedBeforeAnyRecordIsReadBack() throws {
    let metadata = CommitMetadata.nothing(before: 5, partitions: 1)
    #expect(try CommitMetadata(text: metadata.text) == metadata)
  }

  @Test(arguments: ["", "nonsense", "{}", "{\"version\":2}", "[1]"])
  func whatAnotherProgramCommittedIsRefused(text: String) {
    #expect(throws: RestoreError.metadata(text)) { try CommitMetadata(text: text) }
  }

  private func expectRefusal(of text: String, with value: String, for name: String) throws {
    let changed = text.replacing(try Regex("\"\(name)\":-?[0-9]+"), with: "\"\(name)\":\(value)")
    #expect(changed != text)
    #expect(throws: RestoreError.metadata(changed)) { try CommitMetadata(text: changed) }
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
