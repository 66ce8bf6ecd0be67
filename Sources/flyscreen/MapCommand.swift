import JSON
import Kafka
import Replay
import RoomModel
import Settings
import Wire

extension Subcommand {
  static let map = Subcommand(
    name: "map",
    summary: "tries a mapping (topics.mapping): shows what each message becomes, or why it becomes nothing",
    note: "It reads messages from stdin, one JSON a line, or the lines of a saved log; with --from those of a topic.",
    operands: "FILE",
    options: LogInput.topicOptions + [CommandOption("json", nil, "prints one line of JSON a message")],
    settings: ["topics", "kafka"]
  ) { invocation in
    let operands = invocation.arguments.operands
    guard operands.count == 1 else { throw SettingsError("FILE is missing, or more than one is there: which mapping?") }
    let file = try MappingFile(path: operands[0])
    for warning in file.warnings { Flyscreen.printError("map: \(warning)") }
    var trial = MappingTrial(
      file, topic: invocation.arguments["topic"], keyRule: invocation.configuration.logSettings.keyRule,
      isJSON: invocation.arguments.has("json"))
    do {
      if invocation.arguments.has("from") || invocation.arguments.has("to") || invocation.arguments.has("partition") {
        _ = try invocation.arguments.required("topic")
        try LogInput.withZone(invocation) {
          let (from, to) = try LogInput.places(invocation)
          let partition = try LogInput.givenPartition(invocation)
          for topic in try LogInput.topics(invocation) ?? [] {
            let range = try TopicRange(topic, LogInput.properties(invocation))
            try range.eachRecord(of: partition, from: from ?? .beginning, to: to ?? .end) {
              try trial.map($0, of: topic)
            }
          }
        }
      } else {
        var lines = try LogFile(path: "/dev/stdin")
        while let line = try lines.nextLine() { try trial.map(line, number: lines.lineNumber) }
      }
    } catch let error as BrokenLog {
      throw CommandFailure(.failed, error.description)
    }
    try trial.end()
    return .done
  }
}

/// Messages that go through a mapping, to be looked at.
private struct MappingTrial: ~Copyable {
  private let file: MappingFile
  private let topic: String?
  private let keyRule: KeyRule
  private let isJSON: Bool
  private var decoder = EventDecoder()
  private var document = JSONDocument(depth: JSONDocument.lineDepth)
  private var reader = LogLineReader()
  private var output = StandardOutput()
  /// By their words, in the order in which they first came.
  private var counts: [(what: String, count: Int)] = []

  init(_ file: MappingFile, topic: String?, keyRule: KeyRule, isJSON: Bool) {
    self.file = file
    self.topic = topic
    self.keyRule = keyRule
    self.isJSON = isJSON
  }

  /// A line of stdin.
  mutating func map(_ bytes: UnsafeRawBufferPointer, number: Int) throws {
    if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { return }
    if let json = try? document.parse(bytes), json.isLogLine {
      let line: LogLine?
      do {
        line = try reader.read(bytes)
      } catch {
        throw CommandFailure(.failed, "line \(number): \(error)")
      }
      if let line, case .record(let record) = line.content { try map(record, of: topic ?? line.topic.description) }
      return
    }
    guard let mapping = topic.map({ file[$0] }) ?? file.only else {
      let names = file.topics.joined(separator: ", ")
      throw SettingsError(
        topic.map { "\(file.path) has no entry for \($0); it has \(names)" }
          ?? "--topic T is missing: \(file.path) has several, \(names)")
    }
    // A message alone has no key.
    try show(
      decoder.map(key: nil, value: bytes, contentType: nil, keyRule: .any, mapping: mapping))
  }

  mutating func map(_ record: LogRecord, of topic: String) throws(CommandFailure) {
    guard let mapping = file[topic] else { return try show(.own(refused: nil)) }
    try show(decoder.map(record, keyRule: keyRule, mapping: mapping))
  }

  private mutating func show(_ record: MappedRecord) throws(CommandFailure) {
    switch record {
    case .event(let event, let shape, let refused):
      if isJSON { print("{\"event\":\(event)}") } else { print("shape \(shape): \(event)") }
      if let refused {
        if !isJSON { print("  but it is refused: \(refused.description)") }
        count("by shape \(shape), but refused")
      } else {
        count("by shape \(shape)")
      }
    case .ignored(let shape):
      // No shape fits, and `otherwise` says so.
      if isJSON { print("{\"ignored\":\(shape == 0 ? "true" : "\(shape)")}") }
      let why = shape == 0 ? "no shape fits" : "shape \(shape)"
      if !isJSON { print("ignored: \(why)") }
      count("ignored (\(why))")
    case .refused(let reason):
      if isJSON {
        var line = ByteBuffer()
        line.appendObject { $0.appendMember("refused") { $0.appendString(reason.description) } }
        print(line.text.description)
      } else {
        print("refused: \(reason.description)")
      }
      count("refused")
    case .own(let refused):
      if isJSON { print("{\"own\":true}") }
      if !isJSON {
        print(
          "no shape fits: read as an event of the project's own"
            + (refused.map { ", and refused: \($0.description)" } ?? ""))
      }
      count(refused == nil ? "read as they are" : "that no shape fits, refused as they are")
    }
    if output.count > 1 << 16 { try output.flush() }
  }

  private mutating func print(_ line: String) { output.append("\(line)\n") }

  private mutating func count(_ what: String) {
    if let place = counts.firstIndex(where: { $0.what == what }) {
      counts[place].count += 1
    } else {
      counts.append((what, 1))
    }
  }

  /// A last line counts.
  consuming func end() throws(CommandFailure) {
    let total = counts.reduce(0) { $0 + $1.count }
    let parts = counts.map { "\($0.count) \($0.what)" }.joined(separator: ", ")
    let line = "\(total) messages" + (parts.isEmpty ? "" : ": \(parts)")
    if isJSON { Flyscreen.printError("map: \(line)") } else { print(line) }
    try output.flush()
  }
}

extension JSONValue {
  /// Whether it is a line of a saved log, and no message.
  fileprivate var isLogLine: Bool {
    guard self["topic"]?.text != nil, self["partition"]?.integer != nil else { return false }
    if self["offset"]?.integer != nil { return self["timestampMs"]?.integer != nil || self["state"] != nil }
    return self["firedToMs"] != nil || self["settings"] != nil || self["doubt"] != nil
  }
}
