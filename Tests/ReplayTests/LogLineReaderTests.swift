import JSON
import Replay
import RoomEngine
import RoomModel
import Settings
import Testing
import Wire

/// STAGES.md, section 11.
struct LogLineReaderTests {
  /// A record in words: its key and value as texts, `-` for none.
  private func read(_ members: String) throws -> String {
    var reader = LogLineReader()
    let bytes = Array(#"{"topic":"im.gifts","partition":3,\#(members)}"#.utf8)
    return try bytes.withUnsafeBytes { bytes in
      let line = try #require(try reader.read(bytes))
      #expect(line.topic == Text("im.gifts"))
      #expect(line.partition == 3)
      switch line.content {
      case .record(let record):
        let value =
          switch record.value {
          case .none: "-"
          case .json(let json): "json \(json.kind)"
          case .bytes(let bytes): "bytes \(text(bytes))"
          }
        return "\(record.offset)@\(record.timestampMs) \(text(record.key)) \(value)"
      case .firedTo(let time, let clock): return "fired \(time)\(clock.map { ", the clock at \($0)" } ?? "")"
      case .settings(let settings): return "settings \(settings.changedJSON)"
      case .state(let state): return "state before \(state.offset)"
      case .doubt(let why): return "doubt: \(why)"
      }
    }
  }

  private func text(_ bytes: UnsafeRawBufferPointer?) -> String {
    guard let bytes else { return "-" }
    return String(validating: bytes, as: UTF8.self) ?? "\(Array(bytes))"
  }

  private func refusal(_ line: String) -> String? {
    var reader = LogLineReader()
    do {
      _ = try Array(line.utf8).withUnsafeBytes { _ = try reader.read($0) }
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    (#""offset":17,"timestampMs":5,"key":"r1","value":{}"#, "17@5 r1 json object"),
    (#""offset":17,"timestampMs":5,"key":"r1","value":[]"#, "17@5 r1 json list"),
    (#""offset":17,"timestampMs":-5,"key":null,"valueText":"{not json""#, "17@-5 - bytes {not json"),
    (#""offset":17,"timestampMs":5,"valueText":"""#, "17@5 - bytes "),
    (#""offset":17,"timestampMs":5,"keyBase64":"cjE=","valueBase64":"//4AAQ==""#, "17@5 r1 bytes [255, 254, 0, 1]"),
    (#""offset":17,"timestampMs":5,"keyBase64":"","valueBase64":"//4AAQ""#, "17@5  bytes [255, 254, 0, 1]"),
    (#""offset":17,"timestampMs":5,"key":"r1""#, "17@5 r1 -"),
    (#""value":{},"headers":[],"more":1,"timestampMs":5,"offset":17"#, "17@5 - json object"),
    (#""firedToMs":5"#, "fired 5"),
    (#""firedToMs":5,"clockMs":4"#, "fired 5, the clock at 4"),
    (#""doubt":"a line is lost""#, "doubt: a line is lost"),
    (#""settings":{},"rules":2"#, "settings {}"),
    (
      #""offset":17,"state":{"version":4,"clockMs":5,"lastOffset":9,"settings":{},"settingsEpoch":0,"#
        + #""rooms":[],"markSeed":"0000000000000000","seenEvents":[]}"#, "state before 17"
    ),
  ])
  func aLineIsOneOfFiveKinds(members: String, words: String) throws { #expect(try read(members) == words) }

  private func settings(_ lines: String...) throws -> LogSettings {
    var reader = LogLineReader()
    var last = LogSettings()
    for line in lines {
      try Array(line.utf8).withUnsafeBytes {
        if case .settings(let settings) = try reader.read($0)?.content { last = settings }
      }
    }
    return last
  }

  @Test func settingsWithoutANumberWereWrittenByHandForTheRulesOfNow() throws {
    let line = #"{"topic":"t","partition":0,"settings":{"gift":{"lanes":3}}}"#
    var expected = LogSettings()
    expected.engine.gift.lanes = 3
    #expect(try settings(line) == expected)
    #expect(try settings(record(0, at: 5), line) == expected)
    let numbered = line.replacing("}}}", with: #"}},"rules":\#(LogRules.current)}"#)
    #expect(try settings(record(0, at: 5), numbered) == expected)
  }

  @Test(arguments: [
    (#"{"topic":"t","partition":0,"offset":1,"timestampMs":1"#, "it is not JSON: "),
    ("x", "it is not JSON: "),
    ("[]", "it is no JSON object"),
    (#"{"partition":0}"#, "topic must be there"),
    (#"{"topic":"","partition":0}"#, "topic must be there"),
    (#"{"topic":5,"partition":0}"#, "topic must be there"),
    (#"{"topic":"t"}"#, "partition must be there"),
    (#"{"topic":"t","partition":-1}"#, "partition must be there"),
    (#"{"topic":"t","partition":2147483648}"#, "partition must be there"),
    (#"{"topic":"t","partition":0,"timestampMs":1}"#, "offset must be there"),
    (#"{"topic":"t","partition":0,"offset":-1,"timestampMs":1}"#, "offset must be there"),
    (#"{"topic":"t","partition":0,"offset":1.0,"timestampMs":1}"#, "offset must be there"),
    (#"{"topic":"t","partition":0,"offset":1}"#, "timestampMs must be there"),
    (#"{"topic":"t","partition":0,"settings":{},"rules":1000}"#, "rules 1000 are not known here; the last that are"),
    (#"{"topic":"t","partition":0,"settings":{},"rules":"new"}"#, "rules must be a number"),
    (#"{"topic":"t","partition":0,"offset":1,"timestampMs":"1"}"#, "timestampMs must be there"),
    (#"{"topic":"t","partition":0,"offset":1,"timestampMs":9223372036854775807}"#, "timestampMs must be there"),
    (#"{"topic":"t","partition":0,"doubt":1}"#, "doubt must be a string"),
    (#"{"topic":"t","partition":0,"firedToMs":"1"}"#, "firedToMs must be a time"),
    (#"{"topic":"t","partition":0,"firedToMs":1,"clockMs":"1"}"#, "clockMs must be a time"),
    (#"{"topic":"t","partition":0,"offset":1,"timestampMs":1,"key":1}"#, "key must be a string or null"),
    (#"{"topic":"t","partition":0,"offset":1,"timestampMs":1,"key":"a","keyBase64":"YQ=="}"#, "key and keyBase64"),
    (
      #"{"topic":"t","partition":0,"offset":1,"timestampMs":1,"keyBase64":"*"}"#, "keyBase64 must be a string of base64"
    ),
    (#"{"topic":"t","partition":0,"offset":1,"timestampMs":1,"value":{},"valueText":""}"#, "value, valueText and"),
    (#"{"topic":"t","partition":0,"offset":1,"timestampMs":1,"valueText":{}}"#, "valueText must be a string"),
    (#"{"topic":"t","partition":0,"offset":1,"timestampMs":1,"valueBase64":"A"}"#, "valueBase64 must be a string"),
    (#"{"topic":"t","partition":0,"offset":1,"timestampMs":1,"valueBase64":"A==="}"#, "valueBase64 must be a string"),
    (#"{"topic":"t","partition":0,"offset":1,"timestampMs":1,"headers":{}}"#, "headers must be a list"),
    (#"{"topic":"t","partition":0,"offset":1,"timestampMs":1,"headers":[["a"]]}"#, "headers must be a list"),
    (#"{"topic":"t","partition":0,"offset":1,"timestampMs":1,"headers":[["a","b","c"]]}"#, "headers must be a list"),
  ])
  func whatIsWrongIsSaid(line: String, beginning: String) throws {
    let said = try #require(refusal(line))
    #expect(said.hasPrefix(beginning), "\(said)")
    #expect(!said.contains("\n"))
  }

  @Test func everyByteComesBackFromBase64() throws {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    for count in 0...8 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 255 - $0 * 37) }
      let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
      let padded = bits + Array(repeating: 0, count: (6 - bits.count % 6) % 6)
      let digits = stride(from: 0, to: padded.count, by: 6).map { start in
        alphabet[padded[start..<start + 6].reduce(0) { $0 * 2 + Int($1) }]
      }
      let ending = String(repeating: "=", count: (4 - digits.count % 4) % 4)
      let text = String(decoding: digits, as: UTF8.self) + ending
      #expect(
        try read(#""offset":1,"timestampMs":1,"valueBase64":"\#(text)""#)
          == "1@1 - bytes \(bytes.withUnsafeBytes { self.text($0) })")
    }
  }
}
