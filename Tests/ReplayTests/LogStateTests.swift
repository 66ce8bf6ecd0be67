import JSON
import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import TestSupport
import Testing
import Wire

/// A log that begins in the middle (STAGES.md, section 11).
struct LogStateTests {
  /// Plays a vector's log up to a line, and its rest from the state there: what comes out of both.
  private func cut(_ lines: [String], at cut: Int, room: ID? = nil) throws -> (whole: [String], rest: [String]) {
    var reader = LogLineReader()
    var decoder = EventDecoder()
    var batch = CommandBatch()
    var settings = LogSettings()
    var log = PartitionLog(settings: settings.engine, hashSeed: 1, keepsChanges: false, log: "in/0")
    var next: Int64 = 0
    for line in lines[..<cut] {
      try Array(line.utf8).withUnsafeBytes { bytes in
        switch try #require(try reader.read(bytes)).content {
        case .record(let record):
          let event = try? decoder.decode(record, keyRule: settings.keyRule)
          _ = log.apply(offset: record.offset, timestampMs: record.timestampMs, event: event, into: &batch)
          next = record.offset + 1
        case .firedTo(let time, _): _ = log.fireTimers(through: time, into: &batch)
        case .settings(let new):
          settings = new
          log.change(to: new.engine)
        case .state, .doubt: Issue.record("a state or a doubt in a whole log")
        }
        batch.removeAll()
      }
    }
    let state = LogState(of: log, before: next, settings: settings, room: room)
    var writer = LogLineWriter()
    var written = ByteBuffer()
    writer.write(LogLine(topic: Text("im.gifts"), partition: 0, content: .state(state)), into: &written)
    let first = String(written.text.description.dropLast())
    let before = try play(Array(lines[..<cut]), room: room).commands.count
    return (
      Array(try play(lines, until: 10_000_000, room: room).commands[before...]),
      try play([first] + lines[cut...], until: 10_000_000, room: room).commands
    )
  }

  private func gift(_ offset: Int64, at time: LogTime, id: String, room: String, user: Int) -> String {
    record(
      offset, at: time, room: room,
      value:
        #"{"eventId":"\#(id)","roomId":"\#(room)","gift":{"sender":{"userId":"\#(user)"},"giftId":"rose","count":3}}"#)
  }

  /// Two rooms with queues, duplicates among them, a change of settings and idle timers.
  private var lines: [String] {
    var lines: [String] = []
    for i in 0..<60 {
      let offset = Int64(i)
      if i == 20 { lines.append(#"{"topic":"im.gifts","partition":0,"settings":{"gift":{"lanes":1}}}"#) }
      if i == 40 { lines.append(#"{"topic":"im.gifts","partition":0,"settings":{"gift":{"lanes":3}}}"#) }
      if i % 9 == 8 { lines.append(#"{"topic":"im.gifts","partition":0,"firedToMs":\#(i * 130 + 90)}"#) }
      lines.append(gift(offset, at: offset * 130 + 100, id: "e\(i / 2)", room: "r\(i % 4 / 2)", user: i % 5))
    }
    return lines
  }

  @Test(arguments: Array(stride(from: 0, to: 65, by: 3)))
  func aLogGoesOnFromAStateAsIfItHadBeenReadFromTheBeginning(place: Int) throws {
    let both = try cut(lines, at: place)
    #expect(!both.whole.isEmpty)
    #expect(both.rest == both.whole)
  }

  @Test(arguments: [7, 33, 55]) func oneRoomGoesOnFromItsStateAlone(place: Int) throws {
    let both = try cut(lines, at: place, room: "r1")
    #expect(both.rest == both.whole)
  }

  @Test func aStateComesFirst() {
    let state =
      #"{"topic":"im.gifts","partition":0,"offset":1,"state":{"version":4,"clockMs":5,"lastOffset":0,"settings":{},"#
      + #""settingsEpoch":0,"rooms":[],"markSeed":"0000000000000000","seenEvents":[]}}"#
    #expect(complaint(state, record(1, at: 9)) == nil)
    #expect(
      complaint(record(0, at: 5), state)
        == "line 2: the state of rooms can only come before all else of its partition")
  }

  /// Nothing that stands in a file reaches what the engine takes for granted.
  @Test(arguments: [
    ("clockMs", "9223372036854775807"), ("clockMs", "4611686018427387904"), ("clockMs", "-9223372036854775807"),
    ("settingsEpoch", "9223372036854775807"), ("settingsEpoch", "-1"), ("lastOffset", "-2"),
    ("rooms", #"[["","BQID"]]"#), ("rooms", #"[["\#(String(repeating: "r", count: 70_000))","BQID"]]"#),
    ("seenEvents", #"[["0123456789abcdef0123456",7]]"#), ("seenEvents", #"[["0123456789abcdef0123456g",7]]"#),
    ("seenEvents", #"[["0123456789abcdef01234567",1e3]]"#),
    ("seenEvents", #"[["0123456789abcdef01234567",9223372036854775807]]"#), ("seenEvents", #"[["",7]]"#),
    ("seenEvents", #"[["\#(String(repeating: "e", count: 70_000))",7]]"#), ("markSeed", #""0123456789abcde""#),
    ("markSeed", "7"),
  ])
  func aStateThatNoLogCanHaveIsDamaged(member: String, value: String) throws {
    var members = [
      "version": "4", "clockMs": "5", "lastOffset": "0", "settings": "{}", "settingsEpoch": "0", "rooms": "[]",
      "markSeed": #""0123456789abcdef""#, "seenEvents": #"[["0123456789abcdef01234567",7]]"#,
    ]
    func refusal() -> String? {
      let state = members.sorted { $0.key < $1.key }.map { name, value in #""\#(name)":\#(value)"# }
        .joined(separator: ",")
      let line = #"{"topic":"im.gifts","partition":0,"offset":1,"state":{\#(state)}}"#
      var reader = LogLineReader()
      return Array(line.utf8).withUnsafeBytes { bytes in
        do throws(BrokenLog) {
          _ = try reader.read(bytes)
          return nil
        } catch {
          return error.description
        }
      }
    }
    #expect(refusal() == nil)
    members[member] = value
    #expect(refusal() == "its state of the rooms is damaged")
  }

  /// A log of which nothing is known has no clock, and no rooms either.
  @Test func withoutAClockThereAreNoRooms() {
    func state(_ rooms: String) -> String {
      #"{"topic":"im.gifts","partition":0,"offset":1,"state":{"version":4,"clockMs":-9223372036854775808,"#
        + #""lastOffset":-1,"settings":{},"settingsEpoch":0,"rooms":\#(rooms),"markSeed":"0000000000000000","seenEvents":[],"doubt":"why"}}"#
    }
    #expect(complaint(state("[]"), record(1, at: 9)) == nil)
    #expect(complaint(state(#"[["r1","BgID"]]"#)) == "line 1: its state of the rooms is damaged")
  }

  @Test func aDamagedStateIsToldWithItsRoom() {
    let state =
      #"{"topic":"im.gifts","partition":0,"offset":1,"state":{"version":4,"clockMs":5,"lastOffset":0,"settings":{},"#
      + #""settingsEpoch":0,"rooms":[["r1","BgID"]],"markSeed":"0000000000000000","seenEvents":[]}}"#
    #expect(complaint(state) == "line 1: the state of room r1 is damaged")
  }
}
