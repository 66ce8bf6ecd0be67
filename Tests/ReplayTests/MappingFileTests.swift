import JSON
import Foundation
import Recovery
import Replay
import RoomModel
import Settings
import Testing
import Wire

/// Files of `topics.mapping`, the ready ones, and mappings in force in a log.
struct MappingFileTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../Deploy/mappings")

  private static func file(_ text: String) throws(SettingsError) -> MappingFile {
    try MappingFile(Array(text.utf8), path: "m.yaml")
  }

  @Test(arguments: [
    (
      "im.gifts:\n  shapes:\n    - roomId: r\n      gift:\n        giftID: x\n",
      "file m.yaml line 5: im.gifts.shapes[0].gift.giftID: gift has no such field"
    ),
    (
      "{\n \"im.gifts\": {\n  \"shapes\": [\n   {\"roomId\": \"a..b\", \"roomEnd\": {}}]}}",
      "file m.yaml line 4: im.gifts.shapes[0].roomId: `a..b` is no path: a name is missing, or has a character for which it must stand in quotes"
    ),
    ("a: {shapes: []}\na: {shapes: []}\n", "file m.yaml line 2: a: it is given twice"),
    (
      "a: {shapes: [{when: {x: 1.5}, ignore: true}]}",
      "file m.yaml line 1: a.shapes[0].when.x: `present`, `absent`, a string, an integer, true, false, or a list of these must stand here"
    ),
    (
      "a: {shapes: [{when: {x: 1}, ignore: yes}]}",
      "file m.yaml line 1: a.shapes[0].ignore: true must stand here, or leave it out"
    ),
    ("a: [\n", "file m.yaml line 2: neither YAML nor JSON: did not find expected node content"),
  ])
  func `a mistake is told with line and path`(text: String, mistake: String) {
    var told: String?
    do throws(SettingsError) { _ = try Self.file(text) } catch { told = error.description }
    #expect(told == mistake)
  }

  @Test func `YAML and JSON of the same mapping have one canonical form`() throws {
    let yaml = try Self.file(
      """
      im.gifts:
        otherwise: ignore
        shapes:
          - when: { cmd: [SEND_GIFT, 7, { is: present }], data.num: present }
            gift:
              value: { times: 100, at: data.price }
              sender.name: data.uname
              giftId: "data[0].\\"a b\\""
              sender: { userId: data.uid }
            eventId: [data.tid, "@header.message-id"]
            roomId: room.id
      """)
    let mapping = try #require(yaml["im.gifts"])
    #expect(yaml["im.wishes"] == nil)
    #expect(
      mapping.text
        == #"{"otherwise":"ignore","shapes":[{"when":{"cmd":["SEND_GIFT",7,{"is":"present"}],"data.num":"present"},"roomId":"room.id","eventId":["data.tid","@header.message-id"],"gift":{"sender":{"userId":"data.uid","name":"data.uname"},"giftId":"data[0].\"a b\"","value":{"at":"data.price","times":100}}}]}"#
    )
    #expect(try Self.file(#"{"*":\#(mapping.text)}"#)["im.wishes"] == mapping)
  }

  @Test func `a file of JSON may escape characters beyond ASCII as JSON does`() throws {
    let file = try Self.file(#"{"*":{"shapes":[{"when":{"a":"\ud83c\udf39"},"ignore":true}]}}"#)
    #expect(file["x"]?.text == #"{"shapes":[{"when":{"a":"🌹"},"ignore":true}]}"#)
  }

  @Test(arguments: [
    ("tiktok", ["gift", "wish", "ignored"]), ("bilibili", ["gift", "wish", "spot", "gift", "ignored"]),
    ("tencent-im", ["gift", "wish", "ignored"]), ("ios-model", ["gift"]), ("kick", ["wish", "gift", "ignored"]),
  ])
  func `a ready mapping reads its sample`(name: String, expected: [String]) throws {
    let file = try MappingFile(path: Self.folder.appending(path: "\(name).yaml").path)
    let sample = try String(contentsOf: Self.folder.appending(path: "\(name).sample.ndjson"), encoding: .utf8)
    let mapping = try #require(file["im.gifts"])
    var reader = LogLineReader()
    var decoder = EventDecoder()
    var found: [String] = []
    for line in sample.split(separator: "\n") {
      try Array(line.utf8).withUnsafeBytes { bytes in
        guard case .record(let record) = try #require(try reader.read(bytes)).content else { return }
        switch decoder.map(record, keyRule: .roomId, mapping: mapping) {
        case .event(let json, _, let refused):
          #expect(refused == nil, "\(line)")
          found.append(EventKind.allCases.first { json.contains("\"\($0.rawValue)\":{") }?.rawValue ?? json)
        case .ignored: found.append("ignored")
        case .refused(let reason): found.append(reason.description)
        case .own: found.append("own")
        }
      }
    }
    #expect(found == expected)
  }

  @Test func `a replay maps by the settings of the log, from their line on`() throws {
    let mapping = #"{"shapes":[{"roomId":"@key","eventId":"@header.id","wish":{"sender.userId":"u","text":"n"}}]}"#
    func line(_ rest: String) -> String { #"{"topic":"im.wishes","partition":0,\#(rest)}"# }
    func record(_ offset: Int) -> String {
      line(
        #""offset":\#(offset),"timestampMs":\#(1000 + offset),"key":"r1","value":{"u":1,"n":1.50},"headers":[["id","e\#(offset)"]]"#
      )
    }
    let lines = [
      record(0), line(#""settings":{},"mapping":\#(mapping)"#), record(1), line(#""settings":{}"#), record(2),
    ]
    var replayer = Replayer(settings: LogSettings(), hashSeed: 1)
    var reader = LogLineReader()
    for line in lines {
      try Array(line.utf8).withUnsafeBytes { try replayer.play(try #require(try reader.read($0))) }
    }
    replayer.fire(to: 60_000)
    #expect(replayer.summary.notUnderstood.total == 2)
    #expect(replayer.output.text.description.contains(#""text":"1.50""#))
  }

  @Test func `the journal tells a mapping whole, and a savepoint, too, a commit by its sum`() throws {
    var settings = LogSettings()
    settings.mapping = try Self.file(#"{"*":{"shapes":[{"when":{"a":"🌹"},"ignore":true}]}}"#)["t"]
    let line = JournalLine(offset: 7, what: .settings(settings))
    var document = JSONDocument()
    let read = try Array(line.json.utf8).withUnsafeBytes { try JournalLine(json: $0, with: &document) }
    #expect(read == line)
    let metadata = CommitMetadata.nothing(before: 7, partitions: 1, settings: settings)
    #expect(metadata.text.utf8.allSatisfy { $0 < 0x80 })
    var short = try CommitMetadata(text: metadata.text)
    #expect(short.restorePoint.settings.mapping == nil && short != metadata)
    short.restorePoint.settings.find(settings.mapping)
    #expect(short == metadata)
    let savepoint = Savepoint(offset: 7, metadata: metadata)
    #expect(try Array(savepoint.text.utf8).withUnsafeBytes { try Savepoint($0) } == savepoint)
  }
}
