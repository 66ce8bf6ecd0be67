import JSON
import Replay
import RoomEngine
import RoomModel
import Settings
import Testing

/// STAGES.md, section 11, the way back.
struct LogLineWriterTests {
  private func written(_ content: LogLine.Content) -> String {
    var writer = LogLineWriter()
    var bytes = ByteBuffer()
    writer.write(LogLine(topic: Text("im.gifts"), partition: 3, content: content), into: &bytes)
    return bytes.text.description
  }

  private func written(key: [UInt8]? = nil, value: [UInt8]?, headers: [LogRecord.Header] = []) -> String {
    (key ?? []).withUnsafeBytes { keyBytes in
      (value ?? []).withUnsafeBytes { valueBytes in
        written(
          .record(
            LogRecord(
              offset: 17, timestampMs: 5, key: key == nil ? nil : keyBytes,
              value: value == nil ? .none : .bytes(valueBytes), headers: headers)))
      }
    }
  }

  private let place = #"{"topic":"im.gifts","partition":3,"#

  @Test func `a value that is JSON stands on one line, as it came`() {
    let value = Array("{ \"a\" :\n [1, -2.5, \"\\u00e9\\n\", true, null] }".utf8)
    #expect(
      written(key: Array("r1".utf8), value: value)
        == place + #""offset":17,"timestampMs":5,"key":"r1","value":{"a":[1,-2.5,"\u00e9\n",true,null]}}"# + "\n")
  }

  @Test func otherTextStandsAsText() {
    #expect(written(value: Array("{\"a".utf8)) == place + #""offset":17,"timestampMs":5,"valueText":"{\"a"}"# + "\n")
    #expect(written(value: []) == place + #""offset":17,"timestampMs":5,"valueText":""}"# + "\n")
  }

  @Test func bytesStandInBase64() {
    #expect(
      written(key: [255], value: [255, 254, 0, 1])
        == place + #""offset":17,"timestampMs":5,"keyBase64":"/w==","valueBase64":"//4AAQ=="}"# + "\n")
  }

  @Test func aRecordWithoutAValueHasNone() {
    #expect(written(value: nil) == place + #""offset":17,"timestampMs":5}"# + "\n")
  }

  @Test func headersStandAsTheyAre() {
    Array("x".utf8).withUnsafeBytes { x in
      #expect(
        written(value: nil, headers: [("a", x), ("b", nil)])
          == place + #""offset":17,"timestampMs":5,"headers":[["a","x"],["b",null]]}"# + "\n")
    }
  }

  @Test func theJournalStandsWhereItHappened() {
    var settings = LogSettings()
    settings.engine.gift.lanes = 3
    #expect(written(.firedTo(7)) == place + #""firedToMs":7}"# + "\n")
    #expect(written(.doubt("a \"b\"")) == place + #""doubt":"a \"b\""}"# + "\n")
    #expect(written(.firedTo(7, clock: 6)) == place + #""firedToMs":7,"clockMs":6}"# + "\n")
    #expect(written(.settings(settings)) == place + settings.members + "}\n")
  }

  /// Also those that are the defaults: a later program may have others.
  @Test func settingsAreWhole() throws {
    var settings = LogSettings()
    settings.engine.gift.lanes = 3
    let json = settings.wholeJSON
    #expect(json.hasPrefix(#"{"gift":{"lanes":3,"placement":"bottomFirst","#))
    for setting in LogSettings.table {
      #expect(json.contains("\"\(setting.name.split(separator: ".")[1])\":"), "\(setting.name)")
    }
    var reader = LogLineReader()
    try Array(written(.settings(settings)).utf8.dropLast()).withUnsafeBytes { bytes in
      guard case .settings(let read) = try reader.read(bytes)?.content else {
        Issue.record("no settings")
        return
      }
      #expect(read == settings)
    }
  }

  /// Bytes that a JSON text can't hold are written in another way, so every record comes back as it was.
  @Test(arguments: [[], [0], Array("null".utf8), Array(" 5 ".utf8), [255], Array("é\u{0}\"\\".utf8), [1, 2, 3, 200]])
  func whatIsWrittenIsReadBack(value: [UInt8]) throws {
    var reader = LogLineReader()
    let line = written(key: value, value: value)
    try Array(line.utf8.dropLast()).withUnsafeBytes { bytes in
      guard case .record(let record) = try reader.read(bytes)?.content else {
        Issue.record("no record: \(line)")
        return
      }
      #expect(record.key.map(Array.init) == value)
      switch record.value {
      case .bytes(let bytes): #expect(Array(bytes) == value)
      case .json(let json): #expect(json.integer == 5)
      case .none: Issue.record("no value: \(line)")
      }
    }
  }
}
