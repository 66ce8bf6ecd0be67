import JSON
import Replay
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import TestSupport
import Wire

/// A log of room r1 that stands in a test; offsets count from 0.
struct RoomLog {
  private(set) var lines: [String] = []
  private var offset: Int64 = 0
  var settings = plain

  private static var plain: LogSettings {
    var settings = LogSettings()
    settings.engine = settings.engine.plain
    return settings
  }

  mutating func gift(
    at time: LogTime, _ user: String, _ gift: String = "rose", count: Int64 = 1, value: Int64 = 10, streak: String = "",
    id: String = ""
  ) {
    event(
      at: time, id,
      #""gift":{"sender":{"userId":"\#(user)"},"giftId":"\#(gift)","count":\#(count),"value":\#(value),"#
        + #""streakId":"\#(streak)"}"#)
  }

  mutating func wish(at time: LogTime, _ user: String, _ wishId: String, text: String = "hi", id: String = "") {
    event(at: time, id, #""wish":{"sender":{"userId":"\#(user)"},"text":"\#(text)","wishId":"\#(wishId)"}"#)
  }

  mutating func like(at time: LogTime, _ user: String, _ wishId: String, id: String = "") {
    event(at: time, id, #""wishLike":{"userId":"\#(user)","wishId":"\#(wishId)"}"#)
  }

  mutating func tap(at time: LogTime, _ user: String, id: String = "") {
    event(at: time, id, #""tap":{"userId":"\#(user)","x":500,"y":500}"#)
  }

  mutating func rain(at time: LogTime, _ rain: String, durationMs: Int = 1000, budget: Int = 100, id: String = "") {
    event(
      at: time, id,
      #""rainStart":{"rainId":"\#(rain)","durationMs":\#(durationMs),"countdown":1,"budget":\#(budget)}"#)
  }

  mutating func grab(at time: LogTime, _ user: String, _ rain: String, _ packet: Int, id: String = "") {
    event(at: time, id, #""rainGrab":{"rainId":"\#(rain)","packet":\#(packet),"userId":"\#(user)"}"#)
  }

  /// Adds any event, by its body, whose name comes first.
  mutating func event(at time: LogTime, _ id: String, _ body: String) {
    lines.append(record(offset, at: time, value: #"{"eventId":"\#(id)","roomId":"r1",\#(body)}"#))
    offset += 1
  }

  mutating func append(_ line: String) { lines.append(line) }

  mutating func line(_ members: String) {
    lines.append(#"{"topic":"im.gifts","partition":0,\#(members)}"#)
  }

  /// The answer to `question` once timers up to `until` have fired; nil: there is none.
  func explain(_ question: Explainer.Question, until: LogTime? = 100_000) throws -> String? {
    var explainer = Explainer(question, room: "r1", settings: settings, hashSeed: 1)
    try eachLine { try explainer.play($0) }
    if let until { explainer.fire(to: until) }
    return explainer.explain()
  }

  /// The rows of the room's page over time, a line each.
  func timeline(until: LogTime = 100_000) throws -> String {
    var timeline = Timeline(room: "r1", settings: settings, hashSeed: 1)
    var bytes: [UInt8] = []
    try eachLine {
      try timeline.play($0)
      bytes += timeline.takePage()
    }
    timeline.fire(to: until)
    return try TimelineRows.of(String(decoding: bytes + timeline.end(), as: UTF8.self)).joined(separator: "\n")
  }

  func eachLine(_ body: (LogLine) throws -> Void) throws {
    var reader = LogLineReader()
    for line in lines {
      try Array(line.utf8).withUnsafeBytes { if let line = try reader.read($0) { try body(line) } }
    }
  }

  /// The ids of those commands that hold `words`.
  func commands(with words: String, until: LogTime = 100_000) throws -> [CommandName] {
    try play(lines, settings: settings, until: until).commands.filter { $0.contains(words) }.compactMap(Self.name)
  }

  /// Its records from this offset on, and how the room stood before them.
  func goingOn(from first: Int64) throws -> RoomLog {
    var log = PartitionLog(settings: settings.engine, hashSeed: 1, keepsChanges: false, log: "in/0")
    var decoder = EventDecoder()
    var batch = CommandBatch()
    var rest = self
    rest.lines = []
    for (number, line) in lines.enumerated() where number >= first { rest.lines.append(line) }
    try eachLine { line in
      guard case .record(let record) = line.content, record.offset < first else { return }
      _ = log.apply(
        offset: record.offset, timestampMs: record.timestampMs, event: try decoder.decode(record, keyRule: .roomId),
        into: &batch)
    }
    var writer = LogLineWriter()
    var written = ByteBuffer()
    let state = LogState(of: log, before: first, settings: settings, room: "r1")
    writer.write(LogLine(topic: Text("im.gifts"), partition: 0, content: .state(state)), into: &written)
    rest.lines.insert(String(written.text.description.dropLast()), at: 0)
    return rest
  }

  static func name(_ command: String) -> CommandName? {
    command.firstMatch(of: /"id":"([^"]*)"/).flatMap { CommandName(String($0.1)) }
  }
}
