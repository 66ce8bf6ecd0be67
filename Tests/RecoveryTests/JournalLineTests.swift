import JSON
import Recovery
import RoomEngine
import Settings
import Testing

@Suite struct JournalLineTests {
  private func read(_ text: String) throws -> JournalLine {
    var document = JSONDocument()
    return try Array(text.utf8).withUnsafeBytes { try JournalLine(json: $0, with: &document) }
  }

  @Test func whatIsWrittenIsReadBack() throws {
    var settings = LogSettings()
    settings.engine.gift.order = .value
    settings.graceMs = 7
    for what in [
      .firedTo(1_700_000_004_000), .settings(settings), .settings(LogSettings()),
      .passed(through: 18, at: 1_700_000_004_000), .passed(through: 25, at: -1),
    ] as [JournalLine.What] {
      let line = JournalLine(offset: 18, what: what)
      #expect(try read(line.json) == line)
    }
  }

  /// INTERFACES.md, "Topics".
  @Test func itIsWrittenAsReplaysOfOtherVersionsReadIt() {
    var settings = LogSettings()
    settings.engine.gift.lanes = 3
    func sumless(_ what: JournalLine.What) -> String {
      JournalLine(offset: 18, what: what).json.replacing(#/"[0-9a-f]{8}"/#, with: "")
    }
    #expect(sumless(.firedTo(1_700_000_004_000)) == #"{"offset":18,"firedToMs":1700000004000,"version":3,"sum":}"#)
    #expect(sumless(.settings(settings)) == #"{"offset":18,\#(settings.members),"version":3,"sum":}"#)
    #expect(
      sumless(.passed(through: 25, at: 1_700_000_004_000))
        == #"{"offset":18,"passedThrough":25,"timestampMs":1700000004000,"version":4,"sum":}"#)
  }

  @Test func whatRulesOfALaterProgramWroteIsNotTaken() {
    var settings = LogSettings()
    settings.rules = LogRules.current + 1
    #expect(throws: RestoreError.newer("a line of a journal under rules \(settings.rules)")) {
      try read(JournalLine(offset: 18, what: .settings(settings)).json)
    }
  }

  @Test func aCharacterThatIsWrongIsNoticed() {
    let whole = Array(JournalLine(offset: 18, what: .firedTo(1_700_000_004_000)).json.utf8)
    for at in whole.indices {
      for bit in 0..<8 {
        var bytes = whole
        bytes[at] ^= 1 << UInt8(bit)
        #expect(throws: RestoreError.damagedLine, "\(at)") {
          var document = JSONDocument()
          return try bytes.withUnsafeBytes { try JournalLine(json: $0, with: &document) }
        }
      }
    }
  }

  @Test func oneOfALaterVersionIsNotTaken() {
    #expect(throws: RestoreError.newer("a line of a journal of version 5")) {
      try read(#"{"offset":18,"firedToMs":5,"version":5,"sum":"79b39504"}"#)
    }
  }

  @Test(arguments: [
    "", "nonsense", "{}", "[1]", #"{"offset":18}"#, #"{"firedToMs":5}"#, #"{"offset":"18","firedToMs":5}"#,
    #"{"offset":18,"settings":{"gift":{"lanse":3}}}"#, #"{"offset":18,"settings":3}"#,
    // A worker that fell over one would fall over it again at each start.
    #"{"offset":18,"firedToMs":9223372036854775807}"#, #"{"offset":18,"firedToMs":4611686018427387904}"#,
    #"{"offset":18,"firedToMs":-9223372036854775808}"#, #"{"offset":18,"firedToMs":18446744073709551615}"#,
    #"{"offset":18,"passedThrough":17,"timestampMs":5}"#, #"{"offset":18,"passedThrough":18}"#,
    #"{"offset":-1,"firedToMs":5}"#, #"{"offset":9223372036854775807,"firedToMs":5}"#,
  ])
  func whatIsNoLineOfAJournalIsRefused(text: String) {
    #expect(throws: RestoreError.journal) { try read(text) }
    guard text.hasSuffix("}") else { return }
    let line = text.dropLast() + (text == "{}" ? "" : ",") + "\"version\":3"
    #expect(throws: RestoreError.journal) { try read("\(line),\"sum\":\"\(Checksum.text(of: String(line)))\"}") }
  }
}
