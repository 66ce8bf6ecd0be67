import JSON
import Kafka
import Replay
import RoomModel
import RoomScreen
import Settings
import TestSupport
import Testing
import Wire

/// A log has the same output with any number of threads as line by line.
struct ParallelReplayerTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func threadsChangeNothing(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let log = MixedLog(partitions: [1, 2, 5, 9][Int(seed) % 4], count: 5_000, &random)
    let kept = [Replayer.Kept.commands, .results, .nothing][Int(seed) % 3]
    let room: ID? = random.one(of: [nil, "r1"])
    let expected = log.played(keeping: kept, room: room)
    #expect(expected.failure == nil)
    #expect(kept == .nothing || expected.output.count > 100)
    for threads in [1, 2, 4] {
      let got = log.played(keeping: kept, room: room, threads: threads, &random)
      let isSame = got == expected
      #expect(isSame, "\(threads) threads")
    }
  }

  /// Also where several are broken near each other, in partitions of several threads.
  @Test(arguments: [11, 12, 13, 14] as [UInt64])
  func theFirstBrokenLineEndsIt(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var log = MixedLog(partitions: 3, count: 4_000, &random)
    let first = Int(random.number(100...Int64(log.steps.count) - 1))
    for _ in 0..<random.number(1...4) {
      log.breakLine(at: min(log.steps.count - 1, first + Int(random.number(0...40))), &random)
    }
    let expected = log.played(keeping: .commands)
    #expect(expected.failure?.hasPrefix("log line ") ?? false)
    for threads in [1, 3, 5] {
      let got = log.played(keeping: .commands, threads: threads, &random)
      #expect(got.failure == expected.failure)
      let isSame = got.output == expected.output
      #expect(isSame, "\(threads) threads")
    }
  }

  /// A log may be longer than memory.
  @Test func whatWasPlayedIsNotKept() throws {
    let replayer = ParallelReplayer(settings: LogSettings(), keeping: .commands, threads: 3)
    var reader = LogLineReader()
    var most = 0
    var played = 0
    for i in 0..<12_000 {
      // Each is shown at once, in a room of its own.
      let line = record(Int64(i / 5), at: 1000, partition: i % 5, room: "r\(i)")
      try Array(line.utf8).withUnsafeBytes {
        try replayer.play(#require(try reader.read($0)), at: .line(i + 1, file: "log", isEnded: true))
      }
      let lines = replayer.output.bytes.count { $0 == UInt8(ascii: "\n") }
      most = max(most, i + 1 - played - lines)
      played += lines
      replayer.output.removeAll()
    }
    try replayer.finish()
    #expect(most <= 4 * 1024)
    #expect(replayer.summary.records == 12_000)
  }
}

/// Lines of several partitions of some rooms, in every form that lines have, and times to which all timers fire.
private struct MixedLog {
  enum Step {
    case text(String)
    /// A line that no text could say, since most of its settings are strange ones.
    case line(LogLine)
    case fire(LogTime)
  }

  struct Outcome: Equatable {
    var output: [String] = []
    var failure: String?
    var summary: ReplaySummary?
  }

  private(set) var steps: [Step] = []
  private let topics = (0..<3).map { "im.\($0)" }

  init(partitions count: Int, count records: Int, _ random: inout SplitMix64) {
    var logs = (0..<count).map { _ in RandomLog(seed: random.next(), count: records / count).inputs[...] }
    /// The number of lines of a partition before those of others.
    let run: Int64 = random.one(of: [1, 7, 900])
    while logs.contains(where: { !$0.isEmpty }) {
      let number = random.one(of: logs.indices.filter { !logs[$0].isEmpty })
      for _ in 0..<random.number(1...run) {
        guard let input = logs[number].popFirst() else { break }
        append(input, number, &random)
        if random.once(in: 500) { steps.append(.fire(1_700_000_000_000 + random.number(0...100_000_000))) }
      }
    }
  }

  private mutating func append(_ input: LogInput, _ number: Int, _ random: inout SplitMix64) {
    let (topic, partition) = (topics[number % 3], Int32(number / 3))
    let content: LogLine.Content
    switch input {
    case .record(let offset, let time, let event):
      steps.append(.text(Self.text(topic, partition, offset, time, event, &random)))
      return
    case .idle(let time): content = .firedTo(time, clock: random.once(in: 3) ? time : nil)
    case .settings(let engine):
      var settings = LogSettings()
      settings.engine = engine
      settings.rules = random.once(in: 200) ? 2 : LogRules.current
      content = .settings(settings)
    }
    steps.append(.line(LogLine(topic: Text(topic), partition: partition, content: content)))
  }

  private static func text(
    _ topic: String, _ partition: Int32, _ offset: Int64, _ time: LogTime, _ event: RoomEvent?,
    _ random: inout SplitMix64
  ) -> String {
    var json = ByteBuffer(), protobuf = ByteBuffer()
    if let event {
      EventEncoder(format: .json).encode(event, into: &json)
      EventEncoder(format: .protobuf).encode(event, into: &protobuf)
    } else {
      json.append(string: random.one(of: ["{}", "88", "null", #"{"eventId":"x"}"#, "[]"]))
    }
    let escaped = json.text.description.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    var coded = ByteBuffer()
    Base64.encode(protobuf.bytes, into: &coded)
    let value = random.one(of: [
      #""value":\#(json.text)"#, #""value":\#(json.text)"#, #""value":\#(json.text)"#, #""valueText":"\#(escaped)""#,
      #""headers":[["content-type","application/json"],["x",null]],"value":\#(json.text)"#,
      #""value":\#(json.text),"headers":[["content-type","application/x-protobuf"]]"#,
      #""valueBase64":"\#(coded.text)","headers":[["content-type","application/x-protobuf"]]"#,
      #""valueBase64":"\#(coded.text)""#, #""x":{}"#,
    ])
    var members = [
      #""topic":"\#(topic)""#, #""partition":\#(partition)"#, #""offset":\#(offset)"#, #""timestampMs":\#(time)"#,
      #""key":\#(event.map { #""\#($0.roomId)""# } ?? "null")"#, value,
    ]
    if random.once(in: 10) { members.shuffle(using: &random) }
    return "{\(members.joined(separator: ","))}"
  }

  /// Puts in its place a record that was played already, or a state of a partition that has begun.
  mutating func breakLine(at index: Int, _ random: inout SplitMix64) {
    let before = steps[..<index].compactMap { if case .text(let text) = $0 { text } else { nil } }
    guard let record = before.last(where: { $0.contains(#""partition":0"#) }) else { return }
    steps[index] = .text(record)
    guard random.once(in: 2), let topic = topics.first(where: { record.contains(#""\#($0)""#) }) else { return }
    let state = LogState(offset: 5, settings: LogSettings())
    steps[index] = .line(LogLine(topic: Text(topic), partition: 0, content: .state(state)))
  }

  /// Line by line.
  func played(keeping kept: Replayer.Kept, room: ID? = nil) -> Outcome {
    var outcome = Outcome()
    var replayer = Replayer(settings: LogSettings(), room: room, keeping: kept, hashSeed: 1)
    do {
      try eachStep { line, place in
        do { try replayer.play(line) } catch { throw BrokenLog("\(place): \(error)") }
      } fire: {
        replayer.fire(to: $0)
      }
      outcome.summary = replayer.summary
    } catch {
      outcome.failure = "\(error)"
    }
    outcome.output = Self.lines(kept == .results ? replayer.results.text : replayer.output.text)
    return outcome
  }

  func played(
    keeping kept: Replayer.Kept, room: ID? = nil, threads: Int, _ random: inout SplitMix64
  ) -> Outcome {
    var outcome = Outcome()
    let replayer = ParallelReplayer(settings: LogSettings(), room: room, keeping: kept, threads: threads)
    let pauses = random.one(of: [10, 100_000]) as UInt64
    do {
      try eachStep { line, place in
        try replayer.play(line, at: place)
        if random.once(in: pauses) { try replayer.finish() }
        if random.once(in: 50) {
          outcome.output += Self.lines(replayer.output.text)
          replayer.output.removeAll()
        }
      } fire: {
        try replayer.fire(to: $0)
      }
      try replayer.finish()
      outcome.summary = replayer.summary
    } catch {
      outcome.failure = "\(error)"
    }
    outcome.output += Self.lines(replayer.output.text)
    return outcome
  }

  private func eachStep(
    play: (LogLine, LinePlace) throws -> Void, fire: (LogTime) throws -> Void
  ) throws {
    var reader = LogLineReader()
    for (number, step) in zip(1..., steps) {
      let place = LinePlace.line(number, file: "log", isEnded: true)
      switch step {
      case .fire(let time): try fire(time)
      case .line(let line): try play(line, place)
      case .text(let text):
        // Its bytes are gone as soon as it is handed over.
        var bytes = Array(text.utf8)
        try bytes.withUnsafeMutableBytes { bytes in
          try play(#require(try reader.read(UnsafeRawBufferPointer(bytes))), place)
          for i in bytes.indices { bytes[i] = 0 }
        }
      }
    }
  }

  private static func lines(_ text: Text) -> [String] {
    text.description.split(separator: "\n").map(String.init)
  }
}
